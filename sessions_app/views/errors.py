"""The error pages: 400, 403, 404, 405, 429, 500, 503 and a failed CSRF check."""

import logging
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.db import database_errors
from scorekeeper.http.middleware import own_origin, request_id
from sessions_app.access import Decorator, View
from sessions_app.errors import CircleClosed
from sessions_app.rate_limits import Later, TooMany

logger = logging.getLogger(__name__)

#: Retry-After in seconds, by the kind of the database error.
RETRY_AFTER: Final = {
    database_errors.LOCKED: 2,
    database_errors.GONE: 5,
    database_errors.FULL: 20,
    database_errors.READ_ONLY: 20,
    database_errors.MOVED: 20,
}
#: The beginning of Django's reason for a form whose Origin header is not trusted.
WRONG_ORIGIN: Final = "Origin checking"


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not isinstance(exception, CircleClosed):
        return _page(request, "errors/403.html", status=403)
    response = _page(request, "errors/circle_closed.html", status=403)
    # For the scripts, which say so of a hand that waits on the phone.
    response["X-Circle-Closed"] = "1"
    return response


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "errors/404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    # Rendered without the request: its context processors may have failed.
    return HttpResponseServerError(loader.render_to_string("errors/500.html", {"request_id": request_id(request)}))


class Unavailable:
    """Middleware: answer a database error with the 503 page, and a page that has to wait with the 429 page.

    Both have the posted fields in them to send again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Later):
            return too_many_requests(request, exception)
        why = database_errors.classify(exception)
        return unavailable(request, why, exception) if why else None


def unavailable(request: HttpRequest, why: str, exception: Exception) -> HttpResponse:
    # These need one line in the log; any other error needs its traceback.
    is_clear = why in (database_errors.LOCKED, database_errors.MOVED)
    logger.warning(
        "Answered 503 to %s, database %s: %s", request.path, why, exception, exc_info=None if is_clear else exception
    )
    context = {"why": why, "writes": request.method == "POST", "fields": _typed(request)}
    response = _page(request, "errors/503.html", context, status=503)
    response["Retry-After"] = str(RETRY_AFTER[why])
    if why != database_errors.GONE:
        response["X-Not-Done"] = why  # tells the scripts that nothing was written
    return response


def not_allowed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: give every 405 a page, since Django has no handler for it."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405:
            return response
        page = _page(request, "errors/405.html", status=405)
        # The same response object: Django has logged it, and would log another one too.
        response.content = page.content
        for name, value in page.items():
            response[name] = value
        return response

    return answered


def refill_of(*views: View) -> Decorator:
    """Mark the view that answers for these with the posted form filled in, if only its cookie was lost."""

    def mark(refill: View) -> View:
        for view in views:
            view.refill = refill  # type: ignore[attr-defined]
        return refill

    return mark


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 with the form as it was filled in, if it is of this site and only its cookie was lost.

    A form that another site sent is not offered for a second try.
    """
    _log_csrf_failure(request, reason)
    if not _is_ours(request, reason):
        return _page(request, "errors/csrf.html", {"ours": False}, status=403)
    refill = getattr(request.resolver_match and request.resolver_match.func, "refill", None)
    if refill and request.resolver_match:
        try:
            response: HttpResponse = refill(request, **request.resolver_match.kwargs)
        except Later as later:
            response = too_many_requests(request, later)
    else:
        response = _page(request, "errors/csrf.html", {"fields": _typed(request), "ours": True}, status=403)
    # A script fetches a new token and sends the form again by itself.
    response["X-Stale-Token"] = "1"
    return response


def _page(request: HttpRequest, template: str, context: dict[str, Any] | None = None, *, status: int) -> HttpResponse:
    response = render(request, template, context, status=status)
    patch_cache_control(response, private=True, no_store=True)
    if request.path.startswith(("/join/", "/link/")):
        return unreferred(response)
    return response


def unreferred(response: HttpResponse) -> HttpResponse:
    """Keep the secret token of an address out of Referer headers. 'no-referrer' makes browsers post 'Origin: null'."""
    response["Referrer-Policy"] = "strict-origin"
    return response


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the posted fields as they were filled in."""
    posted = ((name, value) for name, values in request.POST.lists() for value in values)
    return [(name, str(value)) for name, value in posted if name != "csrfmiddlewaretoken"]


def _log_csrf_failure(request: HttpRequest, reason: str) -> None:
    if reason.startswith(WRONG_ORIGIN):
        origins = f"the form is of {request.META['HTTP_ORIGIN']}, this server is {own_origin(request)}"
        reason = f"{WRONG_ORIGIN} failed: {origins}"
    logger.warning("Forbidden (%s): %s", reason, request.path, extra={"request": request, "status_code": 403})


def _is_ours(request: HttpRequest, reason: str) -> bool:
    came_from = request.headers.get("Sec-Fetch-Site", "same-origin")
    return came_from == "same-origin" and not reason.startswith((WRONG_ORIGIN, "Referer checking"))


# --- 429 ---


def too_many_requests(
    request: HttpRequest, later: Later, *, fields: list[tuple[str, str]] | None = None
) -> HttpResponse:
    """Answer 429: the reason, when to try again, and a button that sends the form again if its `fields` are given.

    A page that takes the server long, which is the usual reason, is always sent again as it was posted.
    """
    why = later.why
    if not why:
        why = _("The server is busy with other large pages.")
        if isinstance(later, TooMany):
            why = _("Large pages were opened too often from this phone or network within an hour.")
        fields = _typed(request) if request.method == "POST" else None
    context = {"why": why, "when": when(later), "fields": fields}
    return with_retry_after(_page(request, "errors/429.html", context, status=429), later)


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
