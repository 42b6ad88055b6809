"""The writer of evenings (start, end, reopen, remove), and of members' reactions to hands: OK, or Hm? for a doubt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from scorekeeper.games import DEFAULT, GAMES
from sessions_app.errors import CircleClosed, EveningTokenTaken, EveningUsed, NewCircleRefused
from sessions_app.models import Circle, Evening, HandMark, Member, Role, Seat, User, lineup_to_text, search_text
from sessions_app.readers.evening.edit import kept_by
from sessions_app.readers.evening.figures import stored_figures_of
from sessions_app.readers.evening.seating import evening_of
from sessions_app.readers.people.new_circles import require_new_circle
from sessions_app.transactions import (
    hold_circle,
    hold_circle_and_evening,
    hold_user,
    raise_ended_version,
    raise_version,
    writing,
)
from sessions_app.writers import circles, results
from sessions_app.writers.players import UNUSED, players_named


@dataclass(frozen=True, slots=True)
class Opening:
    """The data of a new evening: names clockwise, the first dealer's seat, and money per point if any.

    `rules` is the line of the game's house rules; they are saved in the circle under the name `keep_as`, if any.
    `in_chips` is for a game that pays per hand.
    """

    names: Sequence[str]
    first_dealer: int
    stake: Decimal | None = None
    currency: str = ""
    game_key: str = DEFAULT
    rules: str = ""
    keep_as: str = ""
    in_chips: bool = False


def start(opening: Opening, *, token: UUID, by: User, circle: Circle | None = None) -> Evening:
    """Start an evening and return it; a known token returns the evening that it started.

    It belongs to `circle`, or to a new circle of `by` alone. The caller must check that `by` may write to the circle:
    no circle is found by the players' names, which strangers share. The house rules are stamped on it, in their one
    spelling. Raise EveningTokenTaken for a token by which another user has started an evening, NewCircleRefused,
    CircleClosed, InvalidRules, HouseProfileRefused if the rules cannot be saved under that name, SamePerson if two
    names are one player's, and ValueError for players, a dealer or chips that the game does not know.
    """
    game = GAMES[opening.game_key]
    if opening.in_chips and not game.pays_per_hand:
        raise ValueError(f"the hands of {game.key} are not paid one by one")
    game.playing_seats(len(opening.names), opening.first_dealer)
    opening = replace(opening, rules=game.rules_to_text(game.rules_from_text(opening.rules)))
    try:
        return _start(opening, token, by, circle)
    except IntegrityError as taken:
        raise EveningTokenTaken from taken


@writing
def _start(opening: Opening, token: UUID, by: User, circle: Circle | None) -> Evening:
    # Two starts at once by one form wait for each other here, so that the second finds the evening of the first.
    by = hold_user(by.pk)
    known = Evening.objects.filter(token=token, circle__members__user=by).first()
    if known:
        return known
    circle = hold_circle((circle or new_circle(by)).pk)
    if circle.is_closed:
        raise CircleClosed
    if opening.keep_as:
        circles.save_profile(circle.pk, opening.game_key, opening.keep_as, opening.rules, by=by)
    players = players_named(circle, opening.names)
    evening = Evening.objects.create(
        circle=circle,
        token=token,
        game_key=opening.game_key,
        rules=opening.rules,
        first_dealer=opening.first_dealer,
        lineup=lineup_to_text(range(len(opening.names))),
        stake=opening.stake,
        currency=opening.currency if opening.stake else "",
        in_chips=opening.in_chips,
        search_text=search_text(circle.name, "", "", [player.name for player, _sat_as in players]),
    )
    for position, (player, sat_as) in enumerate(players):
        Seat.objects.create(evening=evening, position=position, player=player, sat_as=sat_as)
    return evening


def end(evening_id: int) -> None:
    """End an evening: it takes no hand until it is reopened. Ending it twice changes nothing."""
    # Counted before the evening is locked, as it takes the longer the more hands there are.
    evening = evening_of(evening_id)
    if not evening.has_ended:
        _end(evening_id, evening.version, stored_figures_of(evening))


@writing
def reopen(evening_id: int) -> None:
    """Reopen an ended evening: it takes hands again. Its result stays, until it ends again."""
    _circle, evening = hold_circle_and_evening(evening_id)
    if evening.has_ended:
        evening.ended_at = None
        raise_version(evening, "ended_at")
        results.drop_rollup(evening)


@writing
def remove(evening_id: int, *, by: User) -> None:
    """Delete an evening of which nothing counts, players of no other, and the circle if nothing else is in it.

    A player who holds a member's phone or has paid somebody stays as long as the circle does. A circle with payments
    stays. Raise EveningUsed, Evening.DoesNotExist.
    """
    circle, evening = hold_circle_and_evening(evening_id)
    if kept_by(evening):
        raise EveningUsed
    sat = list(evening.seats.values_list("player", flat=True))
    results.drop_rollup(evening)
    if evening.has_ended:
        raise_ended_version(Evening.objects.filter(pk=evening.pk))
    evening.delete()
    is_shared = circle.members.exclude(user=by).exists()
    circle.players.filter(pk__in=sat, merged_into=None, **UNUSED).delete()
    if not (is_shared or circle.evenings.exists() or circle.repayments.exists()):
        circle.delete()


@writing
def new_circle(owner: User, is_demo: bool = False, *, is_allowed: bool = False) -> Circle:
    """Create a circle with `owner` as its owner, and return it. Raise NewCircleRefused unless the caller `is_allowed`.

    The settings of the server say who may start one, or open a demo.
    """
    if is_demo and not is_allowed and not settings.DEMO:
        raise NewCircleRefused("demo")
    if not (is_demo or is_allowed):
        require_new_circle(owner)
    owner = hold_user(owner.pk)
    circle = Circle.objects.create(is_demo=is_demo)
    Member.objects.create(circle=circle, user=owner, role=Role.OWNER, to_be_asked=not is_demo)
    return circle


@writing
def _end(evening_id: int, version: int, figures: dict[str, Any]) -> None:
    """End an evening; `figures` are those of the version. They are counted anew if it was written to since."""
    _circle, evening = hold_circle_and_evening(evening_id)
    if evening.has_ended:
        return
    if evening.version != version:
        figures = stored_figures_of(evening)
    evening.ended_at = timezone.now()
    results.write_results(evening)
    raise_version(evening, "ended_at", "result_currency")
    results.write_rollup(evening, figures)


# --- Reactions ---


@writing
def mark_hand(evening_id: int, number: int, kind: HandMark.Kind, *, by: User) -> None:
    """Set a member's reaction to a hand as it stands, in place of an earlier one. Raise Hand.DoesNotExist."""
    _circle, evening = hold_circle_and_evening(evening_id)
    hand = evening.hands.get(number=number)
    said = {"kind": kind, "revision": hand.revision_count, "made_at": timezone.now(), "settled_at": None}
    HandMark.objects.update_or_create(hand=hand, user=by, defaults=said)
    raise_version(evening)


@writing
def settle_doubts(evening_id: int, number: int) -> None:
    """Settle the doubts about a hand: the circle has agreed that it stands. Raise Hand.DoesNotExist."""
    _circle, evening = hold_circle_and_evening(evening_id)
    doubted = evening.hands.get(number=number).marks.filter(kind=HandMark.Kind.HM, settled_at=None)
    if doubted.update(settled_at=timezone.now()):
        raise_version(evening)
