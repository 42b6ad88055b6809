"""Settlement: stakes, rounding to whole points or coins, and the payments that it suggests.

Seats are whole numbers from 0. Points are whole numbers or exact fractions. Money is Decimal, rounded to the coin only
for a fraction of a point. Payments are whole: points, or the smallest coins of the currency.
Pure Python: standard library only.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from scorekeeper.games.amounts import Amount

LARGEST_STAKE: Final = Decimal(1_000_000_000)
MOST_DECIMALS: Final = 4


@dataclass(frozen=True, slots=True, order=True)
class Transfer:
    """A payment that the settlement suggests: the payer hands the payee the worth of the points."""

    payer: int
    payee: int
    points: Amount


@dataclass(frozen=True, slots=True)
class Stake:
    """The worth of a point in a currency, and the number of decimals of that currency.

    `per_point` is above zero, at most LARGEST_STAKE, and has no more decimals than the currency (trailing zeros do not
    count); `currency` is three capital letters, as in ISO 4217; `decimals` is 0 … 4. Raise ValueError for anything
    else.
    """

    per_point: Decimal
    currency: str
    decimals: int

    def __post_init__(self) -> None:
        if not re.fullmatch("[A-Z]{3}", self.currency):
            raise ValueError(f"a currency is three capital letters, not {self.currency!r}")
        if type(self.decimals) is not int or self.decimals not in range(MOST_DECIMALS + 1):
            raise ValueError(f"a currency has 0 to {MOST_DECIMALS} decimals, not {self.decimals!r}")
        if not isinstance(self.per_point, Decimal) or not self.per_point.is_finite():
            raise ValueError(f"a stake is a finite decimal number, not {self.per_point!r}")
        # The limits are checked first: `_coins` would write out a number such as 1E+999999999.
        if not Decimal(f"1E-{self.decimals}") <= self.per_point <= LARGEST_STAKE:
            raise ValueError(f"a stake of {self.per_point} is out of range")
        if self._coins()[1]:
            raise ValueError(f"{self.currency} has {self.decimals} decimals, and {self.per_point} has more")

    def money(self, points: Amount) -> Decimal:
        """Return the worth of the points, with the currency's number of decimals.

        Exact for whole points; a fraction is rounded to the nearest coin, half to even.
        """
        return self.of_coins(round(Fraction(self.coins(points))))

    def coins(self, points: Amount) -> Amount:
        """Return the exact worth of the points in the smallest coin."""
        return self._coins()[0] * points

    def of_coins(self, coins: int) -> Decimal:
        """Return a number of the smallest coins as `money` does."""
        # Built from text: arithmetic on Decimals rounds to the precision of the context.
        return Decimal(f"{coins}E-{self.decimals}")

    def _coins(self) -> tuple[int, int]:
        """Return a point in the smallest coin, and the remainder."""
        numerator, denominator = self.per_point.as_integer_ratio()
        coins_in_unit: int = 10**self.decimals
        return divmod(numerator * coins_in_unit, denominator)


class Equal(NamedTuple):
    """Units left over by rounding, and the seats with equal fractions that may get one each."""

    units: int
    seats: tuple[int, ...]


def in_whole_units(amounts: Sequence[Amount], cut: Sequence[int] = ()) -> tuple[int, ...]:
    """Round the amounts of the seats to whole units with the same sum, to be paid in points or in coins.

    All are rounded down; the missing units go one each to the largest fractions. Among equal fractions the order is
    that of `cut`, the seats by the cards they cut, highest first; then come the seats that have not cut, in order.
    Raise ValueError if the amounts do not sum to a whole number.
    """
    down, missing = _rounded_down(amounts)

    def first(seat: int) -> tuple[Amount, int, int]:
        return down[seat] - amounts[seat], cut.index(seat) if seat in cut else len(cut), seat

    raised = set(sorted(range(len(amounts)), key=first)[:missing])
    return tuple(units + (seat in raised) for seat, units in enumerate(down))


def left_to_the_cut(amounts: Sequence[Amount]) -> Equal | None:
    """Return the units that `in_whole_units` cannot assign by the fractions alone; None if no cut is needed.

    Raise ValueError if the amounts do not sum to a whole number.
    """
    down, missing = _rounded_down(amounts)
    if not missing:
        return None
    fractions = [amount - units for amount, units in zip(amounts, down, strict=True)]
    least = sorted(fractions, reverse=True)[missing - 1]
    units = missing - sum(fraction > least for fraction in fractions)
    equal = tuple(seat for seat, fraction in enumerate(fractions) if fraction == least)
    return Equal(units, equal) if units < len(equal) else None


def _rounded_down(amounts: Sequence[Amount]) -> tuple[list[int], int]:
    """Return the amounts rounded down, and the number of units then missing from their sum."""
    down = [int(amount // 1) for amount in amounts]
    missing = Fraction(sum(amounts)) - sum(down)
    if missing.denominator != 1:
        raise ValueError(f"amounts that sum to {sum(amounts)} do not come to whole units")
    return down, int(missing)
