"""Answers to polls: a phone that has the latest version of a page's live part is told so by an empty answer.

For the live parts of an evening `access.page(polls=True)` asks; other views ask by themselves.
"""

from django.http import HttpRequest, HttpResponse


def no_news(request: HttpRequest, version: int | str, sent_as: str = "v") -> HttpResponse | None:
    """Return the answer 204 to a phone that has sent this version, None to one that is to get the live part."""
    return unchanged() if request.GET.get(sent_as) == str(version) else None


def unchanged() -> HttpResponse:
    """Return the answer 204: the page stays as it is."""
    return HttpResponse(status=204)
