"""Middleware for a server behind a proxy, which may name its hosts otherwise than visitors do."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host

#: Paths that monitors ask for.
MONITORS: Final = ("/healthz", "/healthz/ready", "/metrics")
logger = logging.getLogger(__name__)


def log_endless_redirect(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Log the first redirect to HTTPS that leads back here: X-Forwarded-Proto is missing, or not to be trusted."""
    is_logged = False

    def middleware(request: HttpRequest) -> HttpResponse:
        nonlocal is_logged
        response = get_response(request)
        says_so = settings.PROXY and "X-Forwarded-Proto" in request.headers
        if not (is_logged or says_so) and _leads_to_https(request, response):
            is_logged = True
            remedy = "the proxy must set X-Forwarded-Proto" if settings.PROXY else "set SCOREKEEPER_PROXY=true"
            logger.warning(
                "A request was redirected to HTTPS; one that came by HTTPS already is redirected for ever: %s.", remedy
            )
        return response

    return middleware


def _leads_to_https(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response redirects to the same address by HTTPS."""
    if request.is_secure() or response.status_code != HTTPStatus.MOVED_PERMANENTLY:
        return False
    return response.headers["Location"] == f"https://{request.get_host()}{request.get_full_path()}"


def log_missing_address(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Log the first request whose X-Forwarded-For names fewer addresses than there are proxies.

    Such visitors are one to the rate limits, or can choose their address.
    """
    is_logged = False

    def middleware(request: HttpRequest) -> HttpResponse:
        nonlocal is_logged
        named = request.headers.get("X-Forwarded-For", "").count(",") + ("X-Forwarded-For" in request.headers)
        if named < settings.PROXY and not is_logged and request.path_info not in MONITORS:
            is_logged = True
            logger.warning(
                "X-Forwarded-For names %s addresses, but SCOREKEEPER_PROXY is %s: visitors cannot be told apart. Each "
                "proxy must add the address it is asked from.",
                named,
                settings.PROXY,
            )
        return get_response(request)

    return middleware


def answer_monitors_at_any_host(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Replace the Host header of a monitor by one of this server's: it may ask by address."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info in MONITORS:
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].removeprefix(".")
        return get_response(request)

    return middleware


def accept_own_origins(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Replace an Origin header that names one of this server's hosts by another port, for Django's CSRF check.

    A proxy may listen on another port without naming it. Nothing is lost by that: browsers send the cookies of a host
    to all of its ports.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_own_origin(request.META.get("HTTP_ORIGIN", "")):
            request.META["HTTP_ORIGIN"] = own_origin(request)
        return get_response(request)

    return middleware


def own_origin(request: HttpRequest) -> str:
    """Return the origin of this server's pages, as the request names it."""
    return f"{request.scheme}://{request.get_host()}"


def is_own_origin(origin: str) -> bool:
    """Return whether an Origin header names one of SCOREKEEPER_HOSTS, by any port; by HTTPS if all visitors use it."""
    scheme, _, netloc = origin.partition("://")
    hosts = [host for host in settings.ALLOWED_HOSTS if not host.startswith(".")]
    is_secure = scheme == "https" or (scheme == "http" and not settings.HTTPS)
    return is_secure and validate_host(split_domain_port(netloc)[0], hosts)
