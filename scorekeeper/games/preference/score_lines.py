"""The lines that explain a hand, and the entries that they sum to.

The parameters of a line name its account: `account`, `seat` and, in a bank, `against`. Its item is the reason of the
entry. A line of amount 0 explains why nothing is written.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.base import Account, Entry, ScoreLine
from scorekeeper.games.errors import Params
from scorekeeper.games.preference.deal import BANK, DUMP


class Won(NamedTuple):
    """Pool points that a seat won in a hand, and the parameters of their line; pools.py writes them into accounts."""

    item: str
    seat: int
    points: int
    params: Params


type Step = ScoreLine | Won


def in_bank(item: str, code: str, seat: int, against: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """Return a line in the bank of one seat against another."""
    return ScoreLine(item, code, {"account": BANK, "seat": seat, "against": against, **params}, whole(amount))


def in_dump(item: str, code: str, seat: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """Return a line in the dump of a seat."""
    return ScoreLine(item, code, {"account": DUMP, "seat": seat, **params}, whole(amount))


def whole(amount: int | Fraction) -> int:
    """Return an amount that the rules make whole: values are even, and so are the tricks that two lowest share.

    Raise ArithmeticError for a fraction.
    """
    if amount != int(amount):
        raise ArithmeticError(f"an entry must be a whole number, not {amount}")
    return int(amount)


def entries(lines: Iterable[ScoreLine]) -> tuple[Entry, ...]:
    """Return the entries of the lines, summed by account and reason, without amounts of 0."""
    sums: dict[tuple[Account, str], int] = {}
    for line in lines:
        if line.amount:
            of = account_of(line), line.item
            sums[of] = sums.get(of, 0) + line.amount
    return tuple(Entry(*account, amount, item) for (account, item), amount in sums.items() if amount)


def account_of(line: ScoreLine) -> Account:
    """Return the account of a line."""
    against = line.params.get("against")
    return str(line.params["account"]), int(line.params["seat"]), None if against is None else int(against)
