"""The WSGI application, which the server calls through scorekeeper.http.asgi_bridge."""

import os
from typing import Any, Final

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from scorekeeper.ops.data_dir import prepare

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
prepare()
application = get_wsgi_application()


#: Characters of a Content-Type that are read: a media type, and the boundary of a form with files.
MAX_CONTENT_TYPE: Final = 200


class Utf8Request(WSGIRequest):
    """A request that is decoded as UTF-8, whatever its Content-Type says: no parameter but the boundary is kept.

    Some of Python's codecs are no text encodings and some make lone surrogates; and Django reads that header before any
    middleware can catch an error.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        kind, *parameters = environ.get("CONTENT_TYPE", "")[:MAX_CONTENT_TYPE].split(";")
        boundary = [each for each in parameters if each.strip().lower().startswith("boundary=")]
        super().__init__({**environ, "CONTENT_TYPE": ";".join([kind, *boundary])})


application.request_class = Utf8Request
