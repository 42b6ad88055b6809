"""Middleware for a server behind a proxy: Django's own, with what they lack for hosts that a proxy names otherwise."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.request import split_domain_port, validate_host
from django.middleware import common, csrf

#: The health checks' paths.
HEALTH: Final = ("/healthz", "/healthz/ready")
logger = logging.getLogger(__name__)


def say_endless_redirect(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Log the first redirect to HTTPS that leads back here: X-Forwarded-Proto is missing, or not to be trusted."""
    is_logged = False

    def middleware(request: HttpRequest) -> HttpResponse:
        nonlocal is_logged
        response = get_response(request)
        says_so = settings.PROXY and "X-Forwarded-Proto" in request.headers
        if not (is_logged or says_so) and _leads_to_https(request, response):
            is_logged = True
            remedy = "the proxy must set X-Forwarded-Proto" if settings.PROXY else "set SCOREKEEPER_PROXY=true"
            logger.warning("A page was redirected to HTTPS and will be for ever, if it came by HTTPS: %s.", remedy)
        return response

    return middleware


def _leads_to_https(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether it is a redirect to the same address by HTTPS."""
    if request.is_secure() or response.status_code != HTTPStatus.MOVED_PERMANENTLY:
        return False
    return response.headers["Location"] == f"https://{request.get_host()}{request.get_full_path()}"


class CommonMiddleware(common.CommonMiddleware):
    """Let health checks through by any host name: a monitor or a container asks by address."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in HEALTH else super().process_request(request)


class CsrfViewMiddleware(csrf.CsrfViewMiddleware):
    """Accept forms of this server's own hosts by any port: a proxy may listen on another one without naming it.

    Nothing is lost by that: browsers send the cookies of a host to all of its ports.
    """

    def _origin_verified(self, request: HttpRequest) -> bool:
        known: bool = super()._origin_verified(request)  # type: ignore[misc]  # unknown to the stubs
        return known or is_own_origin(request.META["HTTP_ORIGIN"])

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        if reason.startswith("Origin checking"):
            own = f"{request.scheme}://{request.get_host()}"
            reason = f"Origin checking failed: the form is of {request.META['HTTP_ORIGIN']}, this server is {own}"
        return super()._reject(request, reason)  # type: ignore[misc]  # unknown to the stubs


def is_own_origin(origin: str) -> bool:
    """Return whether an Origin header names one of SCOREKEEPER_HOSTS, by any port; by HTTPS if all visitors use it."""
    scheme, _, netloc = origin.partition("://")
    hosts = [host for host in settings.ALLOWED_HOSTS if not host.startswith(".")]
    is_secure = scheme == "https" or (scheme == "http" and not settings.HTTPS)
    return is_secure and validate_host(split_domain_port(netloc)[0], hosts)
