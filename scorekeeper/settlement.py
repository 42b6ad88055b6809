"""Settling up: balances, who owes whom, the fewest payments, and what it is in money.

Seats are whole numbers from 0, points are whole numbers or, where a game shares them out, exact fractions; money is
Decimal, and exact but for the coins that a fraction of a point does not come to. What is paid is whole: points, or the
smallest coins of the currency.
Pure Python: standard library only.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, Protocol

from scorekeeper.games.base import Amount

LARGEST_STAKE: Final = Decimal(1_000_000_000)
MOST_DECIMALS: Final = 4


class Paying(Protocol):
    """Anything by which one seat pays another a number of points: a game's Payment, a Transfer."""

    @property
    def payer(self) -> int: ...

    @property
    def payee(self) -> int: ...

    @property
    def points(self) -> Amount: ...


@dataclass(frozen=True, slots=True, order=True)
class Transfer:
    """A payment of the settlement, suggested or booked as paid: payer hands payee the points' worth."""

    payer: int
    payee: int
    points: Amount


@dataclass(frozen=True, slots=True)
class Stake:
    """What a point is worth: so much of a currency whose coins go to so many decimals.

    `per_point` is above zero, at most LARGEST_STAKE, and has no more decimals than the currency (zeros at its
    end do not count); `currency` is three capital letters, as in ISO 4217; `decimals` is 0 … 4. Raises
    ValueError for anything else.
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
        # The limits come first: a number such as 1E+999999999 must not be written out below.
        if not Decimal(f"1E-{self.decimals}") <= self.per_point <= LARGEST_STAKE:
            raise ValueError(f"a stake of {self.per_point} is out of range")
        if self._coins()[1]:
            raise ValueError(f"{self.currency} has {self.decimals} decimals, and {self.per_point} has more")

    def money(self, points: Amount) -> Decimal:
        """What the points are worth, written with the currency's own number of decimals.

        Exact for whole points; a fraction of one to the nearest coin, and to the even one from the middle.
        """
        return self.of_coins(round(Fraction(self.coins(points))))

    def coins(self, points: Amount) -> Amount:
        """What the points are worth in the smallest coin, exact."""
        return self._coins()[0] * points

    def of_coins(self, coins: int) -> Decimal:
        """So many of the smallest coin, written as `money` is."""
        # Made from text, as arithmetic on Decimals rounds to the precision of the context.
        return Decimal(f"{coins}E-{self.decimals}")

    def _coins(self) -> tuple[int, int]:
        """A point in the currency's smallest unit, and what is left over."""
        numerator, denominator = self.per_point.as_integer_ratio()
        coins_in_unit: int = 10**self.decimals
        return divmod(numerator * coins_in_unit, denominator)


def balances(seats: int, payments: Iterable[Paying]) -> tuple[Amount, ...]:
    """All that each of the seats 0 … seats−1 received less all it paid, in points. Sums to zero.

    Raises ValueError for a payment to or from a seat that is not there.
    """
    totals: list[Amount] = [0] * seats
    for payment in payments:
        if payment.payer not in range(seats) or payment.payee not in range(seats):
            raise ValueError(f"no such seat at a table of {seats}: {payment}")
        totals[payment.payer] -= payment.points
        totals[payment.payee] += payment.points
    return tuple(totals)


def booked(transfers: Iterable[Paying]) -> tuple[Transfer, ...]:
    """Transfers that were paid, as they count in `balances` and `pairwise` beside the payments of the hands.

    Who hands over money gets the points back that he had lost, so each is turned round.
    """
    return tuple(Transfer(paid.payee, paid.payer, paid.points) for paid in transfers)


def pairwise(payments: Iterable[Paying]) -> tuple[Transfer, ...]:
    """What each owes each other, netted between the two; even pairs are left out. Sorted by payer, payee."""
    owed: defaultdict[tuple[int, int], Amount] = defaultdict(int)
    for payment in payments:
        owed[payment.payer, payment.payee] += payment.points
        owed[payment.payee, payment.payer] -= payment.points
    return tuple(Transfer(*pair, points) for pair, points in sorted(owed.items()) if points > 0)


