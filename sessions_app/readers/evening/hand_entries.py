"""The entries of each hand of an evening, for a face that draws the sheet by itself: always two queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from scorekeeper.games.base import Account, Sheet
from sessions_app.models import Action, Evening, HandEntry, Revision
from sessions_app.readers.evening.hand_counts import summed
from sessions_app.readers.evening.seating import sums_of
from sessions_app.readers.evening.sheets import was_undone

#: The most hands read, the newest ones: an evening is seldom longer.
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class HandWritten:
    """The entries of a hand, summed by account; those of a void one are stored, and do not count.

    `was` are the sums that counted before its latest change, None where they are the same or nothing was changed, and
    for a hand restored after a slip. `recorded` and `changed` are the evening's versions of these.
    """

    number: int
    is_void: bool
    amounts: Sheet
    was: Sheet | None = None
    recorded: int = 0
    changed: int = 0

    @property
    def counted(self) -> Sheet:
        return {} if self.is_void else self.amounts


@dataclass(frozen=True, slots=True)
class Written:
    """The newest hands, the oldest of them first, without those that never wrote anything or were undone.

    `before` is the sheet before the first of them; `standing` the game's after the last of them, as the game writes it.
    """

    hands: tuple[HandWritten, ...]
    before: Sheet
    standing: str = ""


def written(evening: Evening) -> Written:
    """Return the entries of the newest hands: two queries."""
    asked = {"evening": evening.pk, "above": evening.last_number - MOST}
    hands = tuple(_hands(_entries(**asked), _revisions(**asked)))
    return Written(hands, _less(sums_of(evening), hands), evening.standing)


def _hands(entries: Iterable[Sequence[Any]], revisions: Iterable[Sequence[Any]]) -> Iterator[HandWritten]:
    amounts: dict[int, dict[Account, int]] = {}
    for number, account, seat, against, amount in entries:
        sums, of = amounts.setdefault(number, {}), (account, seat, against)
        sums[of] = sums.get(of, 0) + amount
    history: dict[int, list[Sequence[Any]]] = {}
    for number, *revision in revisions:
        history.setdefault(number, []).append(revision)
    for number, (first, *later) in sorted(history.items()):
        if later and _is_undone(first, later[0]):
            continue
        hand = HandWritten(number, first[1], amounts.get(number, {}), recorded=first[2] or 0)
        changed = replace(hand, was=_was(later[0], hand.counted), changed=later[0][2] or 0) if later else hand
        if changed.amounts or changed.was:
            yield changed


def _is_undone(first: Sequence[Any], latest: Sequence[Any]) -> bool:
    """Return whether the hand was undone soon after it was saved, and changed no more."""
    return latest[3] == Action.VOID and was_undone(first[-1], latest[-1])


def _was(latest: Sequence[Any], counted: Sheet) -> Sheet | None:
    """Return the sums of a hand that counted before this revision, None where they are the same."""
    _number, _is_void, _version, action, because_of, before, _made_at = latest
    if Action.RESTORE in (action, because_of):
        return None
    was = {} if before["is_void"] else summed(entry[:4] for entry in before["entries"])
    return None if was == counted else was


def _less(sums: Mapping[Account, int], hands: Iterable[HandWritten]) -> Sheet:
    """Return the sheet without the entries of these hands; sums of 0 are left out."""
    left = dict(sums)
    for hand in hands:
        for account, amount in hand.counted.items():
            left[account] = left.get(account, 0) - amount
    return {account: amount for account, amount in left.items() if amount}


def _entries(evening: int, above: int) -> QuerySet[HandEntry, Any]:
    entries = HandEntry.objects.filter(hand__evening=evening, hand__number__gt=above).order_by()
    return entries.values_list("hand__number", "account", "seat", "against", "amount")


def _revisions(evening: int, above: int) -> QuerySet[Revision, Any]:
    """Return each hand's first revision, and its latest if it was changed."""
    found = Revision.objects.filter(Q(number=1) | Q(number=F("hand__revision_count")))
    found = found.filter(hand__evening=evening, hand__number__gt=above).order_by("number")
    columns = ("hand__number", "number", "hand__is_void", "version", "action", "cause__action", "before", "made_at")
    return found.values_list(*columns)
