"""Settlement: stakes, rounding to whole points or coins, and the payments that a list suggests.

Seats and positions are whole numbers from 0. Points are whole numbers or exact fractions. Money is Decimal, rounded to
the coin only for a fraction of a point. Balances are exact, in the smallest unit of one currency or in points, and sum
to zero; a coin is a whole number of units. Payments are whole. Pure Python: standard library only.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, NamedTuple

from scorekeeper.games.amounts import Amount, simplified

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


# --- Payments that a list suggests: balances in whole coins, then the fewest payments that leave everybody even ---


#: Payer and payee.
type Pair = tuple[int, int]
type Lines = tuple[Transfer, ...]


def is_even(balances: Iterable[Amount], coin: int = 1) -> bool:
    """Return whether every balance is below one coin, either way: nothing is to be paid then."""
    return all(-coin < balance < coin for balance in balances)


def in_whole_coins(balances: Sequence[Amount], coin: int = 1, cut: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the balances in whole coins, each changed by less than one; they sum to zero.

    Each is the nearest multiple of the coin, as far as the sum allows: coins go to the largest remainders, of equal
    ones to the first of those that have `cut`, the highest card first, and then to the first of the others.
    """
    return tuple(coin * coins for coins in in_whole_units([Fraction(balance, coin) for balance in balances], cut))


def pairs_in_whole_coins(pairs: Mapping[Pair, Amount], coin: int = 1) -> dict[Pair, int]:
    """Return what each payer owes each payee in whole coins; all of them paid leave everybody even.

    Each debt is changed by less than one coin, and so is each player's sum of them. Where there are fractions they lie
    on rings of players, one of whom may be the table (None), which makes up for a sum that is no whole coin. Each ring
    is shifted until one of its debts is whole.
    """
    debts: dict[Pair | tuple[int, None], Fraction] = {pair: Fraction(owed, coin) for pair, owed in pairs.items()}
    for player in {player for pair in pairs for player in pair}:
        paid = sum((owed for (payer, _payee), owed in pairs.items() if payer == player), Fraction(0))
        received = sum((owed for (_payer, payee), owed in pairs.items() if payee == player), Fraction(0))
        debts[player, None] = Fraction(received - paid, coin)
    while ring := _ring_of_fractions([pair for pair, owed in debts.items() if owed.denominator != 1]):
        shift = min(-debts[pair] % 1 if is_forward else debts[pair] % 1 for pair, is_forward in ring)
        for pair, is_forward in ring:
            debts[pair] += shift if is_forward else -shift
    return {pair: int(debts[pair]) * coin for pair in pairs}


def _ring_of_fractions(pairs: Sequence[Pair | tuple[int, None]]) -> Sequence[tuple[Pair | tuple[int, None], bool]]:
    """Return pairs that lead from a player back to him, each with whether it is gone from payer to payee.

    () for no pairs. No player stands in one pair only: what he pays and receives, the table included, is whole.
    """
    if not pairs:
        return ()
    path: list[tuple[Pair | tuple[int, None], bool]] = []
    visited: list[int | None] = [pairs[0][0]]
    while True:
        at, came_by = visited[-1], path[-1][0] if path else None
        pair = next(pair for pair in pairs if at in pair and pair != came_by)
        path.append((pair, pair[0] == at))
        there = pair[1] if pair[0] == at else pair[0]
        if there in visited:
            return path[visited.index(there) :]
        visited.append(there)


def suggested_payments(
    balances: Sequence[Amount],
    coin: int = 1,
    notes: Collection[int] = (),
    made: Iterable[Transfer] = (),
    cut: Sequence[int] = (),
) -> Lines:
    """Return the fewest payments in whole coins after which everybody is even, sorted by payer and payee.

    `balances` are those before the payments `made`, which are in the order of time. One that pays a line, or a part of
    it in whole coins, leaves the other lines as they are: others might settle the rest just as well. After any other
    payment the lines are found anew. `notes` are preferred as in `fewest_payments`, `cut` decides as in
    `in_whole_coins`.
    """
    left, lines = list(balances), _lines(tuple(balances), coin, tuple(notes), tuple(cut))
    for paid in made:
        left[paid.payer] += paid.points
        left[paid.payee] -= paid.points
        rest = _after(lines, paid, coin)
        lines = _lines(tuple(left), coin, tuple(notes), tuple(cut)) if rest is None else _needed(rest, left, coin)
    return lines


