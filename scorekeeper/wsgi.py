"""What answers, as WSGI has it: the server asks it through scorekeeper.http.asgi_bridge."""

import os
from typing import Any

from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
application = get_wsgi_application()


class Utf8Request(WSGIRequest):
    """A request whose text is UTF-8, whatever its Content-Type says.

    Among Python's codecs are some that are no encodings and some that make half characters; and Django reads that
    header before there is anybody to catch what it raises.
    """

    @property
    def encoding(self) -> None:
        return None  # Django's default, which is UTF-8

    @encoding.setter
    def encoding(self, name: str) -> None:
        """Take no notice."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # unknown to the stubs
        except BadRequest:
            self.content_type, self.content_params = "", {}


application.request_class = Utf8Request
