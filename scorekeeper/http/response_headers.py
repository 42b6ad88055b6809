"""Headers set on every response: a mark that the app sent it, a request id, the permissions policy; and compression.

Scripts tell by the mark whether a proxy or a hotel's network answered instead. The id is new for each request; a user
can read it out from the 500 page, and the log has it beside the traceback.
"""

import secrets
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

#: Browser features that share.js and wake_lock.js use. (Sharing is allowed unless denied; Chromium builds without
#: sharing or Bluetooth warn of their names; reading the clipboard asks the user.)
USED: Final = ("clipboard-write", "screen-wake-lock")
#: Features with which an injected script could spy or spend. Every page carries the list, so it is short: nothing is
#: framed, and no third-party script is loaded.
CAMERA: Final = "camera"  # scan_link.js uses it, on one page
UNUSED: Final = (CAMERA, "geolocation", "microphone", "payment", "usb")


def policy(*used: str) -> str:
    """Return the permissions policy of a page that uses these features besides those that every page may use."""
    return ", ".join(f"{name}={'(self)' if name in (*USED, *used) else '()'}" for name in (*USED, *UNUSED))


POLICY: Final = policy()


def request_id(request: object) -> str:
    """Return the request's id; '' for an object that is no request, or has none yet."""
    return getattr(request, "id", "")


def set_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        request.id = secrets.token_hex(4)  # type: ignore[attr-defined]
        response = get_response(request)
        response["X-Scorekeeper"] = "1"
        response["X-Request-ID"] = request_id(request)
        if not response.streaming and not response.content:
            del response["Content-Security-Policy"]  # there is no page for it to apply to
        elif response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Permissions-Policy", POLICY)
        if "X-Act" in request.headers and "Location" in response.headers:
            _pass_redirect_to_script(response)
        return response

    return middleware


def _pass_redirect_to_script(response: HttpResponse) -> None:
    """Answer a script's form with X-Location: a browser follows a redirect without telling the script."""
    response["X-Location"] = response["Location"]
    del response["Location"]
    response.status_code = 200


# --- Compression ---


def uncompressed(response: HttpResponse) -> HttpResponse:
    """Mark the response as one that holds a secret, and return it."""
    response.holds_secret = True  # type: ignore[attr-defined]
    return response


class Compression(GZipMiddleware):
    """Middleware: Django's gzip; pages with a constant secret stay uncompressed.

    An attacker who can make a phone request a page, put text of his own into it and watch the length of the response
    could guess such a secret from how well the page compresses (BREACH). Django defends against that with a random name
    in each gzipped response and a fresh mask over each CSRF token; invite links, shown in plain text, have no such
    defence.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if getattr(response, "holds_secret", False):
            return response
        return super().process_response(request, response)
