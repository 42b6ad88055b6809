"""Downloads: each is written to a temporary file in one snapshot, and sent after the snapshot was closed.

So a client that is slow, or stalls, holds neither the database nor a thread (scorekeeper.http.asgi_bridge), and memory
does not grow with the file. The length is known before it is sent: a browser tells a broken download from a whole one.
"""

import gzip
import re
import time
from collections.abc import Callable, Iterable, Iterator
from tempfile import TemporaryFile
from typing import IO, Final, cast

from django.http import FileResponse, HttpRequest
from django.utils.cache import patch_vary_headers

from scorekeeper.http.asgi_bridge import PIECE
from sessions_app import dear_pages
from sessions_app.rate_limits import NotYet

#: The most seconds that a file may take to be written: a circle of 1,000 sessions takes eight to eleven (measures.md).
SECONDS: Final = 60
#: Seconds after which the writing of a file makes way for other dear pages.
SECONDS_ON_END: Final = 0.1
#: Characters of a title in a file's name: file systems take 255 bytes.
NAME_LENGTH: Final = 50
#: Characters that some system does not take in a name.
_RESERVED: Final = re.compile(r'[/\\|:*?"<>]+')


class Download(FileResponse):
    """Response with a file, read by the piece."""

    block_size = PIECE


def download(
    request: HttpRequest, name: str, content_type: str, write: Callable[[IO[bytes]], None], *, packed: bool = False
) -> Download:
    """Return the file that `write` writes, compressed for a browser that accepts it unless it is `packed` already."""
    zipped = not packed and "gzip" in request.headers.get("Accept-Encoding", "")
    # Not a spooled one: its `writelines` keeps all lines in memory.
    file = TemporaryFile()  # noqa: SIM115  # the response closes it
    try:
        if zipped:
            with gzip.open(file, "wb", compresslevel=6) as out:
                write(cast(IO[bytes], out))
        else:
            write(file)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    response = Download(file, as_attachment=True, filename=name, content_type=content_type)
    if zipped:
        response["Content-Encoding"] = "gzip"
    if not packed:
        patch_vary_headers(response, ["Accept-Encoding"])
    return response


def in_time[Item](items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and make way for other dear pages. Raise NotYet once they have taken more than SECONDS."""
    begin = made_way = time.monotonic()
    for item in items:
        now = time.monotonic()
        if now > begin + SECONDS:
            raise NotYet(SECONDS)
        if now > made_way + SECONDS_ON_END:
            dear_pages.make_way()
            made_way = time.monotonic()
        yield item


def file_name(title: str, day: str) -> str:
    """Return a name for a file that every system takes, without its ending: 'Péntek & társai 1-2 2026-11-27'.

    The title is one of the app, whose characters can all be seen (`forms.fields.LineField`).
    """
    plain = " ".join(_RESERVED.sub(" ", re.sub(r"(?<=\w)[/\\|](?=\w)", "-", title)).split())
    return f"{plain[:NAME_LENGTH].strip(' .')} {day}".strip()
