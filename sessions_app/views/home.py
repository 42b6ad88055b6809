"""The first page: go on, begin, look back."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sessions_app.access import ANYONE, page, visitor
from sessions_app.forms.session import SessionForm
from sessions_app.models import User
from sessions_app.readers import queries
from sessions_app.writers import demo

PAST_ON_HOME = 5


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    user = visitor(request)
    if user is None:
        return render(request, "home.html", {"is_first_visit": True})
    past, more = queries.past(user, size=PAST_ON_HOME)
    context: dict[str, Any] = {
        "running": queries.running(user),
        "past": past,
        "more": more,
        "again": _same_players(user),
    }
    shown = (*context["running"], *past)
    context["may_clear"] = any(card.is_demo for card in shown) and demo.may_clear(user)
    context["is_first_visit"] = not (context["running"] or past)
    return render(request, "home.html", context)


def _same_players(user: User) -> dict[str, object] | None:
    """A new session as the last ended: players, order, stake and house rules; who is next deals first."""
    last = queries.latest_evening(user)
    if last is None:
        return None
    names = {seat.position: seat.player.name for seat in last.seats.all()}
    return {
        **dict(zip(SessionForm.PLAYERS, (names[seat] for seat in last.sitting), strict=False)),
        "first_dealer": last.sitting.index(queries.turn(last).dealer) + 1,
        "stake": "" if last.stake is None else f"{last.stake.normalize():f}",
        "currency": last.currency,
        "game": last.game_key,
        "rules": last.rules,
        "token": uuid4(),
    }
