"""Context of every page."""

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve


def way_back(request: HttpRequest) -> dict[str, str]:
    """Return the address that the language switch leads back to: this address if it answers GET, else its nearest
    parent that does.

    The answer to a form may have an address that takes POST only.
    """
    match = request.resolver_match
    if match is None or _can_be_read(match):
        return {"way_back": request.get_full_path()}
    return {"way_back": _above(request.path)}


def _above(path: str) -> str:
    """Return the nearest parent of this path that answers GET; the home page always does."""
    while path := path.rstrip("/").rpartition("/")[0] + "/":
        if path == "/":
            break
        try:
            if _can_be_read(resolve(path)):
                break
        except Resolver404:
            continue
    return path


def _can_be_read(match: ResolverMatch) -> bool:
    return "GET" in getattr(match.func, "methods", ("GET",))
