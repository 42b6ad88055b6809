"""Who pays whom at the end: one query."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from scorekeeper.games.base import Amount
from scorekeeper.games.paying import PAID
from scorekeeper.settlement import Transfer, fewest_payments
from sessions_app.models import GameSession
from sessions_app.money import stake_of
from sessions_app.readers.people import SeatView, seats_of, sums_of


@dataclass(frozen=True, slots=True)
class TransferView:
    """A suggested payment, and why: the balances round it, or what the two have paid each other.

    Its money is rounded where the points come to no whole coins.
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
    """Who pays whom at the end, in two ways that come to the same."""

    seats: tuple[SeatView, ...]
    pairwise: tuple[TransferView, ...]
    fewest: tuple[TransferView, ...]
    currency: str
    per_point: Decimal | None


def settlement(evening: GameSession) -> Settlement:
    """Who pays whom: one query."""
    seats = seats_of(evening)
    gross = {(payer, payee): total for (account, payer, payee), total in evening.sheet.items() if account == PAID}
    stake = stake_of(evening.stake, evening.currency)
    balances = {seat.position: seat.balance for seat in seats}

    def view(transfer: Transfer) -> TransferView:
        payer, payee = seats[transfer.payer], seats[transfer.payee]
        money = stake.money(transfer.points) if stake else None
        return TransferView(
            SeatView(payer.position, payer.name, balances[payer.position]),
            SeatView(payee.position, payee.name, balances[payee.position]),
            transfer.points,
            money,
            gross.get((transfer.payer, transfer.payee), (0, 0)),
            gross.get((transfer.payee, transfer.payer), (0, 0)),
            bool(stake and money != Fraction(stake.per_point) * transfer.points),
        )

    def one_after_the_other(transfers: Iterable[Transfer]) -> Iterable[TransferView]:
        for transfer in transfers:
            yield view(transfer)
            balances[transfer.payer] += transfer.points
            balances[transfer.payee] -= transfer.points

    owed = evening.game.pairwise(sums_of(evening), tuple(balances), evening.house)
    each_with_each = tuple(view(Transfer(*pair, points)) for pair, points in owed.items())
    fewest = tuple(one_after_the_other(fewest_payments([seat.balance for seat in seats])))
    per_point = stake.money(1) if stake else None
    return Settlement(seats, each_with_each, fewest, evening.currency, per_point)
