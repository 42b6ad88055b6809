"""Hosts of the server: middleware for a proxy, which may name them otherwise than visitors do; the domain of passkeys.

The domain, WebAuthn's relying party ID, is the host, or one above it, on which browsers use a passkey.
"""

import logging
from collections.abc import Callable, Iterable
from http import HTTPStatus
from ipaddress import ip_address
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


# --- The domain of passkeys ---


def domain_of(request: HttpRequest) -> str:
    """Return the domain for the passkeys that are made or used by this request."""
    return settings.PASSKEY_DOMAIN or _host(request)


def obstacle(request: HttpRequest) -> str:
    """Return why a browser takes no passkey here: `address` (no host name), `http` or `elsewhere`; '' if it does."""
    host = _host(request)
    if _is_address(host):
        return "address"
    if not request.is_secure() and not covers("localhost", host):
        return "http"
    return "" if covers(domain_of(request), host) else "elsewhere"


def covers(domain: str, host: str) -> bool:
    """Return whether a passkey of the domain is used on the host."""
    return host == domain or host.endswith(f".{domain}")


def is_domain(text: str) -> bool:
    """Return whether this can be a domain of passkeys: lower case, without scheme, port and path, and no address."""
    parts = text.split(".")
    return (
        not _is_address(text)
        and all(
            part and all(letter.isascii() and (letter.isalnum() or letter == "-") for letter in part) for part in parts
        )
        and text == text.lower()
    )


def uncovered(hosts: Iterable[str]) -> list[str]:
    """Return the hosts of the server, names of one only, on which the passkeys of SCOREKEEPER_PASSKEY_DOMAIN fail."""
    domain = settings.PASSKEY_DOMAIN
    names = (host.removeprefix(".") for host in hosts)
    return [name for name in names if domain and not _is_address(name) and not covers(domain, name)]


def _host(request: HttpRequest) -> str:
    return split_domain_port(request.get_host())[0]


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
