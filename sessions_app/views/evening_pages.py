"""Pages of an evening besides its own: for paper, for the middle of the table, and that of its check figure."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from sessions_app.access import ANYONE, EveningRequest, page, visitor
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.faces import drawn_of, face_of, hand_in_play_of, house_rules
from sessions_app.models import Role
from sessions_app.readers import check_figure
from sessions_app.readers.evening import seating, sheets
from sessions_app.readers.evening.seating import names_of, seats_of
from sessions_app.views.htmx import number_in

# --- For paper: the first hand on top, room for signatures, and the marks explained ---


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def on_paper(request: EveningRequest) -> HttpResponse:
    """Show the latest hands up to MOST_PRINTED; those before them by the number `before`."""
    evening, before = request.evening, number_in(request, "before")
    seats = seats_of(evening)
    names = [seat.name for seat in seats]
    sheet = sheets.sheet(evening, names, before, most=sheets.MOST_PRINTED)
    # The figure is of all hands, so it stands below the last one.
    figure, address = figure_and_address(request) if before is None else ("", "")
    context = {
        "figure": figure,
        "address": address,
        "code": qr_code(address) if figure else None,
        "evening": evening,
        "seats": seats,
        "names": names,
        "rows": sheet.rows[::-1],
        "earlier": sheet.earlier,
        "is_earlier": before is not None,
        "drawn": drawn_of(evening, seats) if before is None else None,
        "house_rules": house_rules.describe(evening.game_key, evening.house),
        "is_demo": request.is_demo,
    }
    return render(request, "evening_print/page.html", context)


# --- The table view: the phone lies in the middle of the table, and each balance faces its player ---

TEMPLATE = "table_view/page.html"
#: The sides of the phone, clockwise as seen from above, from the one nearest to its holder.
SIDES = {
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top-left", "top-right", "right"),
}


@page(Role.VIEWER, "GET", "HEAD", follows=True)
def on_table(request: EveningRequest) -> HttpResponse:
    return render(request, TEMPLATE, _on_table(request))


@page(Role.VIEWER, "GET", "HEAD", follows=True, polls=True)
def on_table_live(request: EveningRequest) -> HttpResponse:
    """Answer with the part of the page that changes."""
    return render(request, f"{TEMPLATE}#table", _on_table(request))


def _on_table(request: EveningRequest) -> dict[str, Any]:
    """Return the seats, each with its side of the phone, and the hand in play, by four queries."""
    evening = request.evening
    seats = seats_of(evening)
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


# --- The check figure: whether the book still says what the sheet does, or which corrections came since ---


@page(ANYONE, "GET", "HEAD")
def check(request: HttpRequest, figure: str) -> HttpResponseBase:
    """Answer a member of the figure's circle. Any other visitor gets 404, and so does any other text."""
    user = visitor(request)
    evening = user and check_figure.evening_of(figure, user)
    if evening is None:
        raise Http404
    return _checked(request, evening_id=evening, figure=figure)


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def _checked(request: EveningRequest, figure: str) -> HttpResponse:
    evening = request.evening
    context = {"evening": evening, "names": names_of(evening), "checked": check_figure.check(evening, figure)}
    return render(request, "check/page.html", context)


def figure_and_address(request: EveningRequest) -> tuple[str, str]:
    """Return the check figure of the evening and the address of its page; '' and '' before the first hand."""
    if not request.evening.last_number:
        return "", ""
    figure = check_figure.figure_of(request.evening)
    return figure, request.build_absolute_uri(reverse("check", args=[figure]))
