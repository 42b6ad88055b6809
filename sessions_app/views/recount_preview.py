"""What it would change in the hands after it to correct a hand, strike it out or restore it: said before it is done."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.games.base import Account, Amount
from scorekeeper.games.payment_game import PAID
from sessions_app.faces import house_rules
from sessions_app.hand_facts import Facts, Rewritten
from sessions_app.models import Action, Evening, Hand
from sessions_app.readers.hand_counts import playing, sheet_of, summed, won_by_seat
from sessions_app.readers.people import sums, sums_of
from sessions_app.readers.replay import Change, count_forward

#: So many later hands are shown one by one: a form is no sheet.
MOST_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Figure:
    """What a seat has and would have; None where it sits out."""

    was: Amount | None
    will_be: Amount | None

    @property
    def changes(self) -> bool:
        return self.was != self.will_be


@dataclass(frozen=True, slots=True)
class Later:
    """A later hand that would come to something else: to other points, or to other entries for the same."""

    number: int
    figures: tuple[Figure, ...]
    entries: tuple[Rewritten, ...] = ()


@dataclass(frozen=True, slots=True)
class Forward:
    """The later hands that would change, the balances with it, and what the evening would then be reminded of.

    `objections` say which agreed entries could not be recorded any more then, and stand all the same. `hands` are the
    first of them, `count` is how many there are; `reminder` is '' where that stays as it is. `action` is what would be
    done: amend, void or restore.
    """

    action: Action
    hands: tuple[Later, ...]
    count: int
    balances: tuple[Figure, ...]
    objections: tuple[str, ...]
    reminder: str
    is_over_no_more: bool

    @property
    def more(self) -> int:
        """How many are not among those shown."""
        return self.count - len(self.hands)


def forward(
    evening: Evening, number: int, names: Sequence[str], *, facts: Facts | None = None, is_void: bool | None = None
) -> Forward | None:
    """What would follow if the hand were corrected so, or struck out (`is_void`), or restored.

    None if nothing would, and where somebody has written since the evening was read: the hands are of another state
    then. Two queries for the hand, one for its standing, two for later ones if there are any, and one for the version.
    Raises GameError as the correction itself, and Hand.DoesNotExist.
    """
    hand = evening.hands.prefetch_related("entries").get(number=number)
    books, changes = count_forward(evening, hand, facts=facts, is_void=is_void)
    later = changes[1:]
    if not Evening.objects.filter(pk=evening.pk, version=evening.version).exists():
        return None
    after = sums(books.sheet)
    was, will_be = (
        house_rules.reminder(evening, names),
        house_rules.reminder_of(evening, after, books.hand_count, names),
    )
    rewritten = [change for change in later if change.has_other_entries]
    # What is corrected itself is counted beside the form, with all that is to be said of it.
    objections = tuple(_objections(evening, later if is_void is None else changes, names))
    if not rewritten and not objections and was == will_be:
        return None
    return Forward(
        Action.AMEND if is_void is None else Action.VOID if is_void else Action.RESTORE,
        tuple(_later(evening, change, len(names)) for change in rewritten[:MOST_SHOWN]),
        len(rewritten),
        tuple(_balances(evening, after, len(names))),
        objections[:MOST_SHOWN],
        will_be if will_be != was else "",
        bool(was and not will_be),
    )


def _objections(evening: Evening, changes: Sequence[Change], names: Sequence[str]) -> Iterator[str]:
    for change in changes:
        if change.objection and change.objection != change.objected:
            yield house_rules.objection(evening.game_key, change.hand.number, change.objection, names)


def _balances(evening: Evening, after: Mapping[Account, int], columns: int) -> Iterator[Figure]:
    seats = tuple(range(columns))
    was, will_be = (evening.game.balances(sheet, seats, evening.house) for sheet in (sums_of(evening), after))
    return (Figure(was[seat], will_be[seat]) for seat in seats)


def _later(evening: Evening, change: Change, columns: int) -> Later:
    hand: Hand = change.hand
    sheets = summed(row[:4] for row in change.before["entries"]), sheet_of(change.entries)
    won = (won_by_seat(evening, sheet, playing(evening, hand), columns) for sheet in sheets)
    return Later(hand.number, tuple(Figure(*pair) for pair in zip(*won, strict=True)), tuple(_rewritten(*sheets)))


def _rewritten(was: Mapping[Account, int], will_be: Mapping[Account, int]) -> Iterator[Rewritten]:
    """What is paid from seat to seat is told by who wins and loses; what the game writes elsewhere is not."""
    for account in dict.fromkeys((*was, *will_be)):
        pair = was.get(account, 0), will_be.get(account, 0)
        if account[0] != PAID and pair[0] != pair[1]:
            yield Rewritten(account, *pair)
