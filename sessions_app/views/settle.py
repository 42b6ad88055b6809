"""Settling up, ending and reopening an evening."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from sessions_app.access import EveningRequest, page
from sessions_app.faces import face_of, house
from sessions_app.models import Role
from sessions_app.readers import by_version
from sessions_app.settle_text import as_text, is_one_way
from sessions_app.writers import evenings


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    settlement = by_version.settlement(request.evening, face_of(request.evening).owed)
    settled, is_over = house.settled(request.evening, [seat.name for seat in settlement.seats])
    context = {
        "evening": request.evening,
        "settled": settled,
        "is_over": is_over,
        "settlement": settlement,
        "one_way": is_one_way(settlement),
        "text": as_text(request.evening, settlement),
        "may_write": request.member.may(Role.KEEPER),
    }
    return render(request, "settle.html", context)


@page(Role.KEEPER, "POST")
def end(request: EveningRequest) -> HttpResponse:
    evenings.end(request.evening.pk)
    return redirect("settle", request.evening.pk)


@page(Role.KEEPER, "POST")
def reopen(request: EveningRequest) -> HttpResponse:
    evenings.reopen(request.evening.pk)
    return redirect("session", request.evening.pk)
