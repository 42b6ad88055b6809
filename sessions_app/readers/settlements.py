"""Who pays whom at the end: one query."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from scorekeeper.games.base import Amount
from scorekeeper.games.paying import PAID
from scorekeeper.settlement import Stake, fewest_payments
from sessions_app.models import GameSession
from sessions_app.money import stake_of
from sessions_app.readers.people import SeatView, seats_of, sums_of


@dataclass(frozen=True, slots=True)
class TransferView:
    """A suggested payment, and why: what the two stand at before it, or what they have paid each other.

    `points` are exact between two, and whole (or such as come to whole coins) where it is to be paid. `is_rounded` says
    that its points and its money are not quite the same; what is to be paid is the money then.
    """

    payer: SeatView
    payee: SeatView
    points: Amount
    money: Decimal | None
    paid: tuple[int, int] = (0, 0)
    received: tuple[int, int] = (0, 0)
    is_rounded: bool = False

    @property
    def is_of_hands(self) -> bool:
        """Whether it is what the two have paid each other, and not what they share of something else."""
        return self.points == self.paid[0] - self.received[0]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who pays whom at the end: what each owes each, exact, and the fewest payments, in whole points or coins.

    `raised` are those who are due a whole unit though the last of it is a fraction, where there are fractions.
    """

    seats: tuple[SeatView, ...]
    pairwise: tuple[TransferView, ...]
    fewest: tuple[TransferView, ...]
    currency: str
    per_point: Decimal | None
    is_rounded: bool
    raised: tuple[SeatView, ...]


def settlement(evening: GameSession) -> Settlement:
    """Who pays whom: one query."""
    seats = seats_of(evening)
    stake = stake_of(evening.stake, evening.currency)
    exact = [stake.coins(seat.balance) if stake else seat.balance for seat in seats]
    is_rounded = any(seat.due != units for seat, units in zip(seats, exact, strict=True))
    return Settlement(
        seats,
        tuple(_between_two(evening, seats, stake)),
        tuple(_to_zero(seats, stake, in_money=bool(stake and is_rounded))),
        evening.currency,
        stake.money(1) if stake else None,
        is_rounded,
        tuple(seat for seat, units in zip(seats, exact, strict=True) if seat.due > units),
    )


def _between_two(evening: GameSession, seats: Sequence[SeatView], stake: Stake | None) -> Iterator[TransferView]:
    gross = {(payer, payee): total for (account, payer, payee), total in evening.sheet.items() if account == PAID}
    owed = evening.game.pairwise(sums_of(evening), tuple(seat.position for seat in seats), evening.house)
    for (payer, payee), points in owed.items():
        money = stake.money(points) if stake else None
        yield TransferView(
            seats[payer],
            seats[payee],
            points,
            money,
            gross.get((payer, payee), (0, 0)),
            gross.get((payee, payer), (0, 0)),
            bool(stake and money != Fraction(stake.per_point) * points),
        )


def _to_zero(seats: Sequence[SeatView], stake: Stake | None, *, in_money: bool) -> Iterator[TransferView]:
    """The fewest payments, one after the other: the two of each as they stand before it."""
    unit = stake.coins(1) if stake else 1
    due = [seat.due for seat in seats]

    def before(position: int) -> SeatView:
        units = due[position]
        money = stake.of_coins(units) if stake else None
        return SeatView(position, seats[position].name, _points(units, unit), units, money)

    for payer, payee, units in ((each.payer, each.payee, int(each.points)) for each in fewest_payments(due)):
        points, money = _points(units, unit), stake.of_coins(units) if stake else None
        yield TransferView(before(payer), before(payee), points, money, is_rounded=in_money)
        due[payer] += units
        due[payee] -= units


def _points(units: int, unit: Amount) -> Amount:
    points = Fraction(units) / unit
    return int(points) if points.denominator == 1 else points
