"""Marks every answer as the program's own: what a proxy or a hotel's network says in its place is not marked."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def mark(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def marked(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["X-Scorekeeper"] = "1"
        return response

    return marked
