"""Cells and columns of a table: figures, days and words as people write them, in Hungarian or in English.

The roles of columns are found by their heads, and by the cells below them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.currencies import CURRENCIES
from scorekeeper.tables.grid import Grid, Line, TableRefused
from scorekeeper.text.names import fold

#: Longer cells hold no figure, day or name.
MOST_READ: Final = 60

# --- Figures ---

#: Currencies by the words and signs beside a figure, folded; '' for points.
UNITS: Final = {
    **dict.fromkeys(("p", "pt", "pts", "pont", "point", "points"), ""),
    **dict.fromkeys(("ft", "huf", "forint"), "HUF"),
    **dict.fromkeys(("€", "eur", "euro"), "EUR"),
    **dict.fromkeys(("$", "usd", "dollar"), "USD"),
    **dict.fromkeys(("£", "gbp"), "GBP"),
    **dict.fromkeys(("fr", "chf", "frank"), "CHF"),
    **dict.fromkeys(("lei", "ron"), "RON"),
    **dict.fromkeys(("din", "rsd", "dinar"), "RSD"),
    **dict.fromkeys(("₴", "uah"), "UAH"),
    **dict.fromkeys(("kc", "czk"), "CZK"),
    **dict.fromkeys(("zł", "zl", "pln"), "PLN"),
}
#: Cells of players who did not play, folded.
_NOTHING: Final = frozenset({"", "-", "–", "—", "−", "x", "/", "n/a", "na", "."})
_MINUS: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "‘": "'"})
_TYPED: Final = re.compile(
    r"(?P<sign>-?)(?P<before>[^0-9()+.,'-]*)(?P<digits>[0-9.,'()+ -]*[0-9][0-9.,'()+ -]*)(?P<after>[^0-9]*)"
)
#: A figure as most are written, of which nothing else can be read.
_PLAIN: Final = re.compile(r"-?[0-9]{1,15}(?:[.,][0-9]{1,15})?")
_FIGURE: Final = re.compile(r"[0-9]+(?:(?P<group>[ .,'])[0-9]{3}(?:(?P=group)[0-9]{3})*)?(?:[.,][0-9]+)?|[.,][0-9]+")
_LONE: Final = re.compile(r"(?P<whole>[1-9][0-9]{0,2})(?P<mark>[.,])(?P<rest>[0-9]{3})")


def is_nothing(text: str) -> bool:
    """Return whether a cell is empty, or says that there is no figure."""
    return not text or (not text[-1].isdigit() and fold(text[:MOST_READ]) in _NOTHING)


class Figure(NamedTuple):
    """A figure, and the currency beside it: '' for points, None for nothing."""

    amount: Decimal
    unit: str | None


class Typed(NamedTuple):
    """The parts of a figure as it is typed: its sign, its digits with their marks, and what stands beside it."""

    is_negative: bool
    digits: str
    unit: str | None


def typed(text: str) -> Typed | None:
    """Return the parts of a cell that may be a figure, None if it is none."""
    if _PLAIN.fullmatch(text):
        return Typed(text[0] == "-", text.lstrip("-"), None)
    if len(text) > MOST_READ:
        return None
    parts = _TYPED.fullmatch(" ".join(unicodedata.normalize("NFKC", text).translate(_MINUS).split()))
    if parts is None or (parts["before"] and parts["after"]):
        return None
    beside = (parts["before"] or parts["after"]).strip(" .")
    unit = unit_of(beside) if beside else None
    if beside and unit is None:
        return None
    return _signed((parts["sign"] + parts["digits"]).strip(), unit)


def unit_of(text: str) -> str | None:
    """Return the currency that a short text names, '' for points, None for nothing. Of most only the code is known."""
    return UNITS.get(fold(text).strip(" ."), text if text in CURRENCIES else None)


def _signed(digits: str, unit: str | None) -> Typed | None:
    """Return the sign of a figure: a minus before or after it, or brackets around it. '500,-' is five hundred."""
    digits = re.sub(r"[.,]-$", "", digits).strip()
    found = re.fullmatch(
        r"(?P<open>\(?) ?(?P<sign>[+-]?) ?(?P<digits>[^()+-]*[0-9]) ?(?P<after>-?) ?(?P<close>\)?)", digits
    )
    if not found or bool(found["open"]) != bool(found["close"]) or (found["sign"] and found["after"]):
        return None
    is_negative = bool(found["open"] or found["sign"] == "-" or found["after"])
    return Typed(is_negative, found["digits"], unit) if _FIGURE.fullmatch(found["digits"]) else None


def decimal_mark(cells: Iterable[str]) -> str:
    """Return the decimal mark of a table's figures, '' if all of them are whole.

    A mark before three digits may separate thousands; it is the decimal one if another figure shows that.
    """
    for cell in cells:
        found = typed(cell)
        marks = re.sub("[0-9 ']", "", found.digits) if found else ""
        if found and marks and not _LONE.fullmatch(found.digits) and (len(set(marks)) > 1 or len(marks) == 1):
            return marks[-1]
    return ""


def figure(text: str, mark: str) -> Figure | None:
    """Return the figure of a cell, None if it is none. `mark` is the decimal mark of the table."""
    found = typed(text)
    if found is None:
        return None
    digits = found.digits.replace(" ", "").replace("'", "")
    lone = _LONE.fullmatch(digits)
    if lone and lone["mark"] != mark:
        digits = lone["whole"] + lone["rest"]
    point = max(digits.rfind("."), digits.rfind(","))
    is_grouped = point >= 0 and digits.count(digits[point]) > 1
    whole, rest = (digits, "") if point < 0 or is_grouped else (digits[:point], digits[point + 1 :])
    amount = Decimal(f"{re.sub('[.,]', '', whole) or '0'}.{rest or '0'}")
    return Figure(-amount if found.is_negative else amount, found.unit)


# --- Days ---


class DayOrder(StrEnum):
    """The part of 01/03/2024 that comes first."""

    DAY = "dmy"
    MONTH = "mdy"


#: The beginnings of the months' names, folded, in Hungarian and English; each is the shortest that is one month's.
_MONTHS: Final = (
    ("jan",),
    ("feb",),
    ("mar",),
    ("apr",),
    ("maj", "may"),
    ("jun",),
    ("jul",),
    ("aug",),
    ("sze", "sep"),
    ("okt", "oct"),
    ("nov",),
    ("dec",),
)
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})([./-]) ?([0-9]{1,2})\2 ?([0-9]{1,2})\.?")
_SHORT_YEAR_FIRST: Final = re.compile(r"([0-9]{2})\. ?([0-9]{2})\. ?([0-9]{2})\.")
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2})([./-]) ?([0-9]{1,2})\2 ?([0-9]{4}|[0-9]{2})")
_SERIAL: Final = re.compile(r"[1-9][0-9]{4}")
_PACKED: Final = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})")
_TIME: Final = re.compile(r"[ t][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?: ?[ap]m)?z?$")
#: A day of the week behind a date, or before one.
_WEEKDAY: Final = re.compile(
    r"(?:^|[ ,(])(?:hetfo|kedd|szerda|csutortok|pentek|szombat|vasarnap|[a-z]{3,6}day|sat|sun|mon|tue|wed|thu|fri)[),]*"
)
#: Day 0 of the serial numbers of spreadsheets, which have a 29 February 1900.
_SERIAL_ZERO: Final = date(1899, 12, 30)
EARLIEST: Final = date(1900, 1, 1)


class Day(NamedTuple):
    """A day as it is written: one that is certain, or one by the order of its day and month."""

    by_order: dict[DayOrder, date]

    @property
    def is_certain(self) -> bool:
        return len(set(self.by_order.values())) == 1 and len(self.by_order) == len(DayOrder)


def day(text: str) -> Day | None:
    """Return the day of a cell, None if it is none."""
    if not text or len(text) > MOST_READ:
        return None
    text = _TIME.sub("", fold(text))
    text = " ".join(_WEEKDAY.sub(" ", text).split()).strip(" ,")
    found = _of_words(text) or _of_figures(text)
    if found:
        return Day(dict.fromkeys(DayOrder, found))
    if parts := _YEAR_LAST.fullmatch(text):
        return _of_two_orders(*parts.groups())
    return None


def _of_figures(text: str) -> date | None:
    """Return a day whose year comes first, or that a spreadsheet writes as a number."""
    if parts := _YEAR_FIRST.fullmatch(text) or _PACKED.fullmatch(text):
        year, *_mark, month, of_month = parts.groups()
        return _made(int(year), int(month), int(of_month))
    if parts := _SHORT_YEAR_FIRST.fullmatch(text):
        year, month, of_month = parts.groups()
        return _made(2000 + int(year), int(month), int(of_month))
    return _SERIAL_ZERO + timedelta(int(text)) if _SERIAL.fullmatch(text) else None


def _of_two_orders(one: str, mark: str, other: str, year: str) -> Day | None:
    """Return the days that 01/03/2024 may mean; with full stops the day comes first."""
    full = int(year) if len(year) > 2 else 2000 + int(year)
    days = {DayOrder.DAY: _made(full, int(other), int(one)), DayOrder.MONTH: _made(full, int(one), int(other))}
    if mark == ".":
        days = dict.fromkeys(DayOrder, days[DayOrder.DAY])
    found = {order: each for order, each in days.items() if each}
    return Day(found) if found else None


def _of_words(text: str) -> date | None:
    """Return a day whose month is a word: '2024. marcius 1.', 'march 1 2024', '1st mar, 2024'."""
    words = re.findall(r"[a-z]+|[0-9]+", text)
    months = [number for word in words if word.isalpha() for number in _months_of(word)]
    numbers = [word for word in words if word.isdigit()]
    others = [word for word in words if word.isalpha() and not _months_of(word)]
    if len(months) != 1 or len(numbers) != 2 or any(word not in _ORDINALS for word in others):
        return None
    years = [number for number in numbers if len(number) == 4]
    if len(years) != 1:
        return None
    numbers.remove(years[0])
    return _made(int(years[0]), months[0], int(numbers[0]))


#: Endings of a number that is a day, and words between its parts.
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th", "of", "jen", "an", "en", "i"})


def _months_of(word: str) -> list[int]:
    return [number for number, names in enumerate(_MONTHS, start=1) if word.startswith(names)]


def _made(year: int, month: int, of_month: int) -> date | None:
    """Return the day, None if there is no such."""
    try:
        return date(year, month, of_month)
    except ValueError:
        return None


# --- Columns ---


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
