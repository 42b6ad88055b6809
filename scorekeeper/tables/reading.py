"""A table read: its columns, and the kind of each line below the heads, with anything odd about it.

Nothing is decided here that only people know: which of two orders the days have, which game a table without a column of
games holds, which players of the circle are meant, what happens to a sum that is not zero.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from scorekeeper.tables.columns import (
    EARLIEST,
    MOST_READ,
    Column,
    Day,
    DayOrder,
    Figure,
    Role,
    are_other_heads,
    columns_of,
    day,
    decimal_mark,
    figure,
    find_heads,
    is_heads_again,
    is_nothing,
    is_of_sums,
    unit_of,
)
from scorekeeper.tables.grid import Grid, Line

#: Figures above this are nobody's winnings.
MOST: Final = Decimal(10**9)


class Taken(StrEnum):
    """Kind of a line below the heads."""

    SESSION = "session"
    HEADS = "heads"
    SUMS = "sums"
    TEXT = "text"
    #: Left out: it has figures, and something that cannot be read.
    UNREAD = "unread"


class Odd(NamedTuple):
    """Something odd about a line, by its code, and the cell that it is about."""

    code: str
    cell: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line below the heads. `won` has the figures by the places of the players' columns; one without did not play."""

    number: int
    taken: Taken
    cells: tuple[str, ...]
    day: Day | None = None
    game: str = ""
    stake: Figure | None = None
    currency: str = ""
    note: str = ""
    won: Mapping[int, Decimal] = field(default_factory=dict)
    odd: tuple[Odd, ...] = ()

    @property
    def difference(self) -> Decimal:
        """The sum of the figures, which should be zero."""
        return sum(self.won.values(), Decimal())

    def on(self, order: DayOrder) -> date | None:
        """Return the day of a session; the one that there is if it can only be in the other order."""
        by_order = self.day.by_order if self.day else {}
        return by_order.get(order) or next(iter(by_order.values()), None)


