"""A hand's page: its count explained, its payments and history; void, restore and mark it."""

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from scorekeeper.games.base import short_form
from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningEnded
from sessions_app.faces import face_of
from sessions_app.models import Hand, HandMark, Role
from sessions_app.readers.evening import hand_history, recount, seating, sheets
from sessions_app.readers.evening.hand_history import doubted_hands
from sessions_app.readers.people import members
from sessions_app.views.hand_form.recount_preview import recount_preview
from sessions_app.views.htmx import go, number_in
from sessions_app.writers import evenings, ledger


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest, number: int) -> HttpResponse:
    evening = request.evening
    hand = get_object_or_404(evening.hands.prefetch_related("entries"), number=number)
    seats = seating.seats_of(evening)
    names = [seat.name for seat in seats]
    row = sheets.row_of(evening, hand, names)
    by_user = members.names_by_user(evening.circle_id)
    before = number_in(request, "before")
    is_keeper, depends = request.member.may(Role.KEEPER), recount.has_standing(evening)
    may_write = is_keeper and not evening.has_ended
    context = {
        "evening": evening,
        "seats": seats,
        "names": names,
        "row": row,
        "sheet_place": sheets.place_of(evening, number),
        "counted": recount.count_of(evening, hand, len(names)),
        "entries_text": short_form(recount.sheet_of(hand.entries.all()), evening.game.accounts),
        "history": hand_history.history_of(evening, hand, names, by_user, request.member.user, before),
        "before": before,
        "pushes": hand_history.pushes_of_hand(row.written) if evening.in_chips else None,
        "doubts": [doubt for doubt in doubted_hands(evening, by_user) if doubt.number == number],
        "is_last": hand.number == evening.last_number,
        "is_keeper": is_keeper,
        "may_write": may_write,
        "may_correct": not hand.is_agreed or face_of(evening).corrects_agreed,
        "recount": recount_preview(evening, number, names, is_void=not hand.is_void) if may_write and depends else None,
    }
    return render(request, "hand/page.html", context)


@page(Role.KEEPER, "POST")
def void(request: EveningRequest, number: int) -> HttpResponse:
    return _after(request, number, ledger.void)


@page(Role.KEEPER, "POST")
def restore(request: EveningRequest, number: int) -> HttpResponse:
    return _after(request, number, ledger.restore)


@page(Role.KEEPER, "POST")
def mark(request: EveningRequest, number: int) -> HttpResponse:
    """Mark a hand with OK or Hm?, or settle the doubts about it; then redirect to the sheet."""
    said = request.POST.get("mark")
    if said == "settled":
        evenings.settle_doubts(request.evening.pk, number)
    elif said in HandMark.Kind.values:
        evenings.mark_hand(request.evening.pk, number, HandMark.Kind(said), by=request.member.user)
    else:
        return render(request, "errors/400.html", status=400)
    return go(request, reverse("evening", args=[request.evening.pk]))


def _after(request: EveningRequest, number: int, change: Callable[..., Hand]) -> HttpResponse:
    """Make the change, and redirect to where it was asked for: the sheet, or the hand's page."""
    evening = request.evening
    try:
        change(evening.pk, number, by=request.member.user)
    except EveningEnded:
        return render(request, "errors/evening_ended.html", {"evening": evening, "hand": number}, status=409)
    if "sheet" in request.POST:
        return go(request, reverse("evening", args=[evening.pk]) + f"?saved={number}")
    return go(request, reverse("hand", args=[evening.pk, number]))
