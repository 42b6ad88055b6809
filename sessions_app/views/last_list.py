"""The list of sessions that this phone opened last: the home page, or a page of the past sessions.

The way back from a session leads there. It is kept in the signed session cookie and not in addresses, as what lies
between (a hand, settling up, the table view) is drawn once for all phones and would have to carry it on.
"""

from typing import Final

from django.http import HttpRequest

KEY: Final = "past_page"


def remember(request: HttpRequest, past_page: int | None) -> None:
    """Keep which page of the past sessions was opened, None for the home page."""
    if request.session.get(KEY) == past_page:
        return
    if past_page is None:
        del request.session[KEY]
    else:
        request.session[KEY] = past_page


def past_page(request: HttpRequest) -> int | None:
    """Return the page of the past sessions that was opened last, None where it was the home page."""
    page = request.session.get(KEY)
    return page if isinstance(page, int) else None
