"""The list of evenings that this phone opened last: the home page, or a page of the past ones with its filters.

The back link of an evening leads there. It is kept in the signed session cookie and not in addresses, since the pages
between (a hand, settling up, the table view) are rendered once for all phones and would have to pass it on.
"""

from typing import Final

from django.http import HttpRequest
from django.urls import reverse

KEY: Final = "past_list"


def remember(request: HttpRequest, query: str | None) -> None:
    """Store the query of the page of past evenings, None for the home page."""
    if request.session.get(KEY) == query:
        return
    if query is None:
        del request.session[KEY]
    else:
        request.session[KEY] = query


def address(request: HttpRequest) -> str | None:
    """Return the address of the page of past evenings that was opened last, None for the home page."""
    query = request.session.get(KEY)
    if not isinstance(query, str):
        return None
    return f"{reverse('past')}?{query}" if query else reverse("past")
