"""Warnings at the start about settings that each are allowed and together lock visitors out or trust them too far."""

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
    if settings.PROXY and (public := network.public_addresses()):
        yield (
            f"SCOREKEEPER_PROXY: this server can be reached past the proxy, at {', '.join(public)}. Who does so forges "
            "X-Forwarded-For, and no limit holds: let only the proxy reach the port."
        )
