"""The domain of passkeys, WebAuthn's relying party ID: the host, or one above it, on which browsers use a passkey."""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port


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
    return bool(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", text)) and not _is_address(text)


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
