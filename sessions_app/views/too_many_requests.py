"""The page for who came too often: why, when to come back, and the same button once more."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sessions_app.rate_limits import Later

type Fields = list[tuple[str, str]]


def page(request: HttpRequest, later: Later, why: str, *, fields: Fields | None = None) -> HttpResponse:
    """Answer 429. `fields` are those of the form that was sent, where it may be sent again from this page."""
    context = {"why": why, "when": when(later), "fields": fields}
    return with_retry_after(render(request, "errors/429.html", context, status=429), later)


def with_retry_after(response: HttpResponse, later: Later) -> HttpResponse:
    """The answer, which also tells programs when to come back."""
    response["Retry-After"] = str(later.seconds)
    return response


def when(later: Later) -> str:
    """When to come back, in a sentence."""
    if later.seconds < 60:
        said = ngettext("Try again in %(count)s second.", "Try again in %(count)s seconds.", later.seconds)
        return said % {"count": later.seconds}
    minutes = -(-later.seconds // 60)
    return ngettext("Try again in %(count)s minute.", "Try again in %(count)s minutes.", minutes) % {"count": minutes}


def too_many_circles(later: Later) -> str:
    """What the form of a new session says that comes back filled in."""
    why = _("Too many sessions were started from this network in the last hour. What you typed is still here.")
    return f"{why} {when(later)}"
