"""The payments that settle an evening: one query."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.games.base import Sheet
from scorekeeper.games.payment_game import PAID
from scorekeeper.money.fewest_payments import fewest_payments, one_after_the_other
from scorekeeper.money.settlement import Stake, left_to_the_cut
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView, seats_of, sums_of
from sessions_app.words.money import stake_of

#: Return the reason of the debt of a pair (debtor, creditor), by the sheet, the seats and the house rules: a frozen
#: value, in no language.
type Explain = Callable[[Sheet, tuple[int, int], tuple[int, ...], Any], Any]


@dataclass(frozen=True, slots=True)
class TransferView:
    """A suggested payment and its reason: the balances of the two before it, or their payments to each other.

    `points` are exact between two, and whole (or such as come to whole coins) in a payment to be made. `is_rounded`
    says that its points and its money differ slightly; the money is then to be paid. `why` is the game's own
    explanation, if any.
    """

    payer: SeatView
    payee: SeatView
    points: Amount
    money: Decimal | None
    paid: tuple[int, int] = (0, 0)
    received: tuple[int, int] = (0, 0)
    is_rounded: bool = False
    why: Any = None

    @property
    def cleared(self) -> tuple[SeatView, ...]:
        """Return those of the two who stand at zero after it, if their balances before it are given."""
        after = (self.payer, self.payer.balance + self.points), (self.payee, self.payee.balance - self.points)
        return tuple(seat for seat, balance in after if not balance)

    @property
    def is_of_hands(self) -> bool:
        """Return whether it comes from the payments between the two alone, and not from a share of something else."""
        return self.points == self.paid[0] - self.received[0]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Units that the fractions alone give to nobody: one each for the highest cards cut by the `equal` seats.

    `cut` are the seats that cut them, the highest first; `raised` are due a unit: those, then others in seat order.
    """

    units: int
    money: Decimal | None
    equal: tuple[SeatView, ...]
    cut: tuple[int, ...]

    @property
    def raised(self) -> tuple[SeatView, ...]:
        return (*(seat for at in self.cut for seat in self.equal if seat.position == at), *self._waiting)[: self.units]

    @property
    def to_cut(self) -> tuple[SeatView, ...]:
        """Return the seats that may have cut the next highest card; () where it makes no difference any more."""
        return self._waiting if len(self.cut) < self.units else ()

    @property
    def _waiting(self) -> tuple[SeatView, ...]:
        return tuple(seat for seat in self.equal if seat.position not in self.cut)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments that settle an evening: exact debts of pairs, and the fewest payments, in whole points or coins.

    Where there are fractions, `raised` are the seats due a whole unit for the largest of them, and `left_over` are the
    units then left to the cut. Pairs are in money only if all of theirs come to whole coins.
    """

    seats: tuple[SeatView, ...]
    pairwise: tuple[TransferView, ...]
    fewest: tuple[TransferView, ...]
    currency: str
    per_point: Decimal | None
    is_rounded: bool
    raised: tuple[SeatView, ...]
    left_over: LeftOver | None

    @property
    def pays_by_pairs(self) -> bool:
        """Return whether the debts between pairs can be paid as they are."""
        if self.per_point is None:
            return all(pair.points.denominator == 1 for pair in self.pairwise)
        return all(pair.money is not None for pair in self.pairwise)

    @property
    def best_first(self) -> tuple[SeatView, ...]:
        """Return the seats by their balances, the highest first; equal ones in their order."""
        return tuple(sorted(self.seats, key=lambda seat: (-seat.balance, seat.position)))

    def cut_by(self, asked: Iterable[int]) -> tuple[int, ...]:
        """Return the seats among `asked` that cut, each once, as far as it makes a difference."""
        if self.left_over is None:
            return ()
        equal = {seat.position for seat in self.left_over.equal}
        return tuple(dict.fromkeys(seat for seat in asked if seat in equal))[: self.left_over.units]


def settlement(evening: Evening, explain: Explain | None = None, cut: tuple[int, ...] = ()) -> Settlement:
    """Return the settlement; `cut` are the seats that have cut, as `cut_by` returns them. One query."""
    seats = seats_of(evening, cut=cut)
    stake = stake_of(evening.stake, evening.currency)
    exact = [stake.coins(seat.balance) if stake else seat.balance for seat in seats]
    is_rounded = any(seat.due != units for seat, units in zip(seats, exact, strict=True))
    left_over = _left_over(seats, exact, stake, cut)
    equal = left_over.equal if left_over else ()
    return Settlement(
        seats,
        tuple(_between_two(evening, seats, stake, explain)),
        tuple(_to_zero(seats, stake, in_money=bool(stake and is_rounded))),
        evening.currency,
        stake.money(1) if stake else None,
        is_rounded,
        tuple(seat for seat, units in zip(seats, exact, strict=True) if seat.due > units and seat not in equal),
        left_over,
    )


def _left_over(
    seats: Sequence[SeatView], exact: Sequence[Amount], stake: Stake | None, cut: tuple[int, ...]
) -> LeftOver | None:
    left = left_to_the_cut(exact)
    if left is None:
        return None
    money = stake.of_coins(left.units) if stake else None
    return LeftOver(left.units, money, tuple(seats[seat] for seat in left.seats), cut)


def _between_two(
    evening: Evening, seats: Sequence[SeatView], stake: Stake | None, explain: Explain | None
) -> Iterator[TransferView]:
    gross = {(payer, payee): total for (account, payer, payee), total in evening.sheet.items() if account == PAID}
    asked = sums_of(evening), tuple(seat.position for seat in seats), evening.house
    owed = evening.game.pairwise(*asked)
    # Debts rounded one by one would not add up to the payments.
    in_coins = stake and all(stake.coins(points).denominator == 1 for points in owed.values())
    for (payer, payee), points in owed.items():
        yield TransferView(
            seats[payer],
            seats[payee],
            points,
            stake.money(points) if stake and in_coins else None,
            gross.get((payer, payee), (0, 0)),
            gross.get((payee, payer), (0, 0)),
            why=explain(asked[0], (payer, payee), *asked[1:]) if explain else None,
        )


def _to_zero(seats: Sequence[SeatView], stake: Stake | None, *, in_money: bool) -> Iterator[TransferView]:
    """Yield the fewest payments, each of which clears a seat; the two of each have their balances before it."""
    unit = stake.coins(1) if stake else 1
    due = [seat.due for seat in seats]

    def before(position: int) -> SeatView:
        units = due[position]
        money = stake.of_coins(units) if stake else None
        return SeatView(position, seats[position].name, _points(units, unit), units, money)

    for payment in one_after_the_other(tuple(due), fewest_payments(due)):
        payer, payee, units = payment.payer, payment.payee, int(payment.points)
        points, money = _points(units, unit), stake.of_coins(units) if stake else None
        yield TransferView(before(payer), before(payee), points, money, is_rounded=in_money)
        due[payer] += units
        due[payee] -= units


def _points(units: int, unit: Amount) -> Amount:
    return simplified(Fraction(units) / unit)
