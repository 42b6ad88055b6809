"""The table view: the phone lies in the middle of the table, and each balance faces the player it belongs to."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from sessions_app.access import EveningRequest, page
from sessions_app.faces import open_hand_of
from sessions_app.models import Role
from sessions_app.readers import queries
from sessions_app.writers import following

TEMPLATE = "table_view.html"
#: The sides of the phone, clockwise as seen from above, from the one nearest to who holds it.
SIDES = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    following.touch(request.member)
    return render(request, TEMPLATE, _state(request))


@page(Role.VIEWER, "GET", "HEAD")
def live(request: EveningRequest) -> HttpResponse:
    """Answer 204 to a phone that has the evening's version `v`, else the balances as they are now."""
    following.touch(request.member)
    if request.GET.get("v") == str(request.version):
        return HttpResponse(status=204)
    return render(request, f"{TEMPLATE}#table", _state(request))


def _state(request: EveningRequest) -> dict[str, Any]:
    """The seats, each with the side of the phone that it is at, and the hand that is played, by four queries."""
    evening = request.evening
    seats = queries.seats_of(evening)
    names = [seat.name for seat in seats]
    open_hand = None if evening.has_ended else open_hand_of(evening, len(seats))
    turn = None if evening.has_ended else queries.turn(evening)
    if turn and open_hand:
        turn = queries.turn_of(evening.game, evening.sitting, open_hand.hand.dealer, open_hand.number)
    sides = SIDES[len(seats)]
    nearest = _nearest(request, seats)
    around = [(seat, sides[(seat.position - nearest) % len(seats)]) for seat in seats]
    return {
        "evening": evening,
        "around": around,
        "seats": seats,
        "names": names,
        "turn": turn,
        "open_hand": open_hand,
    }


def _nearest(request: EveningRequest, seats: tuple[queries.SeatView, ...]) -> int:
    """The seat of who holds this phone, if he plays; else the first."""
    holder = request.member.player
    return next((seat.position for seat in seats if holder and seat.name == holder.name), 0)
