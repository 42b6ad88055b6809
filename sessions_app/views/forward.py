"""What a correction would change in the hands after it: said before it is saved."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.games.base import Account, Amount
from sessions_app.faces import house
from sessions_app.models import GameSession, Hand
from sessions_app.readers.counts import summed, won_by_seat
from sessions_app.readers.people import sums_of
from sessions_app.values import Facts
from sessions_app.writers.replay import Change, count_forward


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
    """A later hand that would come to something else."""

    number: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Forward:
    """The later hands that would change, the balances with it, and what the evening would then be reminded of.

    `reminder` is '' where that stays as it is.
    """

    hands: tuple[Later, ...]
    balances: tuple[Figure, ...]
    reminder: str
    is_over_no_more: bool


def forward(evening: GameSession, number: int, facts: Facts, names: Sequence[str]) -> Forward | None:
    """What would follow if the hand were corrected so; None if it were none. A query for the hand, two for later ones.

    Raises GameError, as the correction itself.
    """
    hand = evening.hands.prefetch_related("entries").get(number=number)
    books, (_first, *later) = count_forward(evening, hand, facts=facts)
    sums = {account: total.amount for account, total in books.sheet.items()}
    was, will_be = house.reminder(evening, names), house.reminder_of(evening, sums, books.hand_count, names)
    rewritten = tuple(_later(evening, change, len(names)) for change in later if change.has_other_entries)
    if not rewritten and was == will_be:
        return None
    seats = tuple(range(len(names)))
    before, after = (evening.game.balances(sheet, seats, evening.house) for sheet in (sums_of(evening), sums))
    return Forward(
        rewritten,
        tuple(Figure(before[seat], after[seat]) for seat in seats),
        will_be if will_be != was else "",
        bool(was and not will_be),
    )


def _later(evening: GameSession, change: Change, columns: int) -> Later:
    hand: Hand = change.hand

    def won(sheet: dict[Account, int]) -> tuple[Amount | None, ...]:
        return won_by_seat(evening, sheet, hand.sitting, hand.dealer, columns)

    before = won(summed((row[0], row[1], row[2], row[3]) for row in change.before["entries"]))
    after = won(summed((entry.account, entry.seat, entry.against, entry.amount) for entry in change.entries))
    return Later(hand.number, tuple(Figure(*pair) for pair in zip(before, after, strict=True)))
