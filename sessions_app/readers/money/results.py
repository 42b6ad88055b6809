"""The result of a session: what each seat won or lost, exactly, in the smallest unit of its currency."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from sessions_app.models import LARGEST_RESULT, Evening
from sessions_app.readers.evening.seating import sums_of
from sessions_app.readers.money import chips
from sessions_app.readers.money.repayments import currency_of
from sessions_app.words.money import stake_of


class Result(NamedTuple):
    """The currency, '' for no result, and the amounts by seat."""

    currency: str
    amounts: Mapping[int, Fraction]

    @property
    def is_storable(self) -> bool:
        """Whether the database can hold it; what it cannot hold is money that does not exist."""
        return all(abs(amount.numerator) <= LARGEST_RESULT for amount in self.amounts.values())


NO_RESULT: Final = Result("", {})


def counted_result(evening: Evening, seats: Collection[int]) -> Result:
    """Return the result with which an evening ends by its sheet of now. No query if its circle was read."""
    if not evening.is_written or chips.is_paid(evening) or evening.circle.is_demo:
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
