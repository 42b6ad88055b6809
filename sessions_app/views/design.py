"""The page of all components, for designers and developers. It exists only with DEBUG."""

import re
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.games import GAMES
from sessions_app.access import ANYONE, page
from sessions_app.faces import face_of, sample_evening
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, User
from sessions_app.readers.evening import balance_curve, next_deal, sheets
from sessions_app.readers.evening.balance_curve import BalanceCurve
from sessions_app.readers.evening.next_deal import Turn
from sessions_app.readers.evening.result import EveningResult, result_of
from sessions_app.readers.evening.seating import SeatView, names_of, seats_of
from sessions_app.readers.evening.sheets import Sheet
from sessions_app.readers.money import settlements
from sessions_app.readers.money.open_debts import open_debts
from sessions_app.readers.money.settlements import Settlement
from sessions_app.readers.money.settling import Settling, settling
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import demo

SIZES = ("t1", "t2", "t3", "t4", "t5", "t6")


@dataclass(frozen=True, slots=True)
class GameComponents:
    """An evening of one game with all that its components draw."""

    evening: Evening
    seats: tuple[SeatView, ...]
    names: list[str]
    turn: Turn
    sheet: Sheet
    settlement: Settlement
    left: Settling
    result: EveningResult
    curve: BalanceCurve
    form: HandForm


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    """Show each component in its states, with a demo that is rolled back. Raise Http404 without DEBUG."""
    if not settings.DEBUG:
        raise Http404
    with transaction.atomic():
        circle = demo.lay(User.new_guest())
        response = render(
            request,
            "design/page.html",
            _components([_game_components(evening) for evening in _of_each_game(circle.pk)]),
        )
        transaction.set_rollback(True)
    return response


def _of_each_game(circle_id: int) -> list[Evening]:
    latest = {evening.game_key: evening for evening in Evening.objects.filter(circle=circle_id).order_by("started_at")}
    return [latest[key] for key in GAMES]


def _game_components(evening: Evening) -> GameComponents:
    names = names_of(evening)
    turn, face = next_deal.turn(evening), face_of(evening)
    seats, settlement = seats_of(evening), settlements.settlement(evening, face.debt_terms)
    who = WhoOwes(evening.circle, open_debts(evening.circle), players_of(evening.circle))
    opened = {**face.form.PRESETS, "number": turn.number, "dealer": str(turn.dealer)}
    return GameComponents(
        evening,
        seats,
        names,
        turn,
        sheets.sheet(evening, names),
        settlement,
        settling(who, evening, settlement),
        result_of(evening, seats),
        balance_curve.balance_curve(evening, len(seats)),
        face.form.at(evening, names, initial=opened),
    )


def _components(evenings: list[GameComponents]) -> dict[str, Any]:
    return {
        "evenings": evenings,
        "sample": sample_evening(),
        "colours": _colours(),
        "sizes": SIZES,
        "icons": sorted(f"icons/{path.name}" for path in (settings.BASE_DIR / "templates/icons").glob("*.html")),
        "cards": ("fan", "one", "stack", "dropped"),
        "tallies": (1, 4, 5, 12, 30),
    }


def _colours() -> list[str]:
    """Return the colours in the order of the tokens; the page's own stylesheet has a class for each."""
    tokens = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"--([a-z-]+): #[0-9a-f]{6};", tokens)))
