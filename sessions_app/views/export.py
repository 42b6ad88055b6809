"""Downloads of a session, or of a circle with all its sessions.

Each is written to a temporary file in one snapshot, and sent after the snapshot was closed. So a client that is slow,
or stalls, holds neither the database nor a thread (scorekeeper.http.asgi_bridge), and memory does not grow with the
file. The length is known before it is sent: a browser tells a broken download from a whole one.
"""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Final, cast

from django.http import FileResponse, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from scorekeeper.http.asgi_bridge import PIECE
from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.dear_pages import TimeLeft
from sessions_app.faces import FACES
from sessions_app.models import Evening, Repayment, Role
from sessions_app.rate_limits import NotYet
from sessions_app.readers.book import document
from sessions_app.readers.book.exported import evenings_of_circle, exported, most_seats_of_circle
from sessions_app.readers.money.repayments import rows_of, with_sessions
from sessions_app.readers.people.circles import name_of, players_of
from sessions_app.words import exports

#: The most seconds that a file may take to be written: a circle of 1,000 sessions takes eight to eleven (measures.md).
SECONDS: Final = 60
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
    is_in_time = TimeLeft(SECONDS)
    for item in items:
        if not is_in_time():
            raise NotYet(SECONDS)
        yield item


def file_name(title: str, day: str) -> str:
    """Return a name for a file that every system takes, without its ending: 'Péntek & társai 1-2 2026-11-27'.

    The title is one of the app, whose characters can all be seen (`forms.fields.LineField`).
    """
    plain = " ".join(_RESERVED.sub(" ", re.sub(r"(?<=\w)[/\\|](?=\w)", "-", title)).split())
    return f"{plain[:NAME_LENGTH].strip(' .')} {day}".strip()


# --- The views ---

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@page(Role.VIEWER, "GET", dear=True)
def evening_csv(request: EveningRequest) -> Download:
    evening = request.evening
    return _csv(request, file_name_of_evening(evening), [evening.pk], evening.seats.count())


@page(Role.VIEWER, "GET", dear=True)
def evening_xlsx(request: EveningRequest) -> Download:
    evening = request.evening
    paid = with_sessions(Repayment.objects.filter(links__evening=evening.pk).order_by("pk"))
    return _xlsx(
        request, file_name_of_evening(evening), [evening.pk], evening.seats.count(), paid, is_demo=request.is_demo
    )


@circle_page(Role.VIEWER, "GET", dear=True)
def circle_csv(request: CircleRequest) -> Download:
    circle = request.circle
    return _csv(request, _circle_name(request), evenings_of_circle(circle.pk), most_seats_of_circle(circle.pk))


@circle_page(Role.VIEWER, "GET", dear=True)
def circle_xlsx(request: CircleRequest) -> Download:
    circle = request.circle
    evenings, most_seats = evenings_of_circle(circle.pk), most_seats_of_circle(circle.pk)
    return _xlsx(request, _circle_name(request), evenings, most_seats, rows_of(circle.pk), is_demo=circle.is_demo)


@page(Role.VIEWER, "GET", dear=True)
def evening_json(request: EveningRequest) -> Download:
    return _json(request, file_name_of_evening(request.evening), document.of_evening(request.evening))


@circle_page(Role.VIEWER, "GET", dear=True)
def circle_json(request: CircleRequest) -> Download:
    return _json(request, _circle_name(request), document.of_circle(request.circle))


@page(ANYONE, "GET", "HEAD")
def schema(request: HttpRequest) -> HttpResponse:
    """Answer with the schema of the JSON documents."""
    return HttpResponse(document.SCHEMA.read_bytes(), content_type="application/schema+json")


def _csv(request: HttpRequest, name: str, evenings: list[int], most_seats: int) -> Download:
    style = exports.HUNGARIAN if request.GET.get("style") == "hu" else exports.PLAIN
    write = partial(exports.write_hands, in_time(exported(evenings)), most_seats, style)
    return download(request, f"{name}.csv", "text/csv; charset=utf-8", write)


def _xlsx(
    request: HttpRequest,
    name: str,
    evenings: list[int],
    most_seats: int,
    payments: Iterable[Repayment],
    *,
    is_demo: bool,
) -> Download:
    write = partial(exports.write_workbook, in_time(exported(evenings)), most_seats, payments, is_demo=is_demo)
    return download(request, f"{name}.xlsx", XLSX, write, packed=True)


def _json(request: HttpRequest, name: str, parts: Iterable[bytes]) -> Download:
    def write(out: IO[bytes]) -> None:
        out.writelines(in_time(parts))

    return download(request, f"{name}.json", "application/json", write)


def file_name_of_evening(evening: Evening) -> str:
    """Return the name of a session's file, without its ending."""
    title = evening.title or str(FACES[evening.game_key].name)
    return file_name(title, timezone.localdate(evening.started_at).isoformat())


def _circle_name(request: CircleRequest) -> str:
    """Return the name of a circle's file, without its ending."""
    circle = request.circle
    return file_name(name_of(circle, () if circle.name else players_of(circle)), timezone.localdate().isoformat())
