"""The evening's page, those for paper and for the middle of the table, and that of its check figure."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from sessions_app.access import ANYONE, EveningRequest, page, visitor
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.faces import drawn_of, face_of, hand_in_play_of, house_rules
from sessions_app.models import Evening, Role
from sessions_app.readers import check_figure
from sessions_app.readers.book import lists
from sessions_app.readers.evening import hand_history, seating, sheets
from sessions_app.readers.evening.hand_history import Push, doubted_hands, latest_news, with_agreed
from sessions_app.readers.evening.result import result_of
from sessions_app.readers.evening.seating import names_of, seats_of
from sessions_app.readers.evening.sheets import MOST_PRINTED, HandRow
from sessions_app.readers.people.members import followers, names_by_user, open_claim, players_to_choose_from
from sessions_app.views import past
from sessions_app.views.htmx import number_in


@page(Role.VIEWER, "GET", "HEAD", follows=True)
def show(request: EveningRequest) -> HttpResponse:
    before, is_whole = number_in(request, "before"), "all" in request.GET
    if is_whole and before is None:
        # For paper: the page stays as it is while others play on.
        before = request.evening.last_number + 1
    context = state(request, before, is_whole)
    context |= {"is_earlier": before is not None, "past_list": past.last_list(request)}
    return render(request, "evening/page.html", context)


@page(Role.VIEWER, "GET", "HEAD", follows=True, polls=True)
def live(request: EveningRequest) -> HttpResponse:
    """Answer with the part of the page that changes, for htmx to morph in."""
    return render(request, "evening/page.html#state", state(request))


def state(request: EveningRequest, before: int | None = None, is_whole: bool = False) -> dict[str, Any]:
    """Return the page's context, by a fixed number of queries; `is_whole`: with all hands, for paper."""
    evening = request.evening
    seats = seats_of(evening)
    names = [seat.name for seat in seats]
    if is_whole:
        sheet = sheets.sheet(evening, names, before, most=MOST_PRINTED)
    else:
        sheet = sheets.sheet(evening, names, before, number_in(request, "from"))
    by_user = names_by_user(evening.circle_id)
    return _latest_changes(request, sheet, names, by_user) | {
        "evening": evening,
        "seats": seats,
        "names": names,
        "turn": seating.turn(evening),
        "next_hand": None if evening.has_ended else house_rules.next_hand(evening),
        # The sheet as the game's players draw it; a page of earlier hands has only the list.
        "drawn": drawn_of(evening, seats) if before is None or is_whole else None,
        "sheet": with_agreed(evening, sheet, by_user),
        "before": before,
        "is_whole": is_whole,
        "may_write": request.member.may(Role.KEEPER),
        "may_announce": bool(face_of(evening).referee),
        "hand_in_play": hand_in_play_of(evening, len(seats)),
        "followers": followers(evening, request.member),
        "claim": open_claim(evening.circle_id),
        "to_choose_from": players_to_choose_from(evening, request.member),
        "house_rules": house_rules.describe(evening.game_key, evening.house),
        "reminder": house_rules.reminder(evening, names),
        "over": house_rules.over(evening, names),
        "result": result_of(evening, seats) if evening.has_ended else None,
        "neighbours": lists.neighbours_of(evening),
        "doubts": doubted_hands(evening, by_user),
    }


def _latest_changes(
    request: EveningRequest, sheet: sheets.Sheet, names: list[str], by_user: dict[int, str]
) -> dict[str, Any]:
    """Return the context of the hand this phone has just saved, of other phones' news and of the chips to push."""
    evening = request.evening
    number = number_in(request, "saved")
    # Only a number on this page: the rendered sheet is cached by its arguments.
    saved = next((row for row in sheet.rows if row.number == number), None)
    news = latest_news(evening, names, by_user, request.member.user)
    return {
        "saved": saved,
        "saved_pushes": _to_make_up(evening, saved),
        "counted_again": hand_history.counted_again(evening, number) if number else (),
        "news": news,
        "news_pushes": _to_make_up(evening, news.row if news else None),
        "pushes": hand_history.pushes_of_hand(sheet.rows[0].written) if evening.in_chips and sheet.rows else (),
    }


def _to_make_up(evening: Evening, row: HandRow | None) -> tuple[Push, ...]:
    """Return the pushes that make up for the latest change of a hand; one query, if it was ever changed."""
    if not (evening.in_chips and row and row.revision_count > 1):
        return ()
    return hand_history.pushes_of_latest_change(evening, row.number)


# --- For paper: the first hand on top, room for signatures, and the marks explained ---


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def on_paper(request: EveningRequest) -> HttpResponse:
    """Show the latest hands up to MOST_PRINTED; those before them by the number `before`."""
    evening, before = request.evening, number_in(request, "before")
    seats = seats_of(evening)
    names = [seat.name for seat in seats]
    sheet = sheets.sheet(evening, names, before, most=MOST_PRINTED)
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
