"""Middleware for a server behind a proxy: Django's own, with what they lack for hosts that a proxy names otherwise."""

from typing import Final

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware import common

#: The health checks' paths.
HEALTH: Final = ("/healthz", "/healthz/ready")


class CommonMiddleware(common.CommonMiddleware):
    """Let health checks through by any host name: a monitor or a container asks by address."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in HEALTH else super().process_request(request)