@lru_cache(maxsize=200)  # 5 ms among 30 people, of each currency on each page of a circle
def _lines(balances: tuple[Amount, ...], coin: int, notes: tuple[int, ...], cut: tuple[int, ...]) -> Lines:
    return _needed(fewest_payments(in_whole_coins(balances, coin, cut), notes), balances, coin)


def _needed(lines: Lines, balances: Sequence[Amount], coin: int) -> Lines:
    """Return the lines without those of one coin that are not needed once the others are paid.

    The payer of such a payment owes less than the coin then, and the payee is owed less: they are even.
    """
    left, needed = list(balances), []
    for line in lines:
        left[line.payer] += line.points
        left[line.payee] -= line.points
    for line in lines:
        if line.points == coin and left[line.payee] < 0 < left[line.payer]:
            left[line.payer] -= coin
            left[line.payee] += coin
        else:
            needed.append(line)
    return tuple(needed)


def _after(lines: Lines, paid: Transfer, coin: int) -> Lines | None:
    """Return the lines after a payment of one of them; None if it pays none, or leaves a part of a coin of it."""
    for at, line in enumerate(lines):
        if (line.payer, line.payee) == (paid.payer, paid.payee):
            rest = line.points - paid.points
            if rest < 0 or rest % coin:
                return None
            smaller = (Transfer(line.payer, line.payee, rest),) if rest else ()
            return (*lines[:at], *smaller, *lines[at + 1 :])
    return None


# --- The fewest payments that settle balances, those by a single note preferred ---


#: The number of people with a balance up to which the payments are always the fewest there can be.
EXACT_UP_TO: Final = 12
#: The number of states of a group at which the search for single notes ends. Groups of up to 6 people have fewer.
STATES_SEARCHED: Final = 300


