"""The page of a circle: who owes whom, its leaderboards, its latest evenings, house rules and phones; and its name."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from sessions_app.access import CircleRequest, circle_page
from sessions_app.forms.circle import CircleNameForm
from sessions_app.models import Role
from sessions_app.readers import circles, evening_lists, house_profiles
from sessions_app.readers.circle_players import likenesses
from sessions_app.readers.leaderboards import leaderboards, with_players
from sessions_app.readers.members import members_of
from sessions_app.readers.open_debts import open_debts, written_since_paid
from sessions_app.readers.who_owes import OpenCurrency, WhoOwes
from sessions_app.settlement_text import reminder
from sessions_app.views.told_payment import told
from sessions_app.writers import circles as writer

#: The reminders of circles by what is open, their names and languages.
_reminders: LRUCache[str] = LRUCache(most=100)


@circle_page(Role.VIEWER, "GET", "HEAD")
def show(request: CircleRequest) -> HttpResponse:
    return _page(request)


@circle_page(Role.KEEPER, "POST")
def rename(request: CircleRequest) -> HttpResponse:
    form = CircleNameForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    writer.rename(request.circle.pk, form.cleaned_data["name"])
    return redirect("circle", request.circle.pk)


def _page(request: CircleRequest, form: CircleNameForm | None = None, status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries."""
    circle, member = request.circle, request.member
    players = circles.players_of(circle)
    boards = leaderboards(circle)
    debts = open_debts(circle)
    who = WhoOwes(circle, debts, players, written_since_paid(debts))
    owed = who.currencies()
    evenings = evening_lists.of_circle(circle.pk)
    name = circles.name_of(circle, players) or _("Circle")
    phones, more_phones = members_of(member)
    context: dict[str, Any] = {
        "circle": circle,
        "circle_id": circle.pk,
        "name": name,
        "open": owed,
        "reminder": _reminder(name, who, owed) if owed else "",
        "told": told(request, who, member.user) if status == 200 else None,
        "points": with_players(boards.games, players),
        "money": with_players(boards.money, players),
        "others": [player for player in players if player.id not in boards.players],
        "likely": likenesses(players) if member.may(Role.KEEPER) else (),
        "evenings": evenings,
        "year": evenings[0].month.year if evenings else "",
        "most": "",
        "profiles": house_profiles.of_circle(circle.pk),
        "phones": phones,
        "more_phones": more_phones,
        "may_write": member.may(Role.KEEPER),
        "form": form or CircleNameForm(initial={"name": name}),
        # Members, invites and house rules have their pages at an evening.
        "latest": evening_lists.latest_of_circle(circle.pk),
    }
    return render(request, "circle/page.html", context, status=status)


def _reminder(name: str, who: WhoOwes, owed: Sequence[OpenCurrency]) -> str:
    if who.stamp is None:
        return reminder(name, owed)
    return _reminders.get_or_make((who.stamp, name, get_language()), lambda: reminder(name, owed))
