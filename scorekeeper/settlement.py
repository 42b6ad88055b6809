"""Settlement: stakes, rounding to whole points or coins, and the fewest payments.

Seats are whole numbers from 0. Points are whole numbers or exact fractions. Money is Decimal, rounded to the coin only
for a fraction of a point. Payments are whole: points, or the smallest coins of the currency.
Pure Python: standard library only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
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


def fewest_payments(balances: Sequence[Amount]) -> tuple[Transfer, ...]:
    """Return the fewest transfers that bring all balances to zero: fewer than there are seats.

    Sorted by payer, payee; equal balances always give equal transfers. Time and memory are exponential in the number
    of seats, of which a card table has few. Raise ValueError if the balances do not sum to zero.
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    # A group of k seats whose balances sum to zero needs k − 1 transfers: the more groups, the fewer transfers.
    return tuple(
        sorted(
            transfer
            for group in _most_groups(balances)
            for transfer in _settle({seat: balances[seat] for seat in group})
        )
    )


def one_after_the_other(balances: Sequence[Amount], transfers: Iterable[Transfer]) -> Iterator[Transfer]:
    """Yield the transfers of `fewest_payments` in an order in which each brings one of its two seats to zero.

    The transfers of a group form a tree of its seats, so one that ends at a leaf is always left; of several the first
    is taken. Raise ValueError for transfers that do not bring the balances to zero.
    """
    open_balances, left = list(balances), list(transfers)
    while left:
        clearing = (
            each
            for each in left
            if open_balances[each.payer] == -each.points or open_balances[each.payee] == each.points
        )
        transfer = next(clearing, None)
        if transfer is None:
            raise ValueError(f"{left} do not bring {open_balances} to zero")
        left.remove(transfer)
        open_balances[transfer.payer] += transfer.points
        open_balances[transfer.payee] -= transfer.points
        yield transfer


def _most_groups(balances: Sequence[Amount]) -> list[list[int]]:
    """Divide the seats whose balance is not zero into as many groups as possible, each summing to zero.

    Dynamic programming over sets of seats, as bits: seats are put in a line, and a group ends wherever the sum so far
    is zero. `most[chosen]` is the number of groups in the best line of the chosen seats, `last[chosen]` its last seat.
    """
    uneven = [seat for seat, balance in enumerate(balances) if balance]
    standing = (1 << len(uneven)) - 1
    most, last = ([0] * (standing + 1) for _ in range(2))
    total: list[Amount] = [0] * (standing + 1)
    for chosen in range(1, standing + 1):
        members = (place for place in range(len(uneven)) if chosen >> place & 1)
        closed, last[chosen] = max((most[chosen ^ 1 << place], place) for place in members)
        total[chosen] = total[chosen ^ 1 << last[chosen]] + balances[uneven[last[chosen]]]
        most[chosen] = closed + (total[chosen] == 0)
    groups: list[list[int]] = []
    while standing:
        if total[standing] == 0:
            groups.append([])
        groups[-1].append(uneven[last[standing]])
        standing ^= 1 << last[standing]
    return groups


def _settle(open_balances: dict[int, Amount]) -> Iterator[Transfer]:
    """Yield transfers from the largest debtor to the largest creditor until all balances are zero.

    Each transfer brings one of its two seats to zero.
    """
    while any(open_balances.values()):
        payer = min(open_balances, key=lambda seat: (open_balances[seat], seat))
        payee = min(open_balances, key=lambda seat: (-open_balances[seat], seat))
        points = min(-open_balances[payer], open_balances[payee])
        open_balances[payer] += points
        open_balances[payee] -= points
        yield Transfer(payer, payee, points)
