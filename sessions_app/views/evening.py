"""The evening's page: balances, the next deal, the sheet."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from sessions_app.access import EveningRequest, page
from sessions_app.faces import drawn_of, face_of, hand_in_play_of, house_rules
from sessions_app.models import Evening, Role
from sessions_app.readers.book import lists
from sessions_app.readers.evening import hand_history, seating, sheets
from sessions_app.readers.evening.hand_history import Push, doubted_hands, latest_news, with_agreed
from sessions_app.readers.evening.result import result_of
from sessions_app.readers.evening.seating import seats_of
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
    context |= {"is_earlier": before is not None, "past_list": past.last_list(request), "is_demo": request.is_demo}
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
