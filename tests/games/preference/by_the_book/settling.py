"""Settlement: the result of a sheet, by the mean and by pairs, and in whole units."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

from tests.games.preference.by_the_book.paper import Place
from tests.games.preference.by_the_book.switches import Switches


def pairs(n: int, sheet: Mapping[Place, int], switches: Switches) -> dict[tuple[int, int], Fraction]:
    """The points that i receives from j (below zero: pays), for every i and j: each place a payment in n-ths of a
    point.
    """
    nths = {(i, j): 0 for i in range(n) for j in range(n) if i != j}
    for (account, seat, against), amount in sheet.items():
        for other in range(n):
            if other == seat or (account == "bank" and other != against):
                continue
            one = {"bank": n, "dump": -int(switches["dump_point"]), "pool": int(switches["pool_point"])}[account]
            nths[seat, other] += amount * one
            nths[other, seat] -= amount * one
    return {pair: Fraction(number, n) for pair, number in nths.items()}


def settle(n: int, sheet: Mapping[Place, int], switches: Switches) -> list[Fraction]:
    """The result of each seat, once against the mean and once as the sum of its pairs, which must agree."""
    by_pairs, results = pairs(n, sheet, switches), []
    mean_dump, mean_pool = _mean(n, sheet, "dump"), _mean(n, sheet, "pool")
    for i in range(n):
        banks = sum(sheet.get(("bank", i, j), 0) - sheet.get(("bank", j, i), 0) for j in range(n))
        dumps = int(switches["dump_point"]) * (mean_dump - sheet.get(("dump", i, None), 0))
        pools = int(switches["pool_point"]) * (sheet.get(("pool", i, None), 0) - mean_pool)
        result = banks + dumps + pools
        assert result == sum(by_pairs[i, j] for j in range(n) if j != i)
        results.append(result)
    assert sum(results) == 0
    return results


def _mean(n: int, sheet: Mapping[Place, int], account: str) -> Fraction:
    return Fraction(sum(sheet.get((account, seat, None), 0) for seat in range(n)), n)


def whole(results: Sequence[Fraction], cut: Sequence[int] = ()) -> list[int]:
    """All down to whole units; those missing one each to the largest fractions. `cut`: seats, highest card first."""
    units = [floor(result) for result in results]
    queue = [*cut, *(seat for seat in range(len(results)) if seat not in cut)]
    while sum(units) < 0:
        luckiest = max(queue, key=lambda seat: results[seat] - floor(results[seat]))
        queue.remove(luckiest)
        units[luckiest] += 1
    return units
