"""What every page is given."""

from django.http import HttpRequest
from django.urls import Resolver404, resolve


def way_back(request: HttpRequest) -> dict[str, str]:
    """Where the language switch leads: this address if it can be read, else the nearest one above it that can.

    A page that answers a form may stand at an address that only takes forms.
    """
    if request.resolver_match is None or can_be_read(request.path):
        return {"way_back": request.get_full_path()}
    above = request.path
    while not can_be_read(above):
        above = above.rstrip("/").rpartition("/")[0] + "/"
    return {"way_back": above}


def can_be_read(path: str) -> bool:
    """Tell whether a page stands at this path; the home page always does."""
    try:
        return path == "/" or "GET" in getattr(resolve(path).func, "methods", ("GET",))
    except Resolver404:
        return False
