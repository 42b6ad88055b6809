"""Settle up an evening, end it and reopen it."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from sessions_app.access import EveningRequest, page
from sessions_app.cached_templates import blanks, fill, render_by
from sessions_app.faces import face_of, house_rules
from sessions_app.models import Evening, Role
from sessions_app.readers.book import lists
from sessions_app.readers.evening.balance_curve import balance_curve
from sessions_app.readers.evening.result import remarkable_hands, result_of
from sessions_app.readers.money.open_debts import open_debts, written_since_paid
from sessions_app.readers.money.repayment_lists import views_of
from sessions_app.readers.money.settlements import Settlement, settlement
from sessions_app.readers.money.settling import settling
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.circles import circle_at, players_of
from sessions_app.views.repayments import told
from sessions_app.words.parsing import whole_number
from sessions_app.words.settlement_text import as_text, is_one_way
from sessions_app.writers import evenings


class SettledEvening(NamedTuple):
    """The values of the evening that the cached parts of the page show."""

    pk: int
    circle_id: int
    game_key: str
    has_stake: bool
    has_ended: bool
    hand_count: int


def _of(evening: Evening) -> SettledEvening:
    has_stake = evening.stake is not None
    return SettledEvening(
        evening.pk, evening.circle_id, evening.game_key, has_stake, evening.has_ended, evening.hand_count
    )


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def show(request: EveningRequest) -> HttpResponse:
    circle = circle_at(request.evening.circle_id)
    debts = open_debts(circle)
    who = WhoOwes(circle, debts, players_of(circle), written_since_paid(debts))
    key = _key(request, who)
    body = render_by(key, "settle/_body.html", lambda: {**_context(request, who), **blanks("csrf_token")})
    context = {
        "evening": request.evening,
        "may_write": request.member.may(Role.KEEPER),
        "is_demo": request.is_demo,
        "body": fill(body, {"csrf_token": get_token(request)}),
    }
    return render(request, "settle/page.html", context)


def _key(request: EveningRequest, who: WhoOwes) -> tuple[Hashable, ...] | None:
    """Return the key of all that the page shows; None where it names a member, or what the address or others add."""
    evening, is_plain = request.evening, not request.GET
    if who.stamp is None or evening.has_ended or not is_plain or who.debts.paid_for(evening.pk):
        return None
    written, may_write = who.written_since.get(evening.pk, ()), request.member.may(Role.KEEPER)
    return (who.stamp, evening.pk, evening.version, written, may_write, timezone.localdate().year)


def _context(request: EveningRequest, who: WhoOwes) -> dict[str, Any]:
    settlement = _settlement(request)
    left = settling(who, request.evening, settlement)
    settled, is_over = house_rules.settled(request.evening, [seat.name for seat in settlement.seats])
    return {
        "evening": request.evening,
        "of": _of(request.evening),
        "settled": settled,
        "is_over": is_over,
        "settlement": settlement,
        "result": result_of(request.evening, settlement.seats),
        "names": [seat.name for seat in settlement.seats],
        "curve": balance_curve(request.evening, len(settlement.seats)),
        "remarkable": remarkable_hands(request.evening) if request.evening.has_ended else (),
        "one_way": is_one_way(settlement),
        "text": as_text(request.evening, settlement, left, who.players),
        "left": left,
        "paid": views_of(who.circle.pk, reversed(left.paid), request.member.user),
        "told": told(request, who.circle, request.member.user),
        "cut": _cut_query(settlement.left_over.cut if settlement.left_over else ()),
        "may_write": request.member.may(Role.KEEPER),
        "neighbours": lists.neighbours_of(request.evening),
    }


def _settlement(request: EveningRequest) -> Settlement:
    """Return the settlement, with the cut cards of the query if they make a difference."""
    evening, explain = request.evening, face_of(request.evening).debt_terms
    by_seats = settlement(evening, explain)
    cut = by_seats.cut_by(_cut(request))
    return settlement(evening, explain, cut) if cut else by_seats


def _cut(request: EveningRequest) -> Iterator[int]:
    """Yield the seats of the query in the order of their cards, the highest first: `?cut=2,1` or `?cut=2&cut=1`."""
    for text in ",".join(request.GET.getlist("cut")).split(","):
        if (seat := whole_number(text)) is not None:
            yield seat


def _cut_query(cut: Iterable[int]) -> str:
    """Return the cut as a query string."""
    seats = ",".join(map(str, cut))
    return f"?cut={seats}" if seats else ""


@page(Role.KEEPER, "POST")
def end(request: EveningRequest) -> HttpResponse:
    evenings.end(request.evening.pk)
    return redirect(f"{reverse('settle', args=[request.evening.pk])}{_cut_query(_cut(request))}")


@page(Role.KEEPER, "POST")
def reopen(request: EveningRequest) -> HttpResponse:
    """Reopen the evening, and redirect to the `hand` that was to be corrected, if there is one."""
    evenings.reopen(request.evening.pk)
    hand = whole_number(request.POST.get("hand", ""))
    if hand is not None:
        return redirect("hand", request.evening.pk, hand)
    return redirect("evening", request.evening.pk)
