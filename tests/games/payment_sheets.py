"""The sheet of some payments, and its balances and debts as a game of payments works them out."""

from collections import Counter
from collections.abc import Iterable, Mapping

from scorekeeper.games.asszorti import GAME, Rules
from scorekeeper.games.base import Payment, Sheet
from scorekeeper.games.payment_game import entries


def sheet_of(payments: Iterable[Payment]) -> Sheet:
    sheet: Counter[tuple[str, int, int | None]] = Counter()
    for entry in entries(payments, "points"):
        sheet[entry.of] += entry.amount
    return sheet


def balances(seats: int, payments: Iterable[Payment]) -> tuple[int, ...]:
    return tuple(GAME.balances(sheet_of(payments), tuple(range(seats)), Rules()).values())


def pairwise(seats: int, payments: Iterable[Payment]) -> Mapping[tuple[int, int], int]:
    return GAME.pairwise(sheet_of(payments), tuple(range(seats)), Rules())
