"""The results of sessions, and the balances of a circle that they, payments and paper books add up to.

Balances are the only truth about who owes. All are exact, in the smallest unit of the currency, and sum to zero in
each. A demo has none.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum

from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import LARGEST_RESULT, Evening, Repayment, Seat
from sessions_app.readers.evening.seating import sums_of
from sessions_app.readers.money.repayments import currency_of, points_last
from sessions_app.words.wording import stake_of

ALL: Final = Q()


@dataclass(slots=True)
class CircleBalances:
    """The balances of a circle by currency and player, above zero what he is owed; money first, players by key.

    `rows` is the number of payments and paper debts in each currency, those taken back too.
    """

    by_currency: dict[str, dict[int, Amount]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def of(self, currency: str) -> Mapping[int, Amount]:
        return self.by_currency.get(currency, {})

    @property
    def open_currencies(self) -> tuple[str, ...]:
        """Return the currencies in which any balance is not zero, however little it is."""
        return tuple(currency for currency, amounts in self.by_currency.items() if any(amounts.values()))


def balances(circle: int) -> CircleBalances:
    """Return the balances of a circle: two queries."""
    return balances_by_circle((circle,))[circle]


def balances_by_circle(circles: Collection[int]) -> dict[int, CircleBalances]:
    """Return the balances of each of the circles: two queries for all."""
    return _added_up(circles, _results(circles), _payments(circles))


def balances_of_player(circle: int, player: int, results: Q = ALL, payments: Q = ALL) -> dict[str, Amount]:
    """Return the balance of a player in each currency, by the results and payments of these conditions.

    Two queries. Payments that were taken back do not count.
    """
    won = _results((circle,)).filter(results, player=player)
    paid = _payments((circle,)).filter(Q(payer=player) | Q(payee=player), payments, undone_at=None)
    by_currency = _added_up((circle,), won, paid)[circle].by_currency
    return {currency: amounts[player] for currency, amounts in by_currency.items()}


def _added_up(
    circles: Collection[int], results: QuerySet[Seat, Any], payments: QuerySet[Repayment, Any]
) -> dict[int, CircleBalances]:
    amounts: dict[tuple[int, str], dict[int, Amount]] = defaultdict(lambda: defaultdict(int))
    rows: dict[tuple[int, str], int] = defaultdict(int)
    for player, parts, currency, circle, high, low in results:
        amounts[circle, currency][player] += whole(high, low, parts)
    for circle, currency, kind, payer, payee, units, count in payments:
        sign = -1 if kind == Repayment.Kind.OPENING else 1
        amounts[circle, currency][payer] += sign * int(units or 0)
        amounts[circle, currency][payee] -= sign * int(units or 0)
        rows[circle, currency] += count
    found = {circle: CircleBalances() for circle in circles}
    for circle, currency in sorted(amounts, key=lambda key: points_last(key[1])):
        by_player = sorted(amounts[circle, currency].items())
        found[circle].by_currency[currency] = {player: simplified(amount) for player, amount in by_player}
        found[circle].rows[currency] = rows[circle, currency]
    return found


def _results(circles: Collection[int]) -> QuerySet[Seat, Any]:
    """Return player, parts, currency, circle, and the two halves of the sum of his results in such parts.

    Grouped in this order: numbers that differ are compared before words that are mostly alike.
    """
    results = Seat.objects.filter(evening__circle__in=circles, result__isnull=False).order_by()
    grouped = results.values_list("player", "result_parts", "evening__result_currency", "evening__circle")
    return grouped.annotate(**halves("result"))


def _payments(circles: Collection[int]) -> QuerySet[Repayment, Any]:
    """Return circle, currency, kind, payer, payee, the sum of the payments not taken back, and the number of all."""
    grouped = Repayment.objects.filter(circle__in=circles, circle__is_demo=False).order_by()
    columns = grouped.values_list("circle", "currency", "kind", "payer", "payee")
    return columns.annotate(sum=Sum("units", filter=Q(undone_at=None)), count=Count("pk"))


# --- Sums by the database ---


_HALF: Final = 10**9


def halves(column: str) -> dict[str, Sum]:
    """Return the annotations `high` and `low` of a column; `whole` makes its sum of them."""
    return {"high": Sum(F(column) / _HALF), "low": Sum(F(column) % _HALF)}


def whole(high: int | Decimal, low: int | Decimal, parts: int) -> Amount:
    """Return the sum of a column by its halves, in units of so many parts. PostgreSQL sums to Decimals."""
    amount = int(high) * _HALF + int(low)
    return amount if parts == 1 else simplified(Fraction(amount, parts))


# --- Results of sessions ---


class Result(NamedTuple):
    """The currency, '' for no result, and the amounts by seat."""

    currency: str
    amounts: Mapping[int, Fraction]

    @property
    def is_storable(self) -> bool:
        """Return whether the database can hold it; what it cannot hold is money that does not exist."""
        return all(abs(amount.numerator) <= LARGEST_RESULT for amount in self.amounts.values())


NO_RESULT: Final = Result("", {})


def counted_result(evening: Evening, seats: Collection[int]) -> Result:
    """Return the result with which an evening ends by its sheet of now. No query if its circle was read."""
    if not evening.is_written or evening.in_chips or evening.circle.is_demo:
        return NO_RESULT
    stake = stake_of(evening.stake, evening.currency)
    balances = evening.game.balances(sums_of(evening), tuple(seats), evening.house)
    amounts = {seat: Fraction(stake.coins(points) if stake else points) for seat, points in balances.items()}
    return Result(currency_of(evening.game_key, evening.currency, evening.stake), amounts)


def stored_result(evening: Evening) -> Result:
    """Return the result as it is stored: one query."""
    rows = evening.seats.order_by("position").values_list("position", "result", "result_parts")
    amounts = {position: Fraction(result, parts) for position, result, parts in rows if result is not None}
    return Result(evening.result_currency, amounts)
