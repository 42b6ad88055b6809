"""The page of a circle's player: results, name, mark, phones, other names of the same person; and his statements."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app.access import CircleRequest, circle_page
from sessions_app.errors import MarkTaken, MergeRefused, PlayerNameTaken
from sessions_app.forms.fields import NameForm
from sessions_app.models import MARK_COLOURS, MARK_SHAPES, Player, Role
from sessions_app.readers.book import lists
from sessions_app.readers.book.leaderboards import leaderboards
from sessions_app.readers.evening.edit import change_views
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.money.statement import Place, statement
from sessions_app.readers.people import circles
from sessions_app.readers.people.members import names_by_user
from sessions_app.readers.people.players import (
    NameConflict,
    history_of,
    is_alike,
    name_conflict,
    other_names,
    phones_of,
    player_of,
    table_mates,
)
from sessions_app.views.htmx import go, number_in
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import members, players


@circle_page(Role.VIEWER, "GET", "HEAD")
def show(request: CircleRequest, player_id: int) -> HttpResponse:
    """Show the player; redirect from another name of a person to the page of that person."""
    player = player_of(request.circle, player_id)
    if player.merged_into_id:
        return redirect("circle-player", request.circle.pk, player.merged_into_id)
    return _page(request, player)


@circle_page(Role.KEEPER, "POST")
def rename(request: CircleRequest, player_id: int) -> HttpResponse:
    player, form = player_of(request.circle, player_id), NameForm(request.POST)
    if form.is_valid():
        try:
            players.rename(request.circle.pk, player.pk, form.cleaned_data["name"], by=request.member.user)
            return _back(request, player_id)
        except PlayerNameTaken as taken:
            conflict = name_conflict(request.circle.pk, taken)
            form.add_error("name", name_taken(conflict))
            return _page(request, player, form=form, conflict=conflict, refused=conflict.refused, status=422)
    return _page(request, player, form=form, status=422)


@circle_page(Role.KEEPER, "POST")
def mark(request: CircleRequest, player_id: int) -> HttpResponse:
    """Save the mark, posted as its shape and its colour in one word, '' for none."""
    player, wanted = player_of(request.circle, player_id), request.POST.get("mark", "")
    shape, colour = wanted[:1], wanted[1:]
    if wanted and not (shape in MARK_SHAPES and colour in MARK_COLOURS):
        return _page(request, player, notice=_("Choose one of the options."), status=422)
    try:
        players.set_mark(request.circle.pk, player.pk, shape, colour)
    except MarkTaken:
        return _page(request, player, notice=_("Another player in this circle has this mark."), status=409)
    return _back(request, player_id)


@circle_page(Role.KEEPER, "POST")
def rest(request: CircleRequest, player_id: int) -> HttpResponse:
    """Save that the player plays no more, or plays again."""
    player = player_of(request.circle, player_id)
    players.set_plays_no_more(request.circle.pk, player.pk, request.POST.get("plays") == "no")
    return _back(request, player_id)


@circle_page(Role.KEEPER, "POST")
def mine(request: CircleRequest, player_id: int) -> HttpResponse:
    """Save that this phone is the player's."""
    members.set_player(request.member, player_of(request.circle, player_id).pk)
    return _back(request, player_id)


@circle_page(Role.KEEPER, "POST")
def merge(request: CircleRequest, player_id: int) -> HttpResponse:
    """Make the posted player another name of this one; redirect back, or to the edited `session` of the address."""
    player, by = player_of(request.circle, player_id), request.member.user
    answered = _with_other(request, player, lambda other: players.merge(request.circle.pk, player.pk, other, by=by))
    evening = number_in(request, "session")
    if answered.status_code == 302 and evening is not None:
        return go(request, reverse("evening-edit", args=[evening]))
    return answered


@circle_page(Role.KEEPER, "POST")
def unmerge(request: CircleRequest, player_id: int) -> HttpResponse:
    """Make the posted name a player again."""
    player, by = player_of(request.circle, player_id), request.member.user
    return _with_other(request, player, lambda other: players.unmerge(request.circle.pk, other, by=by))


def name_taken(conflict: NameConflict) -> str:
    """Return the error of a name that another player has; the ways to merge the two follow it, if there are any."""
    if conflict.ways:
        return _("That is another player. One person? Merge them: which name stays?")
    return _("Another player in this circle has this name. Add a letter to tell them apart.")


