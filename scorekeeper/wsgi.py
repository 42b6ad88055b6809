"""The WSGI application, which the server calls through scorekeeper.http.asgi_bridge."""

import os
from typing import Any

from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from scorekeeper.ops import installation

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
installation.prepare()
application = get_wsgi_application()


class Utf8Request(WSGIRequest):
    """A request that is decoded as UTF-8, whatever its Content-Type says.

    Some of Python's codecs are no text encodings and some make lone surrogates; and Django reads that header before any
    middleware can catch an error.
    """

    @property
    def encoding(self) -> None:
        return None  # Django's default, which is UTF-8

    @encoding.setter
    def encoding(self, name: str) -> None:
        """Ignore any other encoding."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # unknown to the stubs
        except BadRequest:
            self.content_type, self.content_params = "", {}


application.request_class = Utf8Request
