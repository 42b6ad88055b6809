"""Uploads to the one address that takes files: they go to disk, for users who have signed in.

`asgi_bridge` has read the request into a temporary file already. Django's own handlers would keep a small file in
memory, and a large one under a name, which stays when the process is killed.
"""

from tempfile import TemporaryFile
from typing import IO, Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, parse_cookie

from scorekeeper.http.asgi_bridge import MAX_FILE, Environ, Uploads

#: The address that takes files, and the characters of a text that is pasted there.
PATH: Final = "/import/"
MAX_PASTED: Final = 250_000
MULTIPART: Final = "multipart/form-data"


def uploads() -> Uploads:
    """Return the settings of uploads for the bridge."""
    return Uploads(PATH.encode(), settings.DATA, user_of)


def user_of(environ: Environ) -> str | None:
    """Return the key of the user who has signed in by the request's cookie, None if there is none.

    The cookie's signature is checked, and not whether the user is still active: the view does that.
    """
    cookie = parse_cookie(environ.get("HTTP_COOKIE", "")).get(settings.SESSION_COOKIE_NAME)
    return SessionStore(cookie).get(SESSION_KEY) if cookie else None


class ToDisk(FileUploadHandler):
    """Upload handler: the first file of a request goes to an unlinked temporary file, up to one byte above MAX_FILE."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if hasattr(self, "_file") or self.field_name != "file":
            raise SkipFile
        self._file: IO[bytes] = TemporaryFile(dir=settings.DATA)  # noqa: SIM115  # the request closes it
        self._size = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        kept = raw_data[: MAX_FILE + 1 - self._size]
        self._size += len(kept)
        self._file.write(kept)

    def file_complete(self, file_size: int) -> "UploadedFile[bytes]":
        self._file.seek(0)
        return UploadedFile(self._file, self.file_name, self.content_type, self._size)


def takes(request: HttpRequest) -> bool:
    """Return whether the request may bring a file, or paste a long text."""
    return request.method == "POST" and request.path_info == PATH
