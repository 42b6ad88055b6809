"""The settlement of an evening by its sheet alone, and the list of payments on the page of an ended session, with the
other lists that the page leads to.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.utils import timezone

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.payment_game import PAID
from scorekeeper.money.settlement import Transfer, left_to_the_cut, pairs_in_whole_coins, suggested_payments
from sessions_app.models import POINTS, Circle, Evening
from sessions_app.readers.evening.seating import SeatView, seats_of, sums_of
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Night, PaymentList, coin_of, night_of
from sessions_app.readers.money.repayments import currency_of
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.words.wording import stake_of

# --- By the sheet alone ---


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


# --- On the page of an ended session ---


#: The time after the end of its last session in which a night is called tonight.
TONIGHT: Final = timedelta(hours=12)


class Asked(NamedTuple):
    """The scope, the way and the seats that have cut, the highest card first, as the page's address asks for them."""

    scope: str = ""
    way: str = ""
    cut: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """Points that the fractions alone give to nobody: one each for the highest cards cut by the `equal` seats.

    `cut` are the seats that cut them, the highest first.
    """

    units: int
    equal: tuple[int, ...]
    cut: tuple[int, ...]

    @property
    def raised(self) -> tuple[int, ...]:
        """Return the seats that get a point: those that cut, then the first of the others."""
        return (*self.cut, *self._waiting)[: self.units]

    @property
    def to_cut(self) -> tuple[int, ...]:
        """Return the seats that may have cut the next highest card; () where it makes no difference any more."""
        return self._waiting if len(self.cut) < self.units else ()

    @property
    def _waiting(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.equal if seat not in self.cut)


@dataclass(frozen=True, slots=True)
class Settling:
    """The list that is `shown`, and what leads to the others.

    `everything` is the circle's list. `has_two_scopes` says that the night's list and it suggest other payments, and
    `is_paid_with_all` that the night's is not offered any more. `is_by_pairs` says that the session is paid pair by
    pair, and `has_two_ways` that it may be paid so or by the fewest payments. `open` are the balances in all of the
    players of the list that is shown.
    """

    shown: PaymentList
    everything: PaymentList
    night: Night
    has_two_scopes: bool
    is_paid_with_all: bool
    is_by_pairs: bool
    has_two_ways: bool
    cut: Cut | None
    open: Mapping[int, Amount]

    @property
    def shows_balances(self) -> bool:
        """Return whether the list settles other balances than those that the session's seats show."""
        return self.shown.scope == "everything" or len(self.night.sessions) > 1

    @property
    def is_tonight(self) -> bool:
        """Return whether the night has just ended, or one of its sessions is being corrected."""
        return self.night.ended_at is None or timezone.now() - self.night.ended_at < TONIGHT


def settling(
    circle: Circle, evening: Evening, players: Sequence[CirclePlayer], settlement: Settlement, asked: Asked
) -> Settling | None:
    """Return what is to be paid of an ended session, None if it has no result: nine queries."""
    night = night_of(evening)
    if night is None:
        return None
    found, currency = balances(circle.pk), night.currency
    sitting = tuple(evening.seats.order_by("position").values_list("player", flat=True))
    cut = _cut(currency, night, sitting, asked.cut)
    first = [sitting[seat] for seat in cut.cut] if cut else []
    everything = lists.everything(circle, found, players, first, [currency])[currency]
    tonight = lists.tonight(circle, found, night, players, first)
    owed = (
        Transfer(sitting[each.payer], sitting[each.payee], each.points)
        for each in settlement.pairs_in_coins(coin_of(circle, currency))
    )
    # The sheet of a session that is being corrected is not what it ended with; and where players were merged since, a
    # unit that rounding leaves falls to another pair.
    may_be_by_pairs = night.is_offered and evening.has_ended and not tonight.is_even
    pairs = lists.by_pairs(circle, found, night, players, evening.pk, owed) if may_be_by_pairs else None
    has_two_scopes = night.is_offered and not tonight.suggests_as(everything)
    shows_all = not night.is_offered or (has_two_scopes and asked.scope == "everything")
    is_by_pairs = not shows_all and asked.way == "pairs" and pairs is not None
    shown = everything if shows_all else (pairs if is_by_pairs and pairs else tonight)
    return Settling(
        shown,
        everything,
        night,
        has_two_scopes,
        not night.is_offered,
        is_by_pairs,
        not shows_all and not night.made_for.get(evening.pk) and pairs is not None and not pairs.suggests_as(tonight),
        cut if not shows_all else None,
        {player.id: found.of(currency).get(player.id, 0) for player, _amount in shown.balances},
    )


def _cut(currency: str, night: Night, sitting: Sequence[int], asked: Sequence[int]) -> Cut | None:
    """Return the cut that decides the odd points of a night of one session; None with money, or if none is needed."""
    if not currency.startswith(POINTS) or len(night.sessions) > 1:
        return None
    results = {player: Fraction(night.balances[player]) for player in sitting}
    for paid in night.made:
        results[paid.payer] -= paid.points
        results[paid.payee] += paid.points
    left = left_to_the_cut([results[player] for player in sitting])
    if left is None:
        return None
    cut = tuple(seat for seat in dict.fromkeys(asked) if seat in left.seats)[: left.units]
    return Cut(left.units, left.seats, cut)
