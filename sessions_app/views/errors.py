"""Pages for what went wrong: 400, 403, 404, 405, 500, 503 and a form whose check failed."""

import logging
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.utils.cache import patch_cache_control

from scorekeeper.db import database_errors
from scorekeeper.http.response_headers import request_id

logger = logging.getLogger(__name__)

#: Seconds after which it is worth trying again, by what the trouble is.
RETRY_AFTER: Final = {
    database_errors.LOCKED: 2,
    database_errors.GONE: 5,
    database_errors.FULL: 20,
    database_errors.READ_ONLY: 20,
}


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "errors/404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    # Without the request: whatever broke may break again there, and this page must not.
    return HttpResponseServerError(loader.render_to_string("errors/500.html", {"request_id": request_id(request)}))


class Unavailable:
    """Answers 503 with a page when a database cannot do what it was asked, and gives back what was typed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        why = database_errors.classify(exception)
        return unavailable(request, why, exception) if why else None


def unavailable(request: HttpRequest, why: str, exception: Exception) -> HttpResponse:
    # That others were writing for too long is a line in the log; of all else the whole story is wanted.
    logger.warning(
        "Answered 503 to %s, database %s",
        request.path,
        why,
        exc_info=None if why == database_errors.LOCKED else exception,
    )
    context = {"why": why, "writes": request.method == "POST", "fields": _typed(request)}
    response = _page(request, "errors/503.html", context, status=503)
    response["Retry-After"] = str(RETRY_AFTER[why])
    if why != database_errors.GONE:
        response["X-Not-Done"] = why  # for the scripts: they need not be in doubt
    return response


def not_allowed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give every 405 a page: a middleware, since Django has no handler for it."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405:
            return response
        page = _page(request, "errors/405.html", status=405)
        # The same answer, which Django has logged already: another would be a second line.
        response.content = page.content
        for name, value in page.items():
            response[name] = value
        return response

    return answered


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that nothing was lost, and give the form back as it was filled in.

    Only to a form of our own whose cookie was lost: what another site sent is not offered for a second try.
    """
    if not _is_ours(request, reason):
        return _page(request, "errors/csrf.html", {"ours": False}, status=403)
    refill = getattr(request.resolver_match and request.resolver_match.func, "refill", None)
    if refill and request.resolver_match:
        response: HttpResponse = refill(request, **request.resolver_match.kwargs)
    else:
        response = _page(request, "errors/csrf.html", {"fields": _typed(request), "ours": True}, status=403)
    # A script fetches a new token and sends the form once more by itself.
    response["X-Stale-Token"] = "1"
    return response


def _page(
    request: HttpRequest, template: str, context: dict[str, Any] | None = None, status: int = 400
) -> HttpResponse:
    response = render(request, template, context, status=status)
    patch_cache_control(response, private=True, no_store=True)
    if request.path.startswith("/join/"):
        response["Referrer-Policy"] = "strict-origin"  # as the page of a link has it: its address is a secret
    return response


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the form that was sent, as they were filled in."""
    posted = ((name, value) for name, values in request.POST.lists() for value in values)
    return [(name, str(value)) for name, value in posted if name != "csrfmiddlewaretoken"]


def _is_ours(request: HttpRequest, reason: str) -> bool:
    came_from = request.headers.get("Sec-Fetch-Site", "same-origin")
    return came_from == "same-origin" and not reason.startswith(("Origin checking", "Referer checking"))
