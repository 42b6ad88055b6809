"""The page of a circle: who owes whom, its leaderboards, its latest evenings; its name, and the ways out of it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.text.names import name_key
from sessions_app.access import CircleRequest, circle_page, no_news
from sessions_app.base_forms import BoundedForm
from sessions_app.errors import CircleInUse, LastOwner
from sessions_app.forms.fields import LineField
from sessions_app.models import CIRCLE_NAME_LENGTH, Circle, Role
from sessions_app.readers.book import lists
from sessions_app.readers.book.leaderboards import leaderboards, with_players
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.balances import CircleBalances, balances
from sessions_app.readers.money.repayments import last_played_for
from sessions_app.readers.people import circles
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.readers.people.members import member_names, open_claim
from sessions_app.readers.people.players import likenesses
from sessions_app.transactions import stamp_of_running, versions_of
from sessions_app.views.payment_notices import told_lately
from sessions_app.words.settlement_text import reminder
from sessions_app.writers import circles as writer
from sessions_app.writers import members

#: Open balances that the page lists at once; with more, it lists one currency's, and a switch leads to the others.
MOST_BALANCES: Final = 40
#: Players on each leaderboard, besides that of the phone; all of them are on the page of statistics.
MOST_RANKED: Final = 10


class CircleNameForm(BoundedForm):
    name = LineField(max_length=CIRCLE_NAME_LENGTH, error_messages={"required": gettext_lazy("Enter a name.")})


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def show(request: CircleRequest) -> HttpResponse:
    return _page(request)


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def live(request: CircleRequest) -> HttpResponse:
    """Answer with the live part of the page, 204 while a phone has the latest version of it."""
    circle = request.circle
    if unchanged := no_news(request, _version(circle)):
        return unchanged
    players = circles.players_of(circle)
    name = _name(circle, players)
    return render(request, "circle/_who_owes.html", _money(request, players, name))


@circle_page(Role.KEEPER, "POST", dear=True)
def rename(request: CircleRequest) -> HttpResponse:
    form = CircleNameForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    writer.rename(request.circle.pk, form.cleaned_data["name"])
    return redirect("circle", request.circle.pk)


def _page(request: CircleRequest, form: CircleNameForm | None = None, status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries if nothing of it is cached."""
    circle, member = request.circle, request.member
    players = circles.players_of(circle)
    name = _name(circle, players)
    phones, more_phones = member_names(member)
    shown: dict[str, Any] = {
        "circle": circle,
        "name": name,
        "profiles": circles.profiles_of(circle.pk),
        "phones": phones,
        "more_phones": more_phones,
        "may_write": member.may(Role.KEEPER),
        "own": member.player_id,
        "is_owner": Role(member.role) is Role.OWNER,
        # Members, invites and house rules have their pages at an evening.
        "latest": lists.latest_key_of_circle(circle.pk),
        "form": form or CircleNameForm(initial={"name": name}),
    }
    context = (
        shown
        | _money(request, players, name)
        | {
            "key": _key(circle, players, shown) if status == 200 else None,
            "claim": open_claim(circle.pk),
            "body": SimpleLazyObject(lambda: _body(circle, players, shown)),
        }
    )
    return render(request, "circle/page.html", context, status=status)


def _name(circle: Circle, players: tuple[CirclePlayer, ...]) -> str:
    return circles.name_of(circle, players) or _("Circle")


