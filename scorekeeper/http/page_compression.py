"""Compression middleware: Django's gzip; pages with a constant secret stay uncompressed.

An attacker who can make a phone request a page, put text of his own into it and watch the length of the response could
guess such a secret from how well the page compresses (BREACH). Django defends against that with a random name in each
gzipped response and a fresh mask over each CSRF token; invite links, shown in plain text, have no such defence.
"""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


def uncompressed(response: HttpResponse) -> HttpResponse:
    """Mark the response as one that holds a secret, and return it."""
    response.holds_secret = True  # type: ignore[attr-defined]
    return response


class Compression(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if getattr(response, "holds_secret", False):
            return response
        return super().process_response(request, response)
