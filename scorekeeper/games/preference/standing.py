"""The standing, on which later hands depend, the end of a game, and the balances of a sheet.

The authority is docs/rules/preference.md, §6 to §8.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.errors import Message
from scorekeeper.games.preference.deal import BANK, DUMP, POOL
from scorekeeper.games.preference.house_rules import Growth, MadeTo, PoolEnd, Rules

#: The highest number of times that a price is doubled.
MOST_DOUBLED: Final = 10

_NUMBERS: Final = r"(?:-?\d+(?:,-?\d+)*)"
_TEXT: Final = re.compile(rf"(?:P({_NUMBERS}))? ?(?:D({_NUMBERS}))? ?(?:R(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Standing:
    """The pools by seat, the raspasovkas in a row, and if pool points clear the dump first, the dumps by seat.

    Pools or dumps that are all 0 are an empty tuple, for any number of seats.
    """

    pools: tuple[int, ...] = ()
    dumps: tuple[int, ...] = ()
    row: int = 0

    def __post_init__(self) -> None:
        for name in ("pools", "dumps"):
            if not any(getattr(self, name)):
                object.__setattr__(self, name, ())


def start(rules: Rules) -> Standing:
    """Return the standing before the first hand."""
    return Standing()


def standing_from_text(text: str) -> Standing:
    """Read `P9,4,7 D0,3,0 R2`, where empty parts are left out. Raise ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"not a standing of this game: {text!r}")
    pools, dumps, row = found.groups(default="")
    standing = Standing(_numbers(pools), _numbers(dumps), int(row or 0))
    if standing_to_text(standing) != text:
        raise ValueError(f"not the normal form of a standing: {text!r}")
    return standing


def standing_to_text(standing: Standing) -> str:
    words = [f"P{_joined(standing.pools)}"] if standing.pools else []
    words += [f"D{_joined(standing.dumps)}"] if standing.dumps else []
    words += [f"R{standing.row}"] if standing.row else []
    return " ".join(words)


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


def pools_are_full(pools: Sequence[int], rules: Rules) -> bool:
    """Return whether the game ends with these pools of all seats (docs/rules/preference.md §6.3)."""
    match rules.pool_end:
        case PoolEnd.EACH:
            return min(pools) >= rules.target
        case PoolEnd.SUM:
            return sum(pools) >= rules.target * len(pools)
        case PoolEnd.NEVER:
            return False


def is_finished(standing: Standing, rules: Rules) -> bool:
    """Return whether the game is over: a new hand counts for nothing, except agreed entries outside the pool."""
    return bool(standing.pools) and pools_are_full(standing.pools, rules)


def next_price(standing: Standing, rules: Rules) -> int:
    """Return the r of the next raspasovka: the price of one trick."""
    match rules.raspasy_growth:
        case Growth.ADD:
            times = standing.row + 1
        case Growth.DOUBLE:
            times = 1 << min(standing.row, MOST_DOUBLED)
        case Growth.NONE:
            times = 1
    return rules.raspasy_base * (min(times, rules.raspasy_cap) if rules.raspasy_cap else times)


def lowest_level(standing: Standing, rules: Rules) -> int:
    """Return the lowest level of the exit ladder, which only warns."""
    return rules.raspasy_exit[min(standing.row, len(rules.raspasy_exit) - 1)]


def by_seat(numbers: tuple[int, ...], seats: Iterable[int]) -> dict[int, int]:
    """Return the pools or dumps of a standing by seat."""
    return {seat: numbers[seat] if numbers else 0 for seat in sorted(seats)}


def after(pools: Mapping[int, int], dumps: Mapping[int, int], row: int, rules: Rules) -> Standing:
    """Return the standing with these pools and row; the dumps only if later hands depend on them."""
    kept = tuple(dumps.values()) if rules.made_to is MadeTo.DUMP_FIRST else ()
    return Standing(tuple(pools.values()), kept, row)


def reminder(sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
    """Return `game_over` (target) or `game_over_together` (target, of all pools) at the end of the game, else None."""
    pools = [sheet.get((POOL, seat, None), 0) for seat in seats]
    if not pools_are_full(pools, rules):
        return None
    if rules.pool_end is PoolEnd.SUM:
        return Message("game_over_together", {"target": rules.target * len(pools)})
    return Message("game_over", {"target": rules.target})


# --- Balances, exact: the generic settlement rounds them ---


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
