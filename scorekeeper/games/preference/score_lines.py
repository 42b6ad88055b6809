"""The lines in which a hand is explained, and the entries that they come to.

A line says in its parameters where it writes: `account`, `seat` and, in a bank, `against`. Its item is the reason of
the entry. A line of nothing says why nothing is written there.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.base import Account, Entry, Params, ScoreLine
from scorekeeper.games.preference.deal import BANK, DUMP


class Won(NamedTuple):
    """Pool points that a hand brings a seat, and what it had to do for them; pools.py says where they go."""

    item: str
    seat: int
    points: int
    params: Params


type Step = ScoreLine | Won


def in_bank(item: str, code: str, seat: int, against: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """What one writes against another."""
    return ScoreLine(item, code, {"account": BANK, "seat": seat, "against": against, **params}, whole(amount))


def in_dump(item: str, code: str, seat: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """What is written in one's own dump."""
    return ScoreLine(item, code, {"account": DUMP, "seat": seat, **params}, whole(amount))


def whole(amount: int | Fraction) -> int:
    """An amount that the rules make whole: values are even, and so are the tricks that two lowest share."""
    if amount != int(amount):
        raise ArithmeticError(f"an entry must be a whole number, not {amount}")
    return int(amount)


def entries(lines: Iterable[ScoreLine]) -> tuple[Entry, ...]:
    """What the lines write, summed by account and reason; nothing of nothing."""
    sums: dict[tuple[Account, str], int] = {}
    for line in lines:
        if line.amount:
            of = account_of(line), line.item
            sums[of] = sums.get(of, 0) + line.amount
    return tuple(Entry(*account, amount, item) for (account, item), amount in sums.items() if amount)


def account_of(line: ScoreLine) -> Account:
    """Where a line writes."""
    against = line.params.get("against")
    return str(line.params["account"]), int(line.params["seat"]), None if against is None else int(against)
