"""What stands on every answer: that it is the program's own, an id, and what a page of ours may ask of a phone.

What a proxy or a hotel's network says in its place is not marked. The id is new for each request: who sees that
something broke can read it out, and it stands in the log beside the traceback.
"""

import secrets
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

#: The features that share.js and wake_lock.js use. (A page may share unless that is denied. Where Chromium was built
#: without sharing or Bluetooth, it warns of their names. To read the clipboard it asks the user.)
USED: Final = ("clipboard-write", "screen-wake-lock")
UNUSED: Final = (
    *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media"),
    *("fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer"),
    *("microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get", "serial", "usb"),
    *("window-management", "xr-spatial-tracking"),
)
POLICY: Final = ", ".join([*(f"{name}=(self)" for name in USED), *(f"{name}=()" for name in UNUSED)])


def request_id(request: object) -> str:
    """The request's id; '' for what is no request, or has none yet."""
    return getattr(request, "id", "")


def mark(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def marked(request: HttpRequest) -> HttpResponse:
        request.id = secrets.token_hex(4)  # type: ignore[attr-defined]
        response = get_response(request)
        response["X-Scorekeeper"] = "1"
        response["X-Request-ID"] = request_id(request)
        if not response.streaming and not response.content:
            del response["Content-Security-Policy"]  # nothing is there that it could be of
        elif response.get("Content-Type", "").startswith("text/html"):
            response["Permissions-Policy"] = POLICY
        if "X-Act" in request.headers and "Location" in response.headers:
            _tell_the_script(response)
        return response

    return marked


def _tell_the_script(response: HttpResponse) -> None:
    """Say where a form that a script has sent leads to: a browser follows a redirect without telling the script."""
    response["X-Location"] = response["Location"]
    del response["Location"]
    response.status_code = 200
