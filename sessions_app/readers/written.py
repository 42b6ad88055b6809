"""What each hand of an evening has written, for a face that draws the sheet by itself: always two queries."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, QuerySet

from scorekeeper.games.base import Account, Sheet
from sessions_app.models import GameSession, HandEntry, Revision
from sessions_app.prepared import Row, Slot, prepared
from sessions_app.readers.counts import summed
from sessions_app.readers.people import sums_of

#: Of so many hands at most, the newest: an evening is seldom longer.
MOST: Final = 60
#: A hand is void by its latest revision; without one it stands.
_UNCHANGED: Final = (False, None)


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
    """The newest hands, the oldest of them first, but for those that never wrote anything.

    `before` is the sheet that they began from; `standing` the game's after the last of them, as the game writes it.
    """

    hands: tuple[HandWritten, ...]
    before: Sheet
    standing: str = ""


def written(evening: GameSession) -> Written:
    """What the newest hands have written: two queries."""
    asked = {"evening": evening.pk, "above": evening.last_number - MOST}
    hands = tuple(_hands(_entries.ask(**asked), _changed.ask(**asked)))
    return Written(hands, _less(sums_of(evening), hands), evening.standing)


def _hands(entries: Iterable[Row], changed: Iterable[Row]) -> Iterator[HandWritten]:
    amounts: dict[int, dict[Account, int]] = {}
    for number, account, seat, against, amount in entries:
        sums, of = amounts.setdefault(number, {}), (account, seat, against)
        sums[of] = sums.get(of, 0) + amount
    was = {number: (is_void, summed(entry[:4] for entry in before["entries"])) for number, is_void, before in changed}
    for number in sorted(amounts.keys() | was.keys()):
        now, (is_void, before) = amounts.get(number, {}), was.get(number, _UNCHANGED)
        if now or before:
            yield HandWritten(number, is_void, number in was, now, None if before == now else before)


def _less(sums: Mapping[Account, int], hands: Iterable[HandWritten]) -> Sheet:
    """The sheet without what these hands have written; what is nothing is left out."""
    left = dict(sums)
    for hand in hands:
        for account, amount in () if hand.is_void else hand.amounts.items():
            left[account] = left.get(account, 0) - amount
    return {account: amount for account, amount in left.items() if amount}


@prepared
def _entries(evening: Slot, above: Slot) -> QuerySet[HandEntry, Any]:
    entries = HandEntry.objects.filter(hand__game_session=evening, hand__number__gt=above).order_by()
    return entries.values_list("hand__number", "account", "seat", "against", "amount")


@prepared
def _changed(evening: Slot, above: Slot) -> QuerySet[Revision, Any]:
    """What each of the hands that have been changed was before its latest revision."""
    latest = Revision.objects.filter(number__gt=1, number=F("hand__revision_count"))
    latest = latest.filter(hand__game_session=evening, hand__number__gt=above).order_by()
    return latest.values_list("hand__number", "hand__is_void", "before")
