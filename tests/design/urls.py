"""The addresses of the program and /design/: every component in its states, with a demo that is rolled back."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

from scorekeeper.games import GAMES
from sessions_app import urls as program
from sessions_app.faces import face_of, sample_evening
from sessions_app.models import Evening, User
from sessions_app.readers.evening import result, seating, sheets
from sessions_app.readers.evening.seating import names_of, seats_of
from sessions_app.readers.money import settling
from sessions_app.writers import demo

HERE = Path(__file__).parent
SIZES = ("t1", "t2", "t3", "t4", "t5", "t6")


def components(request: HttpRequest) -> HttpResponse:
    page = engines["django"].from_string((HERE / "page.html").read_text(encoding="utf-8"))
    with transaction.atomic():
        circle = demo.lay(User.new_guest())
        shown = _components([_game_components(evening) for evening in _of_each_game(circle.pk)])
        response = HttpResponse(page.render(shown, request))
        transaction.set_rollback(True)
    return response


def styles(request: HttpRequest) -> FileResponse:
    return FileResponse((HERE / "design.css").open("rb"), content_type="text/css")


def _of_each_game(circle_id: int) -> list[Evening]:
    latest = {evening.game_key: evening for evening in Evening.objects.filter(circle=circle_id).order_by("started_at")}
    return [latest[key] for key in GAMES]


def _game_components(evening: Evening) -> dict[str, Any]:
    """Return an evening of one game with all that its components draw."""
    names, seats = names_of(evening), seats_of(evening)
    turn, face = seating.turn(evening), face_of(evening)
    opened = {**face.form.PRESETS, "number": turn.number, "dealer": str(turn.dealer)}
    return {
        "evening": evening,
        "seats": seats,
        "names": names,
        "turn": turn,
        "sheet": sheets.sheet(evening, names),
        "settlement": settling.settlement(evening, face.debt_terms),
        "result": result.result_of(evening, seats),
        "curve": result.balance_curve(evening, len(seats)),
        "form": face.form.at(evening, names, initial=opened),
    }


def _components(evenings: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "evenings": evenings,
        "sample": sample_evening(),
        "colours": _colours(),
        "sizes": SIZES,
        "icons": _icons(),
        "cards": ("fan", "one", "stack", "dropped"),
        "tallies": (1, 4, 5, 12, 30),
    }


def _icons() -> list[str]:
    name = "components/icons.html"
    text = (settings.BASE_DIR / "templates" / name).read_text(encoding="utf-8")
    return [f"{name}#{icon}" for icon in re.findall(r"{% partialdef (\w+) %}", text)]


def _colours() -> list[str]:
    """Return the colours in the order of the tokens; the page's own stylesheet has a class for each."""
    tokens = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"--([a-z-]+): (?:var\(--light, )?#[0-9a-f]{6}[;)]", tokens)))


urlpatterns = [*program.urlpatterns, path("design/", components), path("design/design.css", styles, name="design-css")]
handler400, handler403 = program.handler400, program.handler403
handler404, handler500 = program.handler404, program.handler500
