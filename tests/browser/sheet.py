"""Reads the hand-checked sheet, tests/evening.txt, whose first lines name its columns."""

from dataclasses import dataclass
from pathlib import Path

PLAYERS = ("Anna", "Béla", "Cili")
PATH = Path(__file__).parents[1] / "evening.txt"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the evening. `act` is record, correct, void, restore or undo; a tap is (group, choice).

    A deal that was thrown in has no declarer, no notation and no points. `after` are the balances by seat.
    """

    act: str
    number: int
    dealer: str
    taps: tuple[tuple[str, str], ...]
    notation: str
    points: int | None
    after: tuple[int, ...]

    @property
    def declarer(self) -> str | None:
        return dict(self.taps).get("Declarer")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The evening's lines, and the settlement: the settlement as (players, points, forints)."""

    lines: tuple[Line, ...]
    balance: tuple[tuple[str, int, int], ...]
    pairwise: tuple[tuple[str, int, int], ...]
    fewest: tuple[tuple[str, int, int], ...]


def read() -> Sheet:
    """The sheet. ValueError where a line has not the columns of its kind."""
    rows = [
        [cell.strip() for cell in row.split("|")]
        for row in PATH.read_text(encoding="utf-8").splitlines()
        if row and not row.startswith("#")
    ]
    settled = {
        kind: tuple((who, int(points), int(money)) for what, who, points, money in _long(rows, 4) if what == kind)
        for kind in ("balance", "pairwise", "fewest")
    }
    return Sheet(tuple(_line(*row) for row in _long(rows, 7)), **settled)


def _long(rows: list[list[str]], columns: int) -> list[list[str]]:
    if any(len(row) not in (4, 7) for row in rows):
        raise ValueError("a line of the sheet has 7 columns, or 4 where it settles")
    return [row for row in rows if len(row) == columns]


def _line(what: str, dealer: str, tapped: str, notation: str, count: str, points: str, after: str) -> Line:
    act, _space, number = what.rpartition(" ")
    taps = tuple(
        (group.strip(), choice) for group, _, choice in (tap.partition(": ") for tap in tapped.split(";") if tap)
    )
    if points != "-" and int(points) != int(count.rpartition(" = ")[2]):
        raise ValueError(f"{what}: the count does not come to the points")
    return Line(
        act or "record",
        int(number),
        dealer,
        taps,
        "" if notation == "-" else notation,
        None if points == "-" else int(points),
        tuple(int(balance) for balance in after.split()),
    )
