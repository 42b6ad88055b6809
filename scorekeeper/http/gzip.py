"""Pages go out compressed, but for those that hold a secret which is the same each time.

Who can make a phone ask for a page, have some text of his come back in it, and watch the length on the wire, could
guess such a secret from what the compression saves (BREACH). Django's answer to that is a name of random length in
each answer, and a mask over the token of each form that is new in each. What is left are secrets in plain view.
"""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


def uncompressed(response: HttpResponse) -> HttpResponse:
    """The answer, marked as one that holds a secret."""
    response.holds_secret = True  # type: ignore[attr-defined]
    return response


class Compression(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if getattr(response, "holds_secret", False):
            return response
        return super().process_response(request, response)
