"""Settling up, ending and reopening an evening."""

from collections.abc import Iterable, Iterator

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sessions_app.access import EveningRequest, page
from sessions_app.faces import face_of, house_rules
from sessions_app.models import Role
from sessions_app.parsing import whole_number
from sessions_app.readers import evening_cache, evening_lists
from sessions_app.readers.settlements import Settlement
from sessions_app.settlement_text import as_text, is_one_way
from sessions_app.writers import evenings


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    settlement = _settlement(request)
    settled, is_over = house_rules.settled(request.evening, [seat.name for seat in settlement.seats])
    context = {
        "evening": request.evening,
        "settled": settled,
        "is_over": is_over,
        "settlement": settlement,
        "one_way": is_one_way(settlement),
        "text": as_text(request.evening, settlement),
        "cut": _as_asked(settlement.left_over.cut if settlement.left_over else ()),
        "may_write": request.member.may(Role.KEEPER),
        "next_session": evening_lists.next_after(request.evening),
    }
    return render(request, "settle/page.html", context)


def _settlement(request: EveningRequest) -> Settlement:
    """As the cards were cut: what the address says of that holds as far as it makes a difference."""
    evening, explain = request.evening, face_of(request.evening).debt_terms
    by_seats = evening_cache.settlement(evening, explain)
    cut = by_seats.cut_by(_cut(request))
    return evening_cache.settlement(evening, explain, cut) if cut else by_seats


def _cut(request: EveningRequest) -> Iterator[int]:
    """The seats that the address names, the highest card's first: `?cut=2,1` or `?cut=2&cut=1`."""
    for text in ",".join(request.GET.getlist("cut")).split(","):
        if (seat := whole_number(text)) is not None:
            yield seat


def _as_asked(cut: Iterable[int]) -> str:
    """The same once more, to be put behind an address."""
    said = ",".join(map(str, cut))
    return f"?cut={said}" if said else ""


@page(Role.KEEPER, "POST")
def end(request: EveningRequest) -> HttpResponse:
    evenings.end(request.evening.pk)
    return redirect(f"{reverse('settle', args=[request.evening.pk])}{_as_asked(_cut(request))}")


@page(Role.KEEPER, "POST")
def reopen(request: EveningRequest) -> HttpResponse:
    """Reopen the session, and go back to the hand that was to be corrected, if it was opened from one."""
    evenings.reopen(request.evening.pk)
    hand = whole_number(request.POST.get("hand", ""))
    if hand is not None:
        return redirect("hand", request.evening.pk, hand)
    return redirect("evening", request.evening.pk)
