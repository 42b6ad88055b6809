"""Reads a hand-checked pul'ka, tests/pulka_of_*.txt, whose first lines name its columns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

FOLDER = Path(__file__).parent
THREE, FOUR = FOLDER / "pulka_of_three.txt", FOLDER / "pulka_of_four.txt"
#: The session of docs/rules/preference.md §13.2, which is over with its last hand: dealer, declarer, deal.
EVENING = (
    (2, 0, "6S ww 7-2-1"),
    (0, 1, "8H wp 5"),
    (1, None, "R 4-4-2"),
    (2, None, "R 0-3-7"),
    (0, 2, "7D pw 8"),
    (1, 2, "6C ph"),
    (2, 1, "M 2"),
    (0, 1, "M 0"),
    (1, 0, "7N pp"),
    (2, 0, "9H pp"),
)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it is recorded, or as it stands once it was amended.

    `deal` is the page's notation, '' where it was thrown in; `entries` are in the page's short form, '' for none.
    """

    number: int
    dealer: int
    declarer: int | None
    deal: str
    entries: str

    @property
    def is_thrown_in(self) -> bool:
        return not self.deal

    @property
    def is_agreed(self) -> bool:
        return self.deal.startswith("=")


@dataclass(frozen=True, slots=True)
class Amend:
    """A hand that is corrected, and the entries that each later hand has because of it, of those that change."""

    hand: Hand
    changes: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet at this place. Payments are (payer, payee, points); `settled` says whether any are given."""

    sheet: str
    over: int | None
    results: tuple[Fraction, ...]
    pairs: tuple[tuple[int, int, Fraction], ...]
    whole: tuple[int, ...]
    fewest: tuple[tuple[int, int, int], ...]

    @property
    def settled(self) -> bool:
        return bool(self.fewest)


@dataclass(frozen=True, slots=True)
class Pulka:
    """An evening: its house rules as text, its seats clockwise, and its lines in the order in which they are done."""

    rules: str
    seats: tuple[int, ...]
    lines: tuple[Hand | Amend | Sheet, ...]


def read(path: Path) -> Pulka:
    """Raise TypeError or ValueError where a line has not the columns of its kind, or does not stand where it may."""
    rows = [
        tuple(cell.strip() for cell in row.split("|"))
        for row in path.read_text(encoding="utf-8").splitlines()
        if row and not row.startswith("#")
    ]
    (what, rules, seats), *told = rows
    if what != "table":
        raise ValueError(f"{path.name} begins with {what!r}, not with its table")
    return Pulka(rules, tuple(map(int, seats.split())), tuple(map(_line, _told(told))))


type _Row = tuple[str, ...]

#: The remarks at a place of the sheet, and the payments.
_SAID, _PAID = ("sheet", "over", "results"), ("pairs", "whole", "fewest")


def _told(rows: list[_Row]) -> list[list[_Row]]:
    """Each line with those that belong to it: the change to an amended hand, its remark to a sheet."""
    found: list[list[_Row]] = []
    for row in rows:
        what = row[0].split()[0]
        if what.isdigit() or what in ("amend", "sheet"):
            found.append([row])
        elif found and found[-1][0][0].split()[0] == ("amend" if what == "->" else "sheet"):
            found[-1].append(row)
        else:
            raise ValueError(f"{row} belongs to no line before it")
    return found


def _line(rows: list[_Row]) -> Hand | Amend | Sheet:
    (what, *cells), *more = rows
    act, _space, number = what.rpartition(" ")
    if number == "sheet":
        return _sheet(rows)
    hand = _hand(int(number), *cells)
    changes = {int(later.removeprefix("->")): _said(entries) for later, entries in more}
    return Amend(hand, changes) if act == "amend" else hand


def _hand(number: int, dealer: str, declarer: str, deal: str, entries: str) -> Hand:
    return Hand(number, int(dealer), int(declarer) if _said(declarer) else None, _said(deal), _said(entries))


def _sheet(rows: list[_Row]) -> Sheet:
    said = dict(rows)
    if len(said) < len(rows) or set(said) not in (set(_SAID), {*_SAID, *_PAID}):
        raise ValueError(f"a sheet says {_SAID}, and {_PAID} where it is settled, not {list(said)}")
    return Sheet(
        sheet=said["sheet"],
        over=int(said["over"]) if _said(said["over"]) else None,
        results=tuple(map(Fraction, said["results"].split())),
        pairs=tuple((*who, Fraction(points)) for *who, points in _payments(said.get("pairs", ""))),
        whole=tuple(map(int, said.get("whole", "").split())),
        fewest=tuple((*who, int(points)) for *who, points in _payments(said.get("fewest", ""))),
    )


def _payments(text: str) -> Iterator[tuple[int, int, str]]:
    for payment in filter(None, text.split(",")):
        payer, payee, points = re.split("[> ]", payment.strip())
        yield int(payer), int(payee), points


def _said(cell: str) -> str:
    return "" if cell == "-" else cell
