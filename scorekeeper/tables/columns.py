"""Roles of the columns of a table: found by their heads, and by the cells below them."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.tables.cells import MOST_READ, day, is_nothing, typed, unit_of
from scorekeeper.tables.grid import Grid, Line, TableRefused
from scorekeeper.text.folding import fold


class Role(StrEnum):
    """Role of a column in a table."""

    DATE = "date"
    GAME = "game"
    STAKE = "stake"
    CURRENCY = "currency"
    NOTE = "note"
    PLAYER = "player"
    #: Left out: sums, numbers of lines, and columns of text.
    OTHER = "other"


#: Roles of columns by their heads, folded.
HEADS: Final = {
    **dict.fromkeys(("datum", "date", "nap", "day", "mikor", "when", "idopont"), Role.DATE),
    **dict.fromkeys(("jatek", "game", "jatekfajta", "mit"), Role.GAME),
    **dict.fromkeys(
        ("tet", "stake", "stakes", "pontertek", "alap", "pont ara", "per point", "point value"), Role.STAKE
    ),
    **dict.fromkeys(("penznem", "currency", "valuta", "deviza"), Role.CURRENCY),
    **dict.fromkeys(("megjegyzes", "note", "notes", "comment", "jegyzet", "remark", "cim", "title"), Role.NOTE),
    **dict.fromkeys(
        ("osszesen", "osszeg", "ossz", "szumma", "szum", "sum", "total", "ellenorzes", "check"), Role.OTHER
    ),
    **dict.fromkeys(("sorszam", "ssz", "sz", "no", "nr", "#", "number", "helyszin", "hely", "place"), Role.OTHER),
    **dict.fromkeys(("leosztas", "leosztasok", "hands", "het napja", "weekday", "σ", "∑"), Role.OTHER),
}
#: Words that begin a line of sums, folded.
SUMS: Final = ("osszesen", "osszeg", "ossz", "szumma", "szum", "sum", "total", "vegosszeg", "egyenleg", "mindossz", "∑")
#: Players of the smallest session.
_FEWEST_PLAYERS: Final = 2
#: Heads of this program's own CSV file, which has a line a hand.
_OWN: Final = ("session", "day", "title", "game", "stake", "currency", "number", "kind")
#: Lines above the heads, such as a title, among which these are looked for.
_MOST_ABOVE: Final = 20


class Column(NamedTuple):
    """A column: its place, its letter in a spreadsheet, its head as it is written, and its role.

    `unit` is the currency that its head names, '' for points, None for nothing: 'tét (Ft)'.
    """

    place: int
    head: str
    role: Role
    unit: str | None = None

    @property
    def alias(self) -> int:
        """The answer that another column is of the same player as this one."""
        return -1 - self.place

    @property
    def letter(self) -> str:
        more, last = divmod(self.place, 26)
        return (chr(64 + more) if more else "") + chr(65 + last)


def head_of(text: str) -> tuple[str, str | None]:
    """Return the name that a head gives, and the currency in brackets behind it, None for nothing."""
    name, opened, rest = text.rstrip(" :").partition("(")
    unit = unit_of(rest[:MOST_READ].rstrip(") .")) if opened else None
    return (name.strip() or text, unit) if unit is not None else (text.rstrip(" :"), None)


def find_heads(grid: Grid) -> int:
    """Return the index of the line of heads: the first that names the days, else the last before a day.

    Raise TableRefused if there is none, and for the CSV file that this program writes.
    """
    for index, line in enumerate(grid[:_MOST_ABOVE]):
        folded = [_folded(head_of(cell)[0]) for cell in line.cells]
        if tuple(folded[: len(_OWN)]) == _OWN:
            raise TableRefused("own_export")
        if any(HEADS.get(head) is Role.DATE for head in folded) and sum(map(bool, folded)) > 1:
            return index
    for index, line in enumerate(grid[:_MOST_ABOVE]):
        if any(map(day, line.cells)):
            above = grid[index - 1] if index else None
            if above and sum(map(bool, above.cells)) > 1 and not any(typed(cell) for cell in above.cells):
                return index - 1
            break
    raise TableRefused("no_heads")


def columns_of(heads: Line, below: Sequence[Line]) -> tuple[Column, ...]:
    """Return the columns that have a head or a figure. Raise TableRefused without one of days, or two of players."""
    width = max(len(line.cells) for line in (heads, *below))
    cells = {place: [line.cells[place] for line in below if place < len(line.cells)] for place in range(width)}
    found = [_column(place, heads.cells[place] if place < len(heads.cells) else "", cells[place]) for place in cells]
    if not any(column.role is Role.DATE for column in found):
        days = {place: sum(1 for cell in cells[place] if day(cell)) for place in cells}
        most = max(days, key=lambda place: days[place])
        if not days[most]:
            raise TableRefused("no_days")
        found[most] = found[most]._replace(role=Role.DATE)
    taken: set[Role] = set()
    for place, column in enumerate(found):
        if column.role in taken:  # a second column of days or stakes
            found[place] = column._replace(role=Role.OTHER)
        taken |= {column.role} - {Role.PLAYER, Role.OTHER}
    columns = tuple(column for column in found if column.head or any(cells[column.place]))
    if sum(1 for column in columns if column.role is Role.PLAYER) < _FEWEST_PLAYERS:
        raise TableRefused("no_players")
    return columns


def _column(place: int, text: str, cells: Iterable[str]) -> Column:
    head, unit = head_of(text)
    role = HEADS.get(_folded(head))
    if role is None:
        are_figures = [bool(typed(cell)) for cell in cells if not is_nothing(cell)]
        is_player = bool(head) and len(head) <= MOST_READ and sum(are_figures) * 2 > len(are_figures)
        role = Role.PLAYER if is_player else Role.OTHER
    return Column(place, head, role, unit)


def is_of_sums(line: Line) -> bool:
    """Return whether a line says that it holds sums."""
    return any(_folded(cell).startswith(SUMS) for cell in line.cells if cell)


def is_heads_again(line: Line, heads: Line) -> bool:
    """Return whether the heads stand here again, as on each page of a paper book, some of them left out."""
    said = ((again, head) for again, head in zip(line.cells, heads.cells, strict=False) if again)
    return all(_folded(again) == _folded(head) for again, head in said) and not any(line.cells[len(heads.cells) :])


def are_other_heads(line: Line) -> bool:
    """Return whether a line has heads, by the one of the days; of other players, if they are not the heads again."""
    names_days = (HEADS.get(_folded(head_of(cell)[0])) is Role.DATE for cell in line.cells)
    return not any(map(day, line.cells)) and any(names_days)


def _folded(text: str) -> str:
    return fold(text[:MOST_READ]).rstrip(" .:")
