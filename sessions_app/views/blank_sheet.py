"""A blank sheet of a game for a table without phones, to be printed on one page."""

from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.games import GAMES
from sessions_app.access import ANYONE, page
from sessions_app.faces import FACES
from sessions_app.views.htmx import number_in

#: Rows on a sheet of A4; the style sheet leaves some of them out on A5.
ROWS: Final = range(1, 27)


class BlankSheet(NamedTuple):
    """The sheet of a table: its columns are the seats."""

    game_key: str
    seats: range


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show the sheet for the number of `players` in the query, by default the fewest; with the values by the book."""
    face = FACES.get(game_key)
    if face is None or face.rules_page is None or not face.has_blank_sheet:
        raise Http404
    counts, asked = GAMES[game_key].seat_counts, number_in(request, "players")
    players = asked if asked in counts else min(counts)
    context = {
        "game": face,
        "sheet": BlankSheet(game_key, range(players)),
        "counts": counts,
        "players": players,
        "rows": ROWS,
        "values": face.rules_page.values(GAMES[game_key].rules_from_text("")),
    }
    return render(request, "blank_sheet/page.html", context)