def fewest_payments(balances: Sequence[Amount], notes: Collection[int] = ()) -> tuple[Transfer, ...]:
    """Return the fewest transfers that bring all balances to zero: fewer than there are seats.

    Their number is the least possible for up to EXACT_UP_TO people with a balance. For more, pairs that owe each other
    the same are taken out first; then the largest debtor pays the largest creditor until few enough are left.

    Of equally few transfers those are preferred in which the most are a single one of `notes`. The search ends after
    STATES_SEARCHED states of each group of people whose balances sum to zero, which is all for up to 6 people.

    Sorted by payer, payee; only debtors pay and only creditors are paid; equal balances always give equal transfers.
    Raise ValueError if the balances do not sum to zero.
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    # In whole parts of a unit, instead of fractions.
    scale = lcm(*(balance.denominator for balance in balances))
    owed = {seat: int(balance * scale) for seat, balance in enumerate(balances) if balance}
    scaled_notes = {note * scale for note in notes}
    transfers = list(_until_few_are_left(owed))
    for group in _most_groups(owed):
        transfers += _by_notes({seat: owed[seat] for seat in group}, scaled_notes)
    return tuple(
        sorted(Transfer(each.payer, each.payee, simplified(Fraction(each.points, scale))) for each in transfers)
    )


# --- Too many people for an exact count ---


def _until_few_are_left(owed: dict[int, int]) -> Iterator[Transfer]:
    """Yield transfers until at most EXACT_UP_TO people are left in `owed`, each clearing one or two."""
    while len(owed) > EXACT_UP_TO:
        yield from _exact_pairs(owed)
        if len(owed) > EXACT_UP_TO:
            yield _paid(owed, *_largest(owed))


def _exact_pairs(owed: dict[int, int]) -> Iterator[Transfer]:
    """Yield a transfer for each pair of equal balances of opposite sign, and take the pair out of `owed`."""
    for payer in sorted(seat for seat, balance in owed.items() if balance < 0):
        payee = next((seat for seat in sorted(owed) if owed[seat] == -owed[payer]), None)
        if payee is not None:
            yield _paid(owed, payer, payee)


def _largest(owed: Mapping[int, int]) -> tuple[int, int]:
    """Return the largest debtor and the largest creditor; of equal ones the first."""
    payer = min(owed, key=lambda seat: (owed[seat], seat))
    payee = min(owed, key=lambda seat: (-owed[seat], seat))
    return payer, payee


def _paid(owed: dict[int, int], payer: int, payee: int) -> Transfer:
    """Return the transfer that clears one of the two, and book it in `owed`."""
    points = min(-owed[payer], owed[payee])
    owed[payer] += points
    owed[payee] -= points
    for seat in (payer, payee):
        if not owed[seat]:
            del owed[seat]
    return Transfer(payer, payee, points)


# --- Groups that sum to zero ---


def _most_groups(owed: Mapping[int, int]) -> list[list[int]]:
    """Divide the seats into as many groups as possible, each summing to zero.

    A group of k seats needs k − 1 transfers: the more groups, the fewer transfers. Dynamic programming over sets of
    seats, as bits: seats are put in a line, and a group ends wherever the sum so far is zero. `most[chosen]` is the
    number of groups in the best line of the chosen seats. It is found without looking at every last seat where the sum
    is zero: then each of them closes the last group.
    """
    seats = list(owed)
    bits = [1 << place for place in range(len(seats))]
    total = [0]
    for seat in seats:
        total += [some + owed[seat] for some in total]
    most = [0] * len(total)
    for chosen in range(1, len(total)):
        if total[chosen]:
            most[chosen] = max([most[chosen ^ bit] for bit in bits if chosen & bit])
        else:
            most[chosen] = most[chosen & chosen - 1] + 1
    groups: list[list[int]] = []
    left = len(total) - 1
    while left:
        if not total[left]:
            groups.append([])
        last = max((place for place, bit in enumerate(bits) if left & bit), key=lambda at: (most[left ^ bits[at]], at))
        groups[-1].append(seats[last])
        left ^= bits[last]
    return groups


def _by_size(group: Mapping[int, int]) -> tuple[Transfer, ...]:
    """Return transfers from the largest debtor to the largest creditor until all balances are zero."""
    left = dict(group)
    transfers = []
    while left:
        transfers.append(_paid(left, *_largest(left)))
    return tuple(transfers)


def _by_notes(group: Mapping[int, int], notes: Collection[int]) -> tuple[Transfer, ...]:
    """Return the transfers of a group with the most single notes: those of `_by_size` unless others have more.

    Depth first, payments by a note before others and large ones before small ones. No part of a group sums to zero, so
    every payment clears one person, and the last payment two. A state of the balances is not entered again by as few
    notes, nor where even a note for each payment left would not do better.
    """
    best = _by_size(group)
    if not notes:
        return best
    most = sum(each.points in notes for each in best)
    reached: dict[tuple[tuple[int, int], ...], int] = {}
    waiting: list[tuple[dict[int, int], tuple[Transfer, ...], int]] = [(dict(group), (), 0)]
    while waiting and most < len(best) and len(reached) < STATES_SEARCHED:
        owed, made, singles = waiting.pop()
        if not owed and singles > most:
            best, most = made, singles
        steps = []
        for payer, payee in ((one, other) for one in owed for other in owed if owed[one] < 0 < owed[other]):
            points = min(-owed[payer], owed[payee])
            steps.append((points in notes, points, -payer, -payee))
        for note, _, payer, payee in sorted(steps):
            if singles + note + len(owed) - 2 > most:
                left = dict(owed)
                transfer = _paid(left, -payer, -payee)
                state = tuple(left.items())
                if reached.get(state, -1) < singles + note:
                    reached[state] = singles + note
                    waiting.append((left, (*made, transfer), singles + note))
    return best
