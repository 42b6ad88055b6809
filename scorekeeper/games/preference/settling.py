"""What a sheet comes to, exactly ("Settlement"); whole units are the settlement's own affair."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

from scorekeeper.games.base import Amount, Message, Sheet
from scorekeeper.games.preference.facts import BANK, DUMP, POOL
from scorekeeper.games.preference.house import Rules
from scorekeeper.games.preference.standing import pools_are_full


def balances(sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[int, Amount]:
    """What each of the seats has won or lost: a whole number of n-ths of a point. Sums to zero.

    A point of the pool or the dump is its price against the mean: n-ths of it to oneself, less one n-th from each.
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
    """What the first of each pair owes the second, above zero: bank, dump and pool of the two against each other."""
    owed = {}
    for one, other in combinations(sorted(seats), 2):
        got = _received(one, other, sheet, len(seats), rules)
        if got:
            owed[(other, one) if got > 0 else (one, other)] = Fraction(abs(got), len(seats))
    return dict(sorted(owed.items()))


def _in_points(nths: int, seats: int) -> Amount:
    """A whole number where it is one: it is counted with faster."""
    points, rest = divmod(nths, seats)
    return Fraction(nths, seats) if rest else points


def _received(one: int, other: int, sheet: Sheet, seats: int, rules: Rules) -> int:
    """What one gets of the other, in n-ths of a point: one of the dump or the pool costs an n-th of its price each."""

    def more(account: str) -> int:
        return sheet.get((account, one, None), 0) - sheet.get((account, other, None), 0)

    bank = sheet.get((BANK, one, other), 0) - sheet.get((BANK, other, one), 0)
    return seats * bank + rules.pool_point * more(POOL) - rules.dump_point * more(DUMP)


def reminder(sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
    """`game_over` (target): that the pools are full, and what follows counts for nothing."""
    pools = [sheet.get((POOL, seat, None), 0) for seat in seats]
    return Message("game_over", {"target": rules.target}) if pools_are_full(pools, rules) else None
