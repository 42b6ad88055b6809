"""Taps on the pages, by their English names."""

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

NOTED = "Note the split"
THROWN_IN = "Thrown in"

UNCOVERED = """(it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => document.elementFromPoint((left + right) / 2, y) === it);
}"""


def choice(page: Page, group: str, words: str) -> Locator:
    """The radio button of a row: its face has a figure or a word, and often a note beside it."""
    row = re.compile(rf"^{group}\b") if group == "Split" else group
    face = re.compile(rf"(^|\s){re.escape(words)}(\s|$)") if words.isalpha() else re.compile(rf"^{words}(\s|$)")
    return page.get_by_role("group", name=row, exact=True).get_by_role("radio", name=face).first


def choose(page: Page, taps: Iterable[tuple[str, str]]) -> None:
    """Tap in a hand, all but the button that saves it (the two buttons for a deal that was thrown in do that too)."""
    for group, words in taps:
        if group in ("Dealer", THROWN_IN):
            page.locator("summary").tap()
        if group == THROWN_IN:
            page.get_by_role("button", name=words).tap()
        elif group == NOTED:
            page.get_by_role("checkbox", name="enter the opponents' split").tap()
        else:
            choice(page, group, words).tap()
            expect(choice(page, group, words)).to_be_checked()


def expect_in_sight(key: Locator) -> None:
    """Expect the key of a choice to be on the screen as a whole, with nothing over it."""
    expect(key).to_be_in_viewport(ratio=1)
    assert key.evaluate(UNCOVERED), key


def save(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"^Save hand \d+$"))


def expect_balances(page: Page, balances: Iterable[int]) -> None:
    for seat, balance in enumerate(balances):
        expect(page.locator(f"[data-seat='{seat}']")).to_have_attribute("data-balance", str(balance))


def written(points: int) -> str:
    """A figure as the sheet writes it, with its sign."""
    return f"{points:+d}".replace("-", "−") if points else "0"
