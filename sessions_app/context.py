"""What every page is given."""

from django.http import HttpRequest
from django.urls import reverse


def way_back(request: HttpRequest) -> dict[str, str]:
    """Where the language switch leads: this address if it can be read, else the evening, else home.

    A page that answers a form may stand at an address that only takes forms.
    """
    match = request.resolver_match
    if match is None or "GET" in getattr(match.func, "methods", ("GET",)):
        return {"way_back": request.get_full_path()}
    if "evening_id" in match.kwargs:
        return {"way_back": reverse("session", args=[match.kwargs["evening_id"]])}
    return {"way_back": reverse("home")}
