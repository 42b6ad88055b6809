"""The result of an evening: its winners, duration, hands to remember, and its players' balances hand by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from scorekeeper.games.measures import Feat
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening.figures import MeasuredHand, best_of, played_hands, records_of
from sessions_app.readers.evening.seating import SeatView, sums_of

#: The longest time of play. An evening that was open for longer was ended days later, or the next morning.
LONGEST: Final = timedelta(hours=12)
#: The fewest minutes for a figure of hands an hour: an evening that is written down afterwards takes a few.
SHORTEST: Final = 15
#: The most remarkable hands that are shown.
MOST_SHOWN: Final = 5
#: The most hands read, the newest ones: the cost of a page is bounded however long the evening is.
MOST_READ: Final = 400


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result as an evening stands: `winners` have the highest `balance`; () where all are even.

    `hands` is how many count, `is_written` whether the sheet has any hand or agreed entry. `minutes` is None while the
    evening runs, and where the time between its start and its end is no time of play.
    """

    winners: tuple[str, ...]
    balance: Amount
    hands: int
    is_written: bool
    has_ended: bool
    minutes: int | None

    @property
    def hands_an_hour(self) -> int | None:
        """Return the hands an hour, rounded half up; None if the time is too short to tell, or the number 0."""
        if not self.hands or not self.minutes or self.minutes < SHORTEST:
            return None
        return (120 * self.hands + self.minutes) // (2 * self.minutes) or None


def result_of(evening: Evening, seats: Sequence[SeatView]) -> EveningResult:
    """Return the result by the seats' balances."""
    most = max(seat.balance for seat in seats)
    winners = tuple(seat.name for seat in seats if seat.balance == most) if most > 0 else ()
    return EveningResult(winners, most, evening.hand_count, evening.is_written, evening.has_ended, _minutes(evening))


def _minutes(evening: Evening) -> int | None:
    if evening.ended_at is None:
        return None
    taken = evening.ended_at - evening.started_at
    return int(taken.total_seconds()) // 60 or None if timedelta() <= taken <= LONGEST else None


@dataclass(frozen=True, slots=True)
class RemarkableHand:
    """A hand and the reasons to show it: its `feats`, and of the dearest hand its largest `amount` with its seat."""

    number: int
    feats: tuple[Feat, ...]
    seat: int | None = None
    amount: Amount = 0


def remarkable_hands(evening: Evening) -> tuple[RemarkableHand, ...]:
    """Return the remarkable hands of the evening: three queries."""
    (record,) = records_of([evening], above=max(0, evening.last_number - MOST_READ))
    return select(list(played_hands(record)))


def select(hands: Sequence[MeasuredHand]) -> tuple[RemarkableHand, ...]:
    """Return the dearest hand, and then those with the best feats, the rarest first; of equal ones the first hand."""
    best, selected = best_of(hands), dict[int, list[Feat]]()
    if best.dearest:
        selected[best.dearest.number] = []
    for feat, number, _times in best.feats:
        if number in selected or len(selected) < MOST_SHOWN:
            selected.setdefault(number, []).append(feat)
    return tuple(
        RemarkableHand(number, tuple(feats), best.dearest.seat, best.dearest.amount)
        if best.dearest and number == best.dearest.number
        else RemarkableHand(number, tuple(feats))
        for number, feats in selected.items()
    )


# --- Balances hand by hand ---


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
    rows = _entries(evening=evening.pk, above=evening.last_number - MOST_READ)
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
