"""The settlement of an evening by its sheet alone: balances, and debts between pairs of seats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.payment_game import PAID
from scorekeeper.money.settlement import Transfer
from scorekeeper.money.suggested_payments import pairs_in_whole_coins, suggested_payments
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView, seats_of, sums_of
from sessions_app.readers.money.repayments import currency_of
from sessions_app.words.money import stake_of

#: Return the reason of the debt of a pair (debtor, creditor), by the sheet, the seats and the house rules: a frozen
#: value, in no language.
type Explain = Callable[[Sheet, tuple[int, int], tuple[int, ...], Any], Any]


@dataclass(frozen=True, slots=True)
class PairView:
    """The debt of a seat to another by the sheet.

    Its reason is `paid` and `received`: the sum and the number of their payments to each other, each way. `points` and
    `coins` (their worth in the smallest unit, None without a stake) are exact; `units` is the amount in whole units.
    `why` is the game's own explanation, if any.
    """

    payer: SeatView
    payee: SeatView
    points: Amount
    coins: Amount | None
    units: int
    paid: tuple[int, int]
    received: tuple[int, int]
    why: Any = None

    @property
    def is_of_hands(self) -> bool:
        """Return whether it comes from the payments between the two alone, and not from a share of something else."""
        return self.points == self.paid[0] - self.received[0]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The seats of an evening with their balances, the debts of pairs, and the worth of a point, if it has any."""

    seats: tuple[SeatView, ...]
    pairwise: tuple[PairView, ...]
    currency: str
    per_point: Decimal | None

    @property
    def best_first(self) -> tuple[SeatView, ...]:
        """Return the seats by their balances, the highest first; equal ones in their order."""
        return tuple(sorted(self.seats, key=lambda seat: (-seat.balance, seat.position)))

    def fewest(self, coin: int) -> tuple[tuple[SeatView, SeatView, int], ...]:
        """Return the payer, payee and units of the fewest payments that the balances would come to now."""
        worth = [seat.balance if seat.coins is None else seat.coins for seat in self.seats]
        lines = suggested_payments(worth, coin)
        return tuple((self.seats[line.payer], self.seats[line.payee], int(line.points)) for line in lines)

    def pairs_in_coins(self, coin: int) -> tuple[Transfer, ...]:
        """Return the payments of the pairs in whole coins, by seat: all of them paid leave everybody even."""
        owed = {
            (pair.payer.position, pair.payee.position): pair.points if pair.coins is None else pair.coins
            for pair in self.pairwise
        }
        whole = pairs_in_whole_coins(owed, coin)
        return tuple(Transfer(*pair, units) for pair, units in whole.items() if units)


def settlement(evening: Evening, explain: Explain | None = None) -> Settlement:
    """Return the settlement of an evening: one query."""
    seats = seats_of(evening)
    stake = stake_of(evening.stake, evening.currency)
    currency = currency_of(evening.game_key, evening.currency, evening.stake)
    return Settlement(seats, tuple(_pairwise(evening, seats, explain)), currency, stake.money(1) if stake else None)


def _pairwise(evening: Evening, seats: tuple[SeatView, ...], explain: Explain | None) -> Iterator[PairView]:
    gross = {(payer, payee): total for (account, payer, payee), total in evening.sheet.items() if account == PAID}
    asked = sums_of(evening), tuple(seat.position for seat in seats), evening.house
    stake = stake_of(evening.stake, evening.currency)
    owed = evening.game.pairwise(*asked)
    coins = {pair: stake.coins(points) if stake else points for pair, points in owed.items()}
    units = pairs_in_whole_coins(coins)
    for (payer, payee), points in owed.items():
        yield PairView(
            seats[payer],
            seats[payee],
            points,
            coins[payer, payee] if stake else None,
            units[payer, payee],
            gross.get((payer, payee), (0, 0)),
            gross.get((payee, payer), (0, 0)),
            explain(asked[0], (payer, payee), *asked[1:]) if explain else None,
        )