@dataclass(frozen=True)
class Table:
    """A table that was read. `units` are the currencies beside its figures, '' for points; none if nothing was."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    units: tuple[str, ...]

    @cached_property
    def players(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.role is Role.PLAYER)

    @cached_property
    def sessions(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.taken is Taken.SESSION)

    def has(self, role: Role) -> bool:
        return any(column.role is role for column in self.columns)

    @cached_property
    def orders(self) -> tuple[DayOrder, ...]:
        """The orders of day and month that the column of days may have: two if no day decides it, the likelier first.

        The likelier is the one in which the days follow each other; else the day comes first, as in most of Europe.
        """
        days = [row.day.by_order for row in self.sessions if row.day and not row.day.is_certain]
        fit = [order for order in DayOrder if all(order in each for each in days)]
        if not days or len(fit) == 1:
            return tuple(fit[:1]) or (DayOrder.DAY,)
        return tuple(sorted(fit or DayOrder, key=lambda order: (self._steps_back(order), order is DayOrder.MONTH)))

    def _steps_back(self, order: DayOrder) -> int:
        days = [found for row in self.sessions if (found := row.on(order))]
        back = sum(one > other for one, other in pairwise(days))
        return min(back, len(days) - 1 - back)  # the latest may stand first


def read(grid: Grid, today: date) -> Table:
    """Return the table of a grid. Raise TableRefused."""
    at = find_heads(grid)
    heads, below = grid[at], grid[at + 1 :]
    columns = columns_of(heads, [line for line in below if not is_heads_again(line, heads)])
    reader = _Reader(heads, columns, below, today)
    return Table(columns, tuple(reader.rows()), tuple(sorted(reader.units)))


class _Reader:
    """The lines below the heads, read in order: a line of sums is known by those above it."""

    def __init__(self, heads: Line, columns: tuple[Column, ...], below: Grid, today: date) -> None:
        self._heads, self._below, self._today = heads, below, today
        self._by_role: dict[Role, Column] = {
            column.role: column for column in columns if column.role is not Role.PLAYER
        }
        self._players = [column for column in columns if column.role is Role.PLAYER]
        places = [column.place for column in self._players]
        self._mark = decimal_mark(line.cells[at] for line in below for at in places if at < len(line.cells))
        self._sums: dict[int, Decimal] = {}
        self._is_of_others = False
        self.units = {column.unit for column in self._players if column.unit is not None}

    def rows(self) -> Iterator[Row]:
        for line in self._below:
            row = self._row(line)
            if row.taken in (Taken.SESSION, Taken.UNREAD):  # a spreadsheet adds up all of them
                for place, amount in row.won.items():
                    self._sums[place] = self._sums.get(place, Decimal()) + amount
            yield row

    def _row(self, line: Line) -> Row:
        if is_heads_again(line, self._heads):
            self._is_of_others = False
            return Row(line.number, Taken.HEADS, line.cells)
        if are_other_heads(line):
            self._is_of_others = True
            return Row(line.number, Taken.HEADS, line.cells, odd=(Odd("other_heads"),))
        figures, odd = self._figures(line)
        written = self._cell(line, Role.DATE)
        of_day = day(written)
        if of_day is None and (is_of_sums(line) or self._are_sums(figures)):
            return Row(line.number, Taken.SUMS, line.cells, odd=self._wrong_sums(line, figures))
        if not figures and not odd:
            return Row(line.number, Taken.TEXT, line.cells)
        stake = figure(self._cell(line, Role.STAKE), self._mark or ".")
        odd += tuple(self._odd(line, written, of_day, stake))
        return Row(
            line.number,
            Taken.UNREAD if odd else Taken.SESSION,
            line.cells,
            of_day,
            self._cell(line, Role.GAME)[:MOST_READ],
            stake,
            self._currency(line, stake),
            self._cell(line, Role.NOTE),
            figures,
            odd,
        )

    def _cell(self, line: Line, role: Role) -> str:
        column = self._by_role.get(role)
        return line.cells[column.place] if column and column.place < len(line.cells) else ""

    def _figures(self, line: Line) -> tuple[dict[int, Decimal], tuple[Odd, ...]]:
        """Return the players' figures, and what can be no figure."""
        figures, odd = {}, []
        for column in self._players:
            cell = line.cells[column.place] if column.place < len(line.cells) else ""
            if is_nothing(cell):
                continue
            found = figure(cell, self._mark)
            if found is None or abs(found.amount) > MOST:
                odd.append(Odd("no_figure", cell, column.head))
                continue
            figures[column.place] = found.amount
            self.units |= set() if found.unit is None else {found.unit}
        return figures, tuple(odd)

    def _are_sums(self, figures: Mapping[int, Decimal]) -> bool:
        """Return whether a line without a day adds up those above it."""
        there = {place: amount for place, amount in self._sums.items() if amount}
        return bool(there) and {place: amount for place, amount in figures.items() if amount} == there

    def _wrong_sums(self, line: Line, figures: Mapping[int, Decimal]) -> tuple[Odd, ...]:
        """Return the players whose sums are not those of the lines above."""
        heads = {column.place: column.head for column in self._players}
        return tuple(
            Odd("other_sum", line.cells[place], heads[place])
            for place, amount in figures.items()
            if amount != self._sums.get(place, 0)
        )

    def _odd(self, line: Line, written: str, of_day: Day | None, stake: Figure | None) -> Iterator[Odd]:
        """Yield what keeps a line with figures from being a session: its day as it is written, its place, its stake."""
        days = of_day.by_order.values() if of_day else ()
        if not days:
            yield Odd("no_day", written)
        elif min(days) > self._today:
            yield Odd("day_to_come", written)
        elif max(days) < EARLIEST:
            yield Odd("day_long_ago", written)
        if self._is_of_others:
            yield Odd("below_other_heads")
        cell = self._cell(line, Role.STAKE)
        if not is_nothing(cell) and not (stake and 0 < stake.amount <= MOST):
            yield Odd("no_stake", cell)
        cell = self._cell(line, Role.CURRENCY)
        if not is_nothing(cell) and self._named(line) is None:
            yield Odd("no_currency", cell)

    def _named(self, line: Line) -> str | None:
        """Return the currency of a line's own column, None for nothing and for one that nobody knows."""
        return unit_of(self._cell(line, Role.CURRENCY)[:MOST_READ].strip(" .").upper())

    def _currency(self, line: Line, stake: Figure | None) -> str:
        """Return the currency that a line names, '' for none."""
        of_head = self._by_role[Role.STAKE].unit if Role.STAKE in self._by_role else None
        return self._named(line) or (stake.unit if stake and stake.unit else "") or of_head or ""