def _key(circle: Circle, players: tuple[CirclePlayer, ...], shown: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """Return the key of all that the page shows. The versions have payments, and all evenings of the circle."""
    versions = versions_of(circle)
    if versions is None:
        return None
    profiles = tuple((each.game_key, each.name) for each in shown["profiles"])
    coins = tuple(sorted(circle.cash_coins.items()))
    others = (shown["more_phones"], shown["may_write"], shown["own"], shown["is_owner"])
    stamp = (versions, stamp_of_running(circle), players, coins)
    return (stamp, circle.name, profiles, shown["phones"], *others, timezone.localdate().year)


def _version(circle: Circle) -> str:
    """Return a value that differs whenever a payment is booked, or a session ends or is changed."""
    return f"{circle.ended_version}-{circle.repayment_version}"


def _money(request: CircleRequest, players: tuple[CirclePlayer, ...], name: str) -> dict[str, Any]:
    """Return the context of `circle/_who_owes.html`: ten queries at most.

    It has the lists of all currencies, or of one of them where all would be more than anybody reads.
    """
    circle = request.circle
    found, told = balances(circle.pk), told_lately(request, circle, request.member.user)
    currencies = found.open_currencies
    amounts = (amount for each in currencies for amount in found.of(each).values())
    asked = request.GET.get("currency", "")
    # A list that was asked for stays alone as its lines are paid: nothing else comes under the thumb.
    is_alone = asked in currencies or sum(map(bool, amounts)) > MOST_BALANCES
    is_one_of_many = is_alone and len(currencies) > 1
    asked = asked or (told.view.row.currency if told and told.is_answer else "")
    shown = [_one_of(currencies, asked, request, found)] if is_one_of_many else currencies
    owed = tuple(payment_lists.everything(circle, found, players, currencies=shown).values())
    return {
        "circle": circle,
        "name": name,
        "version": _version(circle),
        "open": owed,
        "currencies": currencies if is_one_of_many else (),
        "query": urlencode({"currency": shown[0]}) if is_one_of_many else "",
        "is_settled": bool(found.by_currency) and not owed,
        "reminder": reminder(name, owed),
        "told": told,
        "may_write": request.member.may(Role.KEEPER),
    }


def _one_of(currencies: Sequence[str], asked: str, request: CircleRequest, found: CircleBalances) -> str:
    """Return the currency that is `asked` for; else the last one played for in which the phone's player is open."""
    if asked in currencies:
        return asked
    mine = [each for each in currencies if found.of(each).get(request.member.player_id or 0)] or currencies
    latest = last_played_for(request.circle.pk)
    return latest if latest in mine else mine[0]


def _body(circle: Circle, players: tuple[CirclePlayer, ...], shown: Mapping[str, Any]) -> dict[str, Any]:
    boards, evenings = leaderboards(circle), lists.of_circle(circle.pk)
    return {
        **shown,
        "circle_id": circle.pk,
        "is_demo": circle.is_demo,
        "points": with_players(boards.games, players, MOST_RANKED, shown["own"]),
        "money": with_players(boards.money, players, MOST_RANKED, shown["own"]),
        "others": [player for player in players if player.id not in boards.players],
        "likely": likenesses(players) if shown["may_write"] else (),
        "evenings": evenings,
        "year": evenings[0].month.year if evenings else "",
    }


# --- Ways out: to leave it, to archive it, to delete it ---


class TypedNameForm(BoundedForm):
    """The name of the circle, typed as a confirmation."""

    name = LineField(
        max_length=CIRCLE_NAME_LENGTH, error_messages={"required": gettext_lazy("Type the name of the circle.")}
    )


@circle_page(Role.VIEWER, "GET", "HEAD", "POST", closed_too=True)
def leave(request: CircleRequest) -> HttpResponse:
    if request.method != "POST":
        return _way_out(request, "circle_closing/leave.html")
    try:
        members.leave(request.member)
    except LastOwner:
        return _way_out(request, "circle_closing/leave.html", status=409)
    return redirect("home")


@circle_page(Role.OWNER, "GET", "HEAD", "POST", closed_too=True)
def archive(request: CircleRequest) -> HttpResponse:
    """Archive the circle, or open it again; then redirect to it."""
    if request.method != "POST":
        return _way_out(request, "circle_closing/archive.html")
    try:
        (writer.open_again if "open" in request.POST else writer.archive)(request.circle.pk)
    except CircleInUse:
        return _way_out(request, "circle_closing/archive.html", status=409)
    return redirect("circle", request.circle.pk)


@circle_page(Role.OWNER, "GET", "HEAD", "POST", closed_too=True)
def delete(request: CircleRequest) -> HttpResponse:
    """Delete the circle after a day, once its name was typed; then redirect to it."""
    if request.method != "POST":
        return _way_out(request, "circle_closing/delete.html")
    circle, form = request.circle, TypedNameForm(request.POST)
    if form.is_valid() and name_key(form.cleaned_data["name"]) != name_key(_name(circle, circles.players_of(circle))):
        form.add_error("name", _("This is not the name of the circle."))
    if not form.is_valid():
        return _way_out(request, "circle_closing/delete.html", form, status=422)
    writer.delete(circle.pk)
    return redirect("circle", circle.pk)


@circle_page(Role.OWNER, "POST", closed_too=True)
def undelete(request: CircleRequest) -> HttpResponse:
    writer.undelete(request.circle.pk)
    return redirect("circle", request.circle.pk)


def _way_out(
    request: CircleRequest, template: str, form: TypedNameForm | None = None, status: int = 200
) -> HttpResponse:
    """Render the page of a way out: nine queries at most."""
    circle = request.circle
    players = circles.players_of(circle)
    name = _name(circle, players)
    everything = payment_lists.everything(circle, balances(circle.pk), players).values()
    owners = circle.members.filter(role=Role.OWNER)
    context: dict[str, Any] = {
        "circle": circle,
        "name": name,
        "owed": reminder(name, everything),
        "form": form or TypedNameForm(),
        "is_running": circle.evenings.filter(ended_at=None).exists(),
        "is_only_owner": request.member.role == Role.OWNER and owners.count() == 1,
        "has_others": circle.members.exclude(pk=request.member.pk).exists(),
        "latest": lists.latest_key_of_circle(circle.pk),
    }
    return render(request, template, context, status=status)
