"""The page of a session for paper: the first hand on top, room for signatures, and the marks explained."""

from django.http import HttpResponse
from django.shortcuts import render

from sessions_app.access import EveningRequest, page
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.faces import drawn_of, house_rules
from sessions_app.models import Role
from sessions_app.readers.evening import sheets
from sessions_app.readers.evening.seating import seats_of
from sessions_app.views.check import figure_and_address
from sessions_app.views.htmx import number_in


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def show(request: EveningRequest) -> HttpResponse:
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
