"""The list of evenings that this phone opened last: the home page, or a page of the past ones.

The back link of an evening leads there. It is kept in the signed session cookie and not in addresses, since the pages
between (a hand, settling up, the table view) are rendered once for all phones and would have to pass it on.
"""

from typing import Final

from django.http import HttpRequest

KEY: Final = "past_page"


def remember(request: HttpRequest, past_page: int | None) -> None:
    """Store the number of the page of past evenings, None for the home page."""
    if request.session.get(KEY) == past_page:
        return
    if past_page is None:
        del request.session[KEY]
    else:
        request.session[KEY] = past_page


def past_page(request: HttpRequest) -> int | None:
    """Return the number of the page of past evenings that was opened last, None for the home page."""
    page = request.session.get(KEY)
    return page if isinstance(page, int) else None
