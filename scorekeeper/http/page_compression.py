"""Compression middleware: Brotli, or gzip; pages with a constant secret stay uncompressed.

An attacker who can make a phone request a page, put text of his own into it and watch the length of the response could
guess such a secret from how well the page compresses (BREACH). Django defends against that with a random name in each
gzipped response and a fresh mask over each CSRF token; invite links, shown in plain text, have no such defence.

Brotli makes pages a tenth smaller in the same time. Browsers accept it by HTTPS only, and from their own machine.
"""

import re
import secrets
from typing import Final

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

#: Shorter responses are not worth it, as Django says of gzip.
LEAST: Final = 200
#: These take no longer than gzip on a page of 30 to 60 kB. A larger window takes longer to set up.
QUALITY, LGWIN = 5, 16
_ACCEPTS_BROTLI: Final = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


def uncompressed(response: HttpResponse) -> HttpResponse:
    """Mark the response as one that holds a secret, and return it."""
    response.holds_secret = True  # type: ignore[attr-defined]
    return response


class Compression(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if getattr(response, "holds_secret", False):
            return response
        accepts = _ACCEPTS_BROTLI.search(request.headers.get("Accept-Encoding", ""))
        # Django weakens the ETag of what it compresses.
        if accepts and isinstance(response, HttpResponse) and not response.has_header("ETag"):
            return _by_brotli(response, self.max_random_bytes)
        return super().process_response(request, response)


def _by_brotli(response: HttpResponse, max_random_bytes: int) -> HttpResponse:
    """Compress the response, with a header of random length, as the name in a gzipped one.

    What is immutable under its address has no secret of a phone in it, and goes without that header.
    """
    if len(response.content) < LEAST or response.has_header("Content-Encoding"):
        return response
    patch_vary_headers(response, ("Accept-Encoding",))
    response.content = brotli.compress(response.content, quality=QUALITY, lgwin=LGWIN)
    response["Content-Length"] = str(len(response.content))
    response["Content-Encoding"] = "br"
    if "immutable" not in response.get("Cache-Control", ""):
        response["X-Padding"] = "x" * secrets.randbelow(max_random_bytes)
    return response
