"""Middleware for a server behind a proxy: Django's own, with what they lack for hosts that a proxy names otherwise."""

import logging
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware import common, security

#: The health checks' paths.
HEALTH: Final = ("/healthz", "/healthz/ready")
logger = logging.getLogger(__name__)


class SecurityMiddleware(security.SecurityMiddleware):
    """Log the first redirect to HTTPS that leads back here: X-Forwarded-Proto is missing, or not to be trusted."""

    _is_logged = False

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        redirect = super().process_request(request)
        says_so = settings.PROXY and "X-Forwarded-Proto" in request.headers
        if redirect and not self._is_logged and not says_so:
            self._is_logged = True
            remedy = "the proxy must set X-Forwarded-Proto" if settings.PROXY else "set SCOREKEEPER_PROXY=true"
            logger.warning("A page was redirected to HTTPS and will be for ever, if it came by HTTPS: %s.", remedy)
        return redirect


class CommonMiddleware(common.CommonMiddleware):
    """Let health checks through by any host name: a monitor or a container asks by address."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in HEALTH else super().process_request(request)
