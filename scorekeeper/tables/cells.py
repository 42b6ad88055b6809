"""Figures, days and words as people write them in the cells of a table, in Hungarian or in English."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.currencies import CURRENCIES
from scorekeeper.text.folding import fold

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
    """Which comes first in 01/03/2024."""

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
