"""What each hand of an evening has written, for a face that draws the sheet by itself: always three queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, QuerySet

from scorekeeper.games.base import Account, Sheet
from sessions_app.models import GameSession, Hand, HandEntry, Revision
from sessions_app.prepared import Slot, prepared
from sessions_app.readers.counts import summed
from sessions_app.readers.people import sums_of

#: So many hands at most, the newest: an evening is seldom longer.
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class HandWritten:
    """What a hand writes: its entries, summed by account; those of a void one are kept, and do not count.

    `was` is what it had written before its latest change, None where that is the same or nothing was changed.
    """

    number: int
    is_void: bool
    is_amended: bool
    amounts: Sheet
    was: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The newest hands, the oldest of them first; `before` is the sheet that they began from.

    `standing` is the game's after the last of them, as the game writes it.
    """

    hands: tuple[HandWritten, ...]
    before: Sheet
    standing: str = ""


def written(evening: GameSession) -> Written:
    """What the newest hands have written: three queries."""
    asked = {"evening": evening.pk, "above": evening.last_number - MOST}
    amounts = _by_hand(_entries.ask(**asked))
    before = {hand: summed(entry[:4] for entry in was["entries"]) for hand, was in _changed.ask(**asked)}
    hands = tuple(
        _hand(number, is_void, revisions > 1, amounts.get(pk, {}), before.get(pk))
        for pk, number, is_void, revisions in _hands.ask(**asked)
    )
    return Written(hands, _less(sums_of(evening), hands), evening.standing)


def _hand(number: int, is_void: bool, is_amended: bool, amounts: Sheet, was: Sheet | None) -> HandWritten:
    return HandWritten(number, is_void, is_amended, amounts, None if was == amounts else was)


def _by_hand(rows: Iterable[Any]) -> dict[int, Sheet]:
    found: dict[int, list[Any]] = {}
    for hand, *entry in rows:
        found.setdefault(hand, []).append(entry)
    return {hand: summed(entries) for hand, entries in found.items()}


def _less(sums: Mapping[Account, int], hands: Iterable[HandWritten]) -> Sheet:
    """The sheet without what these hands have written; what is nothing is left out."""
    left = dict(sums)
    for hand in hands:
        for account, amount in () if hand.is_void else hand.amounts.items():
            left[account] = left.get(account, 0) - amount
    return {account: amount for account, amount in left.items() if amount}


@prepared
def _hands(evening: Slot, above: Slot) -> QuerySet[Hand, Any]:
    hands = Hand.objects.filter(game_session=evening, number__gt=above).order_by("number")
    return hands.values_list("pk", "number", "is_void", "revision_count")


@prepared
def _entries(evening: Slot, above: Slot) -> QuerySet[HandEntry, Any]:
    entries = HandEntry.objects.filter(hand__game_session=evening, hand__number__gt=above).order_by("pk")
    return entries.values_list("hand", "account", "seat", "against", "amount")


@prepared
def _changed(evening: Slot, above: Slot) -> QuerySet[Revision, Any]:
    """What each of the hands that have been changed was before its latest revision."""
    latest = Revision.objects.filter(number__gt=1, number=F("hand__revision_count"))
    return (
        latest.filter(hand__game_session=evening, hand__number__gt=above).order_by("pk").values_list("hand", "before")
    )
