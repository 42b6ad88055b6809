"""Reads the hand-checked evening_of_tarokk.txt, whose first lines name its columns, and taps its hands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser import thumb

PLAYERS = ("Anna", "Béla", "Cili", "Dani", "Edit")
PATH = Path(__file__).with_name("evening_of_tarokk.txt")
THROWN_IN, PROBA, POINTS, ANNOUNCED, TAROKKS = "Thrown in", "Próba", "Card points", "Announced", "Tarokks of "
#: The rows of the form before anything is unfolded.
PLAIN = ("Declarer", "Contract", "Partner (segítő)", "Result", "Kontra on the game", THROWN_IN)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the evening. `act` is record, correct, void or restore; a tap is (group, choice); None sits out."""

    act: str
    number: int
    dealer: str
    taps: tuple[tuple[str, str], ...]
    notation: str
    amounts: tuple[int | None, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines, the balances after each hand in the end, and the settlement as (players, points)."""

    lines: tuple[Line, ...]
    totals: dict[int, tuple[int, ...]]
    fewest: set[tuple[str, int]]
    pairwise: set[tuple[str, int]]

    @property
    def amounts(self) -> dict[int, tuple[int | None, ...]]:
        """The amounts of each hand in the end, by its number."""
        return {line.number: line.amounts for line in self.lines}


def read() -> Sheet:
    rows = [
        [cell.strip() for cell in row.split("|")]
        for row in PATH.read_text(encoding="utf-8").splitlines()
        if row and not row.startswith("#")
    ]
    fewest, pairwise = (
        {(who, int(points)) for what, who, points in _long(rows, 3) if what == kind} for kind in ("fewest", "pairwise")
    )
    totals = {int(number): _figures(after) for what, number, after in _long(rows, 3) if what == "total"}
    return Sheet(tuple(_line(*row) for row in _long(rows, 6)), totals, fewest, pairwise)


def _long(rows: list[list[str]], columns: int) -> list[list[str]]:
    if any(len(row) not in (3, 6) for row in rows):
        raise ValueError("a line of the sheet has 6 columns, or 3 where it sums up")
    return [row for row in rows if len(row) == columns]


def _line(what: str, dealer: str, tapped: str, notation: str, amounts: str, after: str) -> Line:
    act, _space, number = what.rpartition(" ")
    taps = tuple(
        (group.strip(), choice) for group, _, choice in (tap.partition(": ") for tap in tapped.split(";") if tap)
    )
    won = tuple(None if amount == "·" else int(amount) for amount in amounts.split())
    return Line(act or "record", int(number), dealer, taps, "" if notation == "-" else notation, won, _figures(after))


def _figures(text: str) -> tuple[int, ...]:
    return tuple(int(figure) for figure in text.split())


# --- Taps ---


def tap(page: Page, taps: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]) -> None:
    """Tap a hand in, all but the button that saves it (the one for a deal that was thrown in does that too)."""
    for group, words in taps:
        if group not in PLAIN and page.locator("details.bonuses:not([open])").count():
            page.locator(".bonuses > summary").tap()
        match group:
            case "Thrown in":
                thumb.throw_in(page)
            case "Próba":
                page.get_by_role("checkbox", name=re.compile("^próba")).tap()
            case "Card points":
                page.get_by_role("textbox", name=POINTS).fill(words)
            case "Announced":
                bonus, _, side = words.partition(", ")
                page.get_by_role("checkbox", name=f"{bonus}, announced: {side}").tap()
            case _:
                chosen = choice(page, group, words)
                chosen.tap()
                expect(chosen).to_be_checked()


def choice(page: Page, group: str, words: str) -> Locator:
    """The radio button of a row: its face has words, and often a figure beside them. 'dupla' is not 'dupla opp.'."""
    around = page.locator(".tarokks") if group.startswith(TAROKKS) else page.locator("#hand-form")
    row = around.get_by_role("group", name=group.removeprefix(TAROKKS), exact=True)
    return row.get_by_role("radio", name=re.compile(rf"^\W?{re.escape(words)}($|\s(?!opp))"))
