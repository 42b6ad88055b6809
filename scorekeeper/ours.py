"""Marks every answer as the program's own: what a proxy or a hotel's network says in its place is not marked."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def mark(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def marked(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["X-Scorekeeper"] = "1"
        if "X-Act" in request.headers and "Location" in response.headers:
            _tell_the_script(response)
        return response

    return marked


def _tell_the_script(response: HttpResponse) -> None:
    """Say where a form that a script has sent leads to: a browser follows a redirect without telling the script."""
    response["X-Location"] = response["Location"]
    del response["Location"]
    response.status_code = 200
