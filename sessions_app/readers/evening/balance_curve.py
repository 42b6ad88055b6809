"""The balances of an evening's players hand by hand: one query."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening.seating import sums_of

#: The most hands read, the newest ones: the cost of the page is bounded however long the evening is.
MOST: Final = 400


class Extreme(NamedTuple):
    """A seat's balance after the hand of this number."""

    seat: int
    balance: Amount
    number: int


@dataclass(frozen=True, slots=True)
class BalanceCurve:
    """Each seat's balance before the first of some hands, and after each of them.

    `numbers` are the hands that count, in the order of the sheet: played or agreed, neither void nor thrown in.
    `by_seat` has one sequence a seat, each with one balance more than there are hands.
    """

    numbers: tuple[int, ...]
    by_seat: tuple[tuple[Amount, ...], ...]

    @property
    def is_drawn(self) -> bool:
        """Return whether the curve is worth drawing: two hands or more, and not all balances zero."""
        return len(self.numbers) > 1 and any(map(any, self.by_seat))

    @property
    def after_each(self) -> tuple[tuple[Amount, ...], ...]:
        """Return each seat's balances after the hands, without the one before the first."""
        return tuple(balances[1:] for balances in self.by_seat)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Return the seats with the highest balance after the last hand; () where all are even."""
        return self._leaders_after(len(self.numbers))

    @property
    def led_since(self) -> int | None:
        """Return the number of the hand since which the same seats have led, None where nobody leads."""
        leaders, last = self.leaders, len(self.numbers)
        if not leaders:
            return None
        while last > 1 and self._leaders_after(last - 1) == leaders:
            last -= 1
        return self.numbers[last - 1]

    @property
    def is_led_throughout(self) -> bool:
        """Return whether the leaders have led since the first hand, so that the lead has never changed."""
        return self.numbers[:1] == (self.led_since,)

    @property
    def highest(self) -> Extreme:
        """Return the highest balance after a hand, the first of equal ones."""
        return self._first_with(max(map(max, self.after_each)))

    @property
    def lowest(self) -> Extreme:
        """Return the lowest balance after a hand, the first of equal ones."""
        return self._first_with(min(map(min, self.after_each)))

    def _leaders_after(self, hands: int) -> tuple[int, ...]:
        balances = [each[hands] for each in self.by_seat]
        most = max(balances)
        return tuple(seat for seat, balance in enumerate(balances) if balance == most) if any(balances) else ()

    def _first_with(self, balance: Amount) -> Extreme:
        """Return the first seat that has the balance after a hand, at the first hand after which it has it."""
        after = self.after_each
        hand, seat = min((after[seat].index(balance), seat) for seat in range(len(after)) if balance in after[seat])
        return Extreme(seat, after[seat][hand], self.numbers[hand])


def balance_curve(evening: Evening, columns: int) -> BalanceCurve:
    """Return the balances of the evening's newest hands, for so many seats: one query."""
    rows = _entries(evening=evening.pk, above=evening.last_number - MOST)
    hands = [(number, [tuple(row[1:]) for row in of_hand]) for number, of_hand in groupby(rows, key=itemgetter(0))]
    sums = _before(evening, rows)
    seats, game, house = tuple(range(columns)), evening.game, evening.house
    after = [game.balances(sums, seats, house)]
    for _number, entries in hands:
        for account, seat, against, amount in entries:
            # A hand that was passed out has one row without an entry.
            if account is not None:
                sums[account, seat, against] = sums.get((account, seat, against), 0) + amount
        after.append(game.balances(sums, seats, house))
    by_seat = tuple(tuple(balances[seat] for balances in after) for seat in seats)
    return BalanceCurve(tuple(number for number, _entries in hands), by_seat)


def _before(evening: Evening, rows: Iterable[Sequence[Any]]) -> dict[Account, int]:
    """Return the sheet before the first of these hands, without the accounts that were empty."""
    sums = sums_of(evening)
    for _number, account, seat, against, amount in rows:
        if account is not None:
            sums[account, seat, against] -= amount
    return {account: amount for account, amount in sums.items() if amount}


def _entries(evening: int, above: int) -> QuerySet[Hand, Any]:
    """Return each entry with its hand's number, and one row with nulls for a hand without entries."""
    hands = Hand.objects.filter(evening=evening, number__gt=above, is_void=False)
    hands = hands.exclude(kind=Hand.Kind.THROWN_IN).order_by("number")
    return hands.values_list("number", "entries__account", "entries__seat", "entries__against", "entries__amount")
