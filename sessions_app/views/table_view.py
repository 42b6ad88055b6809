"""The table view: the phone lies in the middle of the table, and each balance faces the player it belongs to."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from sessions_app.access import EveningRequest, page
from sessions_app.faces import face_of, house_rules, open_hand_of
from sessions_app.models import Role
from sessions_app.readers import next_deal, people

TEMPLATE = "table_view/page.html"
#: The sides of the phone, clockwise as seen from above, from the one nearest to who holds it.
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
    """Answer with the balances as they are now."""
    return render(request, f"{TEMPLATE}#table", _state(request))


def _state(request: EveningRequest) -> dict[str, Any]:
    """The seats, each with the side of the phone that it is at, and the hand that is played, by four queries."""
    evening = request.evening
    seats = people.seats_of(evening)
    names = [seat.name for seat in seats]
    open_hand = None if evening.has_ended else open_hand_of(evening, len(seats))
    turn = None if evening.has_ended else next_deal.turn(evening)
    if turn and open_hand:
        turn = next_deal.turn_of(evening.game, evening.sitting, open_hand.hand.dealer, open_hand.number)
    table_figures = face_of(evening).table_figures
    around = _around(request, [seats[seat] for seat in evening.sitting])
    return {
        "evening": evening,
        "around": around,
        "seats": seats,
        "names": names,
        "turn": turn,
        "next_hand": house_rules.next_hand(evening) if turn else None,
        "open_hand": open_hand,
        "table_figures": table_figures(evening, len(seats)) if table_figures else None,
    }


def _around(request: EveningRequest, sitting: list[people.SeatView]) -> list[tuple[people.SeatView, str]]:
    """Who sits there, each with the side of the phone: who holds it is the nearest, if he plays; else the first."""
    holder, sides = request.member.player, SIDES[len(sitting)]
    nearest = next((at for at, seat in enumerate(sitting) if holder and seat.name == holder.name), 0)
    return [(seat, sides[at - nearest]) for at, seat in enumerate(sitting)]
