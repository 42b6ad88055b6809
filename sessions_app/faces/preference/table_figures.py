"""Figures of the table view besides the balances: each pool and dump, and the price of the next raspasovka."""

from typing import NamedTuple

from scorekeeper.games.preference import is_finished, next_price, standing_from_text
from scorekeeper.games.preference.deal import DUMP, POOL
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import sums_of


class TableFigures(NamedTuple):
    """Pools and dumps by seat.

    `price` is that of a trick in the next raspasovka.
    """

    pools: tuple[int, ...]
    dumps: tuple[int, ...]
    price: int
    is_over: bool


def table_figures(evening: Evening, columns: int) -> TableFigures:
    """Return the figures from the evening's sheet and standing. No query."""
    sheet, standing, rules = sums_of(evening), standing_from_text(evening.standing), evening.house
    pools, dumps = (tuple(sheet.get((account, seat, None), 0) for seat in range(columns)) for account in (POOL, DUMP))
    return TableFigures(
        pools,
        dumps,
        next_price(standing, rules),
        is_finished(standing, rules),
    )