def _with_other(request: CircleRequest, player: Player, change: Callable[[int], None]) -> HttpResponse:
    """Make the change with the posted player and redirect back; answer 409 with the reason of a refusal."""
    other = whole_number(request.POST.get("other", ""), KEY_DIGITS)
    try:
        if other is None:
            raise Player.DoesNotExist
        change(other)
    except Player.DoesNotExist:
        return _page(request, player, notice=_("This player is not in this circle any more."), status=409)
    except MergeRefused as refused:
        return _page(request, player, refused=refused, status=409)
    return _back(request, player.pk)


def _sentence(refused: MergeRefused) -> str:
    return {
        "itself": _("A player cannot be merged into the same player."),
        "merged_already": _("One of the two is another name of somebody already. Separate these first."),
        "has_names": _("Other names are merged into this one. Separate these first, or merge the other way round."),
        "own_name": _("That is another name of this player already."),
        "one_table": _("Both sat at one table, so they are two people:"),
        "paid": _("One of the two has paid the other, so they are two people. Take the payment back first."),
    }[refused.code]


def _back(request: CircleRequest, player_id: int) -> HttpResponse:
    return redirect("circle-player", request.circle.pk, player_id)


def _page(
    request: CircleRequest,
    player: Player,
    form: NameForm | None = None,
    notice: str = "",
    refused: MergeRefused | None = None,
    conflict: NameConflict | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page: fifteen queries at most."""
    circle, everybody = request.circle, circles.players_of(request.circle)
    boards = leaderboards(circle, player.pk)
    met, history = table_mates(player), tuple(history_of(player))
    others = [other for other in everybody if other.id != player.pk and other.id not in met]
    context: dict[str, Any] = {
        "circle": circle,
        "circle_name": circles.name_of(circle, everybody),
        "player": player,
        "figures": [
            (board, kind, row)
            for kind, boards_of in (("points", boards.games), ("money", boards.money))
            for board in boards_of
            for row in board.rows
        ],
        "owed": payment_lists.of_player(circle, balances(circle.pk), player.pk),
        "evenings": lists.of_player(player.pk),
        "names": other_names(player),
        "likely": [other for other in others if is_alike(player.name, other.name)],
        "unlikely": [other for other in others if not is_alike(player.name, other.name)],
        "phones": phones_of(player),
        "marks": _marks(everybody, player),
        "history": change_views(history, names_by_user(circle.pk) if history else {}, request.member.user),
        "may_write": request.member.may(Role.KEEPER),
        "form": form or NameForm(initial={"name": player.name}),
        "notice": _sentence(refused) if refused else notice,
        "met": refused and refused.evening,
        "conflict": conflict,
    }
    return render(request, "circle_player/page.html", context, status=status)


def _marks(everybody: Sequence[circles.CirclePlayer], player: Player) -> list[tuple[str, str, str, bool]]:
    """Return the marks to choose from: shape, colour, the other player who has it ('': nobody), whether it is his."""
    owners = {(each.mark_shape, each.mark_colour): each.name for each in everybody if each.id != player.pk}
    own = {(each.mark_shape, each.mark_colour) for each in everybody if each.id == player.pk}
    return [(*mark, owners.get(mark, ""), mark in own) for mark in product(MARK_SHAPES, MARK_COLOURS)]


# --- The statement in a currency: why his balance is what it is ---


@circle_page(Role.VIEWER, "GET", "HEAD")
def show_statement(request: CircleRequest, player_id: int) -> HttpResponse:
    """Show a page of the statement; redirect from another name of a person to that person's."""
    player, currency = player_of(request.circle, player_id), request.GET.get("currency", "")
    if currency and not is_currency(currency):
        raise Http404
    if player.merged_into_id:
        address = reverse("statement", args=[request.circle.pk, player.merged_into_id])
        return redirect(f"{address}?{request.GET.urlencode()}")
    after = Place.from_text(request.GET.get("after", ""))
    found = statement(player, currency, after)
    context = {
        "circle": request.circle,
        "circle_name": circles.name_of(request.circle, circles.players_of(request.circle)),
        "player": player,
        "statement": found,
        "is_first_page": after is None,
    }
    return render(request, "statement/page.html", context)
