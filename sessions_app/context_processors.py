"""Context of every page."""

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve


def way_back(request: HttpRequest) -> dict[str, str]:
    """Return the address that the language switch leads back to: this address if it answers GET, else its nearest
    parent that does.

    The answer to a form may have an address that takes POST only.
    """
    match = request.resolver_match
    if match is None or _answers_get(match):
        return {"way_back": request.get_full_path()}
    above = request.path
    while not can_be_read(above):
        above = above.rstrip("/").rpartition("/")[0] + "/"
    return {"way_back": above}


def can_be_read(path: str) -> bool:
    """Return whether this path answers GET; the home page always does."""
    try:
        return path == "/" or _answers_get(resolve(path))
    except Resolver404:
        return False


def _answers_get(match: ResolverMatch) -> bool:
    return "GET" in getattr(match.func, "methods", ("GET",))
