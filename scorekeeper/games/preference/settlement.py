"""The exact balances of a sheet (docs/rules/preference.md §7); the generic settlement rounds them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.errors import Message
from scorekeeper.games.preference.deal import BANK, DUMP, POOL
from scorekeeper.games.preference.house_rules import PoolEnd, Rules
from scorekeeper.games.preference.standing import pools_are_full


class Term(NamedTuple):
    """The part of a pair's debt in one account: `price` for each of `more` − `less`, divided by `among`."""

    account: str
    more: int
    less: int
    price: int
    among: int

    @property
    def amount(self) -> Fraction:
        return Fraction(self.price * (self.more - self.less), self.among)


def balances(sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[int, Amount]:
    """Return the balance of each seat (§7.2), exact to n-ths of a point; they sum to zero.

    A point of the pool or the dump counts its price against the mean: all of it to its seat, less one n-th from each.
    """
    prices = {POOL: rules.pool_point, DUMP: -rules.dump_point}
    totals, from_each = dict.fromkeys(seats, 0), 0
    for (account, seat, against), amount in sheet.items():
        points = amount * prices.get(account, 1)
        totals[seat] += points * len(seats)
        if against is None:
            from_each += points
        else:
            totals[against] -= points * len(seats)
    return {seat: _in_points(total - from_each, len(seats)) for seat, total in totals.items()}


def pairwise(sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[tuple[int, int], Fraction]:
    """Return the debt of the first of each pair to the second, above zero, by bank, dump and pool (§7.1)."""
    owed = {}
    for one, other in combinations(sorted(seats), 2):
        got = sum((term.amount for term in terms(one, other, sheet, len(seats), rules)), Fraction())
        if got:
            owed[(other, one) if got > 0 else (one, other)] = abs(got)
    return dict(sorted(owed.items()))


def terms(one: int, other: int, sheet: Sheet, seats: int, rules: Rules) -> tuple[Term, Term, Term]:
    """Return the debt of the other to the one by account; a dump or pool point counts an n-th of its price (§7.1)."""
    return (
        Term(BANK, sheet.get((BANK, one, other), 0), sheet.get((BANK, other, one), 0), 1, 1),
        Term(DUMP, sheet.get((DUMP, other, None), 0), sheet.get((DUMP, one, None), 0), rules.dump_point, seats),
        Term(POOL, sheet.get((POOL, one, None), 0), sheet.get((POOL, other, None), 0), rules.pool_point, seats),
    )


def _in_points(nths: int, seats: int) -> Amount:
    """Return the points, as an int if whole: arithmetic is faster than with Fractions."""
    points, rest = divmod(nths, seats)
    return Fraction(nths, seats) if rest else points


def reminder(sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
    """Return `game_over` (target) or `game_over_together` (target, of all pools) at the end of the game, else None."""
    pools = [sheet.get((POOL, seat, None), 0) for seat in seats]
    if not pools_are_full(pools, rules):
        return None
    if rules.pool_end is PoolEnd.SUM:
        return Message("game_over_together", {"target": rules.target * len(pools)})
    return Message("game_over", {"target": rules.target})
