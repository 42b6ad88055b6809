"""The table view: the phone lies in the middle of the table, and each balance faces the player it belongs to."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from sessions_app.access import EveningRequest, page
from sessions_app.faces import face_of, hand_in_play_of, house_rules
from sessions_app.models import Role
from sessions_app.readers.evening import seating

TEMPLATE = "table_view/page.html"
#: The sides of the phone, clockwise as seen from above, from the one nearest to its holder.
SIDES = {
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top-left", "top-right", "right"),
}


@page(Role.VIEWER, "GET", "HEAD", follows=True)
def show(request: EveningRequest) -> HttpResponse:
    return render(request, TEMPLATE, _state(request))


@page(Role.VIEWER, "GET", "HEAD", follows=True, polls=True)
def live(request: EveningRequest) -> HttpResponse:
    """Answer with the part of the page that changes."""
    return render(request, f"{TEMPLATE}#table", _state(request))


def _state(request: EveningRequest) -> dict[str, Any]:
    """Return the seats, each with its side of the phone, and the hand in play, by four queries."""
    evening = request.evening
    seats = seating.seats_of(evening)
    names = [seat.name for seat in seats]
    in_play = None if evening.has_ended else hand_in_play_of(evening, len(seats))
    turn = None if evening.has_ended else seating.turn(evening)
    if turn and in_play:
        turn = seating.turn_of(evening.game, evening.sitting, in_play.hand.dealer, in_play.number)
    table_figures = face_of(evening).table_figures
    around = _around(request, [seats[seat] for seat in evening.sitting])
    return {
        "evening": evening,
        "around": around,
        "seats": seats,
        "names": names,
        "turn": turn,
        "next_hand": house_rules.next_hand(evening) if turn else None,
        "hand_in_play": in_play,
        "table_figures": table_figures(evening, len(seats)) if table_figures else None,
    }


def _around(request: EveningRequest, sitting: list[seating.SeatView]) -> list[tuple[seating.SeatView, str]]:
    """Return the seats with their sides of the phone: its holder's is the nearest, else the first one."""
    holder, sides = request.member.player, SIDES[len(sitting)]
    nearest = next((at for at, seat in enumerate(sitting) if holder and seat.name == holder.name), 0)
    return [(seat, sides[at - nearest]) for at, seat in enumerate(sitting)]
