"""Warnings at the start about settings that each are allowed and together lock visitors out or trust them too far."""

from collections.abc import Iterator

from django.conf import settings


def warnings() -> Iterator[str]:
    """Yield a sentence for each such setting."""
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        yield (
            f"SCOREKEEPER_HSTS={settings.HSTS}: for a year, browsers that have been here open no subdomain of this "
            "host by plain HTTP, whatever serves it."
        )
