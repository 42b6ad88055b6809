"""What the settings come to: the server's address, and warnings of what locks visitors out or trusts them too far."""

from collections.abc import Iterator

from django.conf import settings

from scorekeeper.ops import network


def warnings() -> Iterator[str]:
    """Yield a sentence for each such setting."""
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        yield (
            f"SCOREKEEPER_HSTS={settings.HSTS}: for a year, browsers that have been here open no subdomain of this "
            "host by plain HTTP, whatever serves it."
        )
    if settings.HTTPS and not settings.PROXY:
        yield (
            "SCOREKEEPER_HTTPS without SCOREKEEPER_PROXY: this server has no certificate, and every page is redirected "
            "to https:// for ever. Set SCOREKEEPER_PROXY=true behind a proxy with HTTPS that sets X-Forwarded-Proto."
        )
    if settings.PROXY and (public := network.public_addresses()):
        yield (
            f"SCOREKEEPER_PROXY: this server can be reached past the proxy, at {', '.join(public)}. Who does so forges "
            "X-Forwarded-For, and no limit holds: let only the proxy reach the port."
        )


def address(port: int, hosts: list[str]) -> str:
    """Return the address by which visitors reach the server, without a path; '' if none answers."""
    host = hosts[0].removeprefix(".")
    if settings.PROXY:
        return f"{'https' if settings.HTTPS else 'http'}://{host}"
    return "" if settings.HTTPS else f"http://{'localhost' if 'localhost' in hosts else host}:{port}"
