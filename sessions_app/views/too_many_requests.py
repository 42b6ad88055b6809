"""The 429 page: the reason, when to try again, and a button that sends the form again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sessions_app.rate_limits import Later

type Fields = list[tuple[str, str]]


def page(request: HttpRequest, later: Later, why: str, *, fields: Fields | None = None) -> HttpResponse:
    """Answer 429. `fields` are the posted ones, if the page may send the form again."""
    context = {"why": why, "when": when(later), "fields": fields}
    return with_retry_after(render(request, "errors/429.html", context, status=429), later)


def with_retry_after(response: HttpResponse, later: Later) -> HttpResponse:
    """Set Retry-After on the response and return it."""
    response["Retry-After"] = str(later.seconds)
    return response


def when(later: Later) -> str:
    """Return when to try again, in a sentence."""
    if later.seconds < 60:
        said = ngettext("Try again in %(count)s second.", "Try again in %(count)s seconds.", later.seconds)
        return said % {"count": later.seconds}
    minutes = -(-later.seconds // 60)
    return ngettext("Try again in %(count)s minute.", "Try again in %(count)s minutes.", minutes) % {"count": minutes}


def too_many_circles(later: Later) -> str:
    """Return the notice of a new evening's form that comes back filled in."""
    why = _("Too many sessions were started from this network in the last hour. What you typed is still here.")
    return f"{why} {when(later)}"
