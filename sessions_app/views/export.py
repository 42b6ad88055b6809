"""Downloads of a session, or of a circle with all its sessions."""

from collections.abc import Iterable
from functools import cache
from typing import IO, Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.downloads import Download, download, file_name, in_time
from sessions_app.faces import FACES
from sessions_app.models import Evening, Repayment, Role
from sessions_app.readers.book import document
from sessions_app.readers.book.exported import evenings_of_circle, exported, most_seats_of_circle
from sessions_app.readers.money.repayments import RepaymentRow, rows_among, rows_of
from sessions_app.readers.people.circles import name_of, players_of
from sessions_app.words import exports
from sessions_app.words.exports import write_workbook

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@page(Role.VIEWER, "GET", dear=True)
def evening_csv(request: EveningRequest) -> Download:
    evening = request.evening
    return _csv(request, _name(evening), [evening.pk], evening.seats.count())


@page(Role.VIEWER, "GET", dear=True)
def evening_xlsx(request: EveningRequest) -> Download:
    evening = request.evening
    paid = rows_among(Repayment.objects.filter(links__evening=evening.pk).order_by("pk"))
    return _xlsx(request, _name(evening), [evening.pk], evening.seats.count(), paid, is_demo=request.is_demo)


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
    return _json(request, _name(request.evening), document.of_evening(request.evening))


@circle_page(Role.VIEWER, "GET", dear=True)
def circle_json(request: CircleRequest) -> Download:
    return _json(request, _circle_name(request), document.of_circle(request.circle))


@page(ANYONE, "GET", "HEAD")
def schema(request: HttpRequest) -> HttpResponse:
    """Answer with the schema of the JSON documents."""
    return HttpResponse(_schema(), content_type="application/schema+json")


def _csv(request: HttpRequest, name: str, evenings: list[int], most_seats: int) -> Download:
    style = exports.HUNGARIAN if request.GET.get("style") == "hu" else exports.PLAIN

    def write(out: IO[bytes]) -> None:
        exports.write_hands(in_time(exported(evenings)), most_seats, style, out)

    return download(request, f"{name}.csv", "text/csv; charset=utf-8", write)


def _xlsx(
    request: HttpRequest,
    name: str,
    evenings: list[int],
    most_seats: int,
    payments: Iterable[RepaymentRow],
    *,
    is_demo: bool,
) -> Download:
    def write(out: IO[bytes]) -> None:
        write_workbook(in_time(exported(evenings)), most_seats, payments, out, is_demo=is_demo)

    return download(request, f"{name}.xlsx", XLSX, write, packed=True)


def _json(request: HttpRequest, name: str, parts: Iterable[bytes]) -> Download:
    def write(out: IO[bytes]) -> None:
        out.writelines(in_time(parts))

    return download(request, f"{name}.json", "application/json", write)


@cache
def _schema() -> bytes:
    return document.SCHEMA.read_bytes()


def _name(evening: Evening) -> str:
    """Return the name of a session's file, without its ending."""
    title = evening.title or str(FACES[evening.game_key].name)
    return file_name(title, timezone.localdate(evening.started_at).isoformat())


def _circle_name(request: CircleRequest) -> str:
    """Return the name of a circle's file, without its ending."""
    circle = request.circle
    return file_name(name_of(circle, () if circle.name else players_of(circle)), timezone.localdate().isoformat())