class Equal(NamedTuple):
    """Units that the rounding leaves over, and the seats of equal fractions whom they may go to, one each."""

    units: int
    seats: tuple[int, ...]


def in_whole_units(amounts: Sequence[Amount], cut: Sequence[int] = ()) -> tuple[int, ...]:
    """The amounts of the seats as whole units, with the same sum: to be paid in points, or in coins.

    All go down; the units then missing go one each to the largest fractions. Of equal ones whoever has `cut` the
    highest card is first (his seat stands first there), then those who have not cut, in order of seats. ValueError if
    the amounts do not sum to a whole number.
    """
    down, missing = _gone_down(amounts)

    def first(seat: int) -> tuple[Amount, int, int]:
        return down[seat] - amounts[seat], cut.index(seat) if seat in cut else len(cut), seat

    raised = set(sorted(range(len(amounts)), key=first)[:missing])
    return tuple(units + (seat in raised) for seat, units in enumerate(down))


def left_to_the_cut(amounts: Sequence[Amount]) -> Equal | None:
    """What the fractions alone do not decide in `in_whole_units`; None where no cut would make a difference.

    ValueError if the amounts do not sum to a whole number.
    """
    down, missing = _gone_down(amounts)
    if not missing:
        return None
    fractions = [amount - units for amount, units in zip(amounts, down, strict=True)]
    least = sorted(fractions, reverse=True)[missing - 1]
    units = missing - sum(fraction > least for fraction in fractions)
    equal = tuple(seat for seat, fraction in enumerate(fractions) if fraction == least)
    return Equal(units, equal) if units < len(equal) else None


def _gone_down(amounts: Sequence[Amount]) -> tuple[list[int], int]:
    """The whole units that the amounts go down to, and how many are missing then."""
    down = [int(amount // 1) for amount in amounts]
    missing = Fraction(sum(amounts)) - sum(down)
    if missing.denominator != 1:
        raise ValueError(f"amounts that sum to {sum(amounts)} do not come to whole units")
    return down, int(missing)


def fewest_payments(balances: Sequence[Amount]) -> tuple[Transfer, ...]:
    """The fewest transfers that bring all balances to zero; at most one for each seat but one.

    Sorted by payer, payee; equal balances always give equal transfers. Time and memory grow as 2 to the
    number of seats, which is nothing for a card table. ValueError if the balances do not sum to zero.
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    # k seats that are even among themselves need k − 1 transfers: the more such groups, the fewer transfers.
    return tuple(
        sorted(
            transfer
            for group in _most_even_groups(balances)
            for transfer in _settle({seat: balances[seat] for seat in group})
        )
    )


def one_after_the_other(balances: Sequence[Amount], transfers: Iterable[Transfer]) -> Iterator[Transfer]:
    """Yield the transfers of `fewest_payments` in an order in which each brings one of its two seats to zero.

    They join the seats of a group as the branches of a tree do, so one that ends at a leaf is always left. Of several
    the first comes first. ValueError for transfers that do not even out the balances.
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


def _most_even_groups(balances: Sequence[Amount]) -> list[list[int]]:
    """Divide the seats that are not even into as many groups as possible, each summing to zero.

    Seats are lined up one by one, and a group is closed whenever the sum so far is zero. `most[chosen]` is
    how many groups the best line of the chosen seats (a set of bits) closes, `last[chosen]` who ends that
    line.
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


def _settle(open_balances: dict[int, Amount]) -> Iterable[Transfer]:
    """Let the deepest in debt pay the highest in credit until all are even; each transfer makes one so."""
    while any(open_balances.values()):
        payer = min(open_balances, key=lambda seat: (open_balances[seat], seat))
        payee = min(open_balances, key=lambda seat: (-open_balances[seat], seat))
        points = min(-open_balances[payer], open_balances[payee])
        open_balances[payer] += points
        open_balances[payee] -= points
        yield Transfer(payer, payee, points)
