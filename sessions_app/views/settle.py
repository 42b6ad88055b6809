"""Settle up an evening, end it and reopen it."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render

from sessions_app.access import EveningRequest, no_news, page
from sessions_app.faces import face_of, house_rules
from sessions_app.models import Circle, Repayment, Role
from sessions_app.readers.book import lists
from sessions_app.readers.evening.result import balance_curve, remarkable_hands, result_of
from sessions_app.readers.money.lists import coin_of
from sessions_app.readers.money.repayments import since_paid, views_of, with_sessions
from sessions_app.readers.money.settling import Asked, Settlement, Settling, settlement, settling
from sessions_app.readers.people.circles import circle_at, players_of
from sessions_app.views.payment_notices import told_lately
from sessions_app.words.settlement_text import as_text
from sessions_app.words.wording import whole_number
from sessions_app.writers import evenings


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def show(request: EveningRequest) -> HttpResponse:
    circle = circle_at(request.evening.circle_id)
    by_sheet = settlement(request.evening, face_of(request.evening).debt_terms)
    settled, is_over = house_rules.settled(request.evening, [seat.name for seat in by_sheet.seats])
    context = {
        **_money(request, circle, by_sheet),
        "settled": settled,
        "is_over": is_over,
        "result": result_of(request.evening, by_sheet.seats),
        "names": [seat.name for seat in by_sheet.seats],
        "curve": balance_curve(request.evening, len(by_sheet.seats)),
        "remarkable": remarkable_hands(request.evening) if request.evening.has_ended else (),
        "neighbours": lists.neighbours_of(request.evening),
    }
    return render(request, "settle/page.html", context)


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def live(request: EveningRequest) -> HttpResponse:
    """Answer with the live part of the page, 204 while a phone has the latest version of it."""
    circle = circle_at(request.evening.circle_id)
    if unchanged := no_news(request, _version(request, circle)):
        return unchanged
    by_sheet = settlement(request.evening, face_of(request.evening).debt_terms)
    return render(request, "settle/page.html#money", _money(request, circle, by_sheet))


def _money(request: EveningRequest, circle: Circle, by_sheet: Settlement) -> dict[str, Any]:
    """Return the context of the live part of the page."""
    evening, asked, viewer = request.evening, _asked(request), request.member.user
    money = settling(circle, evening, players_of(circle), by_sheet, asked)
    may_still_change = money is None and not evening.in_chips
    latest_first = with_sessions(Repayment.objects.filter(links__evening=evening.pk).order_by("-pk"))
    paid = views_of(circle.pk, latest_first, viewer)
    rows = [view.row for view in paid if not view.row.is_undone]
    return {
        "evening": evening,
        "settlement": by_sheet,
        "money": money,
        "fewest": by_sheet.fewest(coin_of(circle, by_sheet.currency)) if may_still_change else (),
        "paid": paid,
        "since": since_paid(evening, [view.row for view in paid]),
        "told": told_lately(request, circle, viewer, money.shown if money else None),
        "text": as_text(
            evening, by_sheet, money, [(row.payer.name, row.payee.name, row.units, row.currency) for row in rows]
        ),
        "query": _query(money),
        "version": _version(request, circle),
        "may_write": request.member.may(Role.KEEPER),
    }


def _version(request: EveningRequest, circle: Circle) -> str:
    """Return a value that differs whenever a payment is booked, or a session ends or is changed."""
    return f"{request.evening.version}-{circle.ended_version}-{circle.repayment_version}"


def _asked(request: EveningRequest) -> Asked:
    """Return what the query asks for; `cut` has seats in the order of their cards: `?cut=2,1` or `?cut=2&cut=1`."""
    seats = map(whole_number, ",".join(request.GET.getlist("cut")).split(","))
    cut = tuple(seat for seat in seats if seat is not None)
    return Asked(request.GET.get("scope", ""), request.GET.get("way", ""), cut)


def _query(money: Settling | None) -> str:
    """Return the query under which the shown list is found again, '' for the one that is shown first."""
    if money is None:
        return ""
    cut = ",".join(map(str, money.cut.cut)) if money.cut else ""
    shows_all = money.has_two_scopes and money.shown is money.everything
    says = {"scope": "everything" if shows_all else "", "way": "pairs" if money.is_by_pairs else "", "cut": cut}
    return urlencode({name: value for name, value in says.items() if value}, safe=",")


@page(Role.KEEPER, "POST")
def end(request: EveningRequest) -> HttpResponse:
    evenings.end(request.evening.pk)
    return redirect("settle", request.evening.pk)


@page(Role.KEEPER, "POST")
def reopen(request: EveningRequest) -> HttpResponse:
    """Reopen the evening, and redirect to the `hand` that was to be corrected, if there is one."""
    evenings.reopen(request.evening.pk)
    hand = whole_number(request.POST.get("hand", ""))
    if hand is not None:
        return redirect("hand", request.evening.pk, hand)
    return redirect("evening", request.evening.pk)
