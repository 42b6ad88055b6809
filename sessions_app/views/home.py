"""The home page: running evenings, a new one, past ones; and the demo, to try things out."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, visitor, visitor_or_guest
from sessions_app.faces import sample_evening
from sessions_app.forms.evening_new import fields_after
from sessions_app.models import Circle, User
from sessions_app.readers.book import lists
from sessions_app.readers.book.leaderboards import leaderboards, with_players
from sessions_app.readers.evening import seating
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.people import new_circles
from sessions_app.readers.people.circles import CircleChoice, circle_at, circles_of, open_ones, players_of
from sessions_app.transactions import snapshot
from sessions_app.views import closed, errors
from sessions_app.views.past import remember_list
from sessions_app.writers import demo

PAST_ON_HOME = 5
#: Players on each leaderboard of a circle.
PLAYERS_ON_HOME = 5


@page(ANYONE, "GET", "HEAD")
@snapshot()
def show(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any]
    user = visitor(request)
    if user is None:
        return _page(request, None, {"sample": sample_evening(), "is_in_no_circle": True})
    remember_list(request, None)
    all_circles = circles_of(user)
    circles = open_ones(all_circles)
    past, more = lists.latest(circles, PAST_ON_HOME)
    context = {
        "running": lists.running(user),
        "past": past,
        "more": more,
        "again": _same_players(user),
        "circles": circles,
        "archived": [circle for circle in all_circles if circle.archived_at and not circle.deleted_from],
        "deleted": [circle for circle in all_circles if circle.deleted_from],
    }
    shown = (*context["running"], *past)
    context["may_clear"] = any(card.is_demo for card in shown) and new_circles.may_clear(user)
    # The first visit: a phone without any evening.
    context["sample"] = None if shown or len(circles) < len(all_circles) else sample_evening()
    context["is_in_no_circle"] = all(circle.is_demo for circle in all_circles)
    is_player = any(not card.is_demo for card in past)
    context["offers_key"] = user.is_guest and not user.wants_no_key and is_player
    context["only_circle"] = _only_circle(circles)
    owed = payment_lists.of_user(user)
    context["owed"] = [(circle, each) for circle in circles for each in owed.get(circle.id, ())]
    context["year"] = timezone.localdate(max(card.started_at for card in shown)).year if shown else ""
    return _page(request, user, context)


def _page(request: HttpRequest, user: User | None, context: dict[str, Any]) -> HttpResponse:
    why = new_circles.refusal(user) if context["is_in_no_circle"] else ""
    context |= {
        "may_begin": new_circles.may_start_session(user),
        "why_closed": closed.sentence(why) if why else "",
        "has_demo": settings.DEMO,
        "version": settings.VERSION,
        "server_name": settings.SERVER_NAME,
        "imprint": settings.IMPRINT,
    }
    return render(request, "home/page.html", context)


def _only_circle(circles: Sequence[CircleChoice]) -> dict[str, Any] | None:
    """Return the user's only circle and its leaderboards: seven queries, eleven at first; none for one of several."""
    if len(circles) != 1:
        return None
    (chosen,) = circles
    circle = circle_at(chosen.id)
    players, boards = players_of(circle), leaderboards(circle)
    return {
        "circle": chosen,
        "points": with_players(boards.games, players, PLAYERS_ON_HOME),
        "money": with_players(boards.money, players, PLAYERS_ON_HOME),
    }


def _same_players(user: User) -> dict[str, Any] | None:
    """Return the fields of a new evening like the last one, started in one tap, with its game and players.

    Its next dealer deals first.
    """
    last = lists.latest_evening(user)
    if last is None:
        return None
    names = seating.names_of(last)
    fields = fields_after(last, names, seating.turn(last).dealer, last.game_key, last.rules)
    return {"fields": fields, "game_key": last.game_key, "names": [names[seat] for seat in last.sitting]}


# --- The demo: a circle with a running evening and past ones ---


@page(ANYONE, "GET", "HEAD", "POST")
def show_demo(request: HttpRequest) -> HttpResponse:
    """Offer the demo; on POST join the one of the `key`, or make a new one for this visitor."""
    if not settings.DEMO:
        return closed.page(request, "demo")
    key = (request.POST if request.method == "POST" else request.GET).get("key", "")
    if request.method != "POST":
        return render(request, "demo/page.html", {"key": key})
    try:
        circle = _open_demo(request, key)
    except rate_limits.Later as refused:
        return errors.too_many_requests(request, refused, fields=[("key", key)])
    running = new_circles.running_evening(circle)
    return redirect("evening", running.pk) if running else redirect("past")


def _open_demo(request: HttpRequest, key: str) -> Circle:
    """Return the circle of this key with the visitor as a member, or a new demo. Raise rate_limits.Later."""
    rate_limits.check(rate_limits.DEMOS, request)
    if circle := new_circles.circle_of_key(key):
        rate_limits.count(rate_limits.DEMOS, request)
        if demo.join(key, visitor_or_guest(request)):
            return circle
    with rate_limits.turn_to_make_a_demo():
        rate_limits.count(rate_limits.DEMOS, request)
        return demo.lay(visitor_or_guest(request))


@page(ANYONE, "POST")
def clear_demos(request: HttpRequest) -> HttpResponse:
    """Delete the visitor's own demos; then redirect back to the list."""
    user = visitor(request)
    if user:
        demo.clear(user)
    return redirect("past" if "sessions" in request.POST else "home")
