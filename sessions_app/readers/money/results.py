"""The result of a session: what each seat won or lost, exactly, in the smallest unit of its currency."""

from collections.abc import Mapping, Sequence
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


NO_RESULT: Final = Result("", {})


def counted_result(evening: Evening, seats: Sequence[int]) -> Result:
    """Return the result of an evening, counted from its sheet. No query if its circle was read."""
    if not (evening.has_ended and evening.is_written) or chips.is_paid(evening) or evening.circle.is_demo:
        return NO_RESULT
    stake = stake_of(evening.stake, evening.currency)
    balances = evening.game.balances(sums_of(evening), tuple(seats), evening.house)
    amounts = {seat: Fraction(stake.coins(points) if stake else points) for seat, points in balances.items()}
    if any(abs(amount.numerator) > LARGEST_RESULT for amount in amounts.values()):
        return NO_RESULT  # money that does not exist
    return Result(currency_of(evening.game_key, evening.currency, evening.stake), amounts)


def stored_result(evening: Evening) -> Result:
    """Return the result as it is stored: one query."""
    rows = evening.seats.order_by("position").values_list("position", "result", "result_parts")
    amounts = {position: Fraction(result, parts) for position, result, parts in rows if result is not None}
    return Result(evening.result_currency, amounts)
