"""Taps on the pages, by their English names."""

import re
from collections.abc import Iterable

from playwright.sync_api import FloatRect, Locator, Page, expect

NOTED = "Note the split"
THROWN_IN = "Thrown in"

MIDDLE_IF_UNCOVERED = """(it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    const x = (left + right) / 2;
    const isUncovered = [top + 1, bottom - 1].every((y) => it.contains(document.elementFromPoint(x, y)));
    return isUncovered && [x, (top + bottom) / 2];
}"""


def choice(page: Page, group: str, words: str) -> Locator:
    """The radio button of a row: its face has a figure or a word, and often a note beside it."""
    row = re.compile(rf"^{group}\b") if group == "Split" else group
    face = re.compile(rf"(^|\s){re.escape(words)}(\s|$)") if words.isalpha() else re.compile(rf"^{words}(\s|$)")
    return page.get_by_role("group", name=row, exact=True).get_by_role("radio", name=face).first


def choose(page: Page, taps: Iterable[tuple[str, str]]) -> None:
    """Tap in a hand, all but the button that saves it (the two buttons for a deal that was thrown in do that too)."""
    for group, words in taps:
        if group == "Dealer":
            page.locator(".deal-head > summary").tap()
        if group == THROWN_IN:
            throw_in(page, words)
        elif group == NOTED:
            page.get_by_role("checkbox", name="enter the opponents' split").tap()
        else:
            choice(page, group, words).tap()
            expect(choice(page, group, words)).to_be_checked()


class Touches:
    """Touches at a place on the screen, with a processor as slow as a cheap phone's.

    Playwright's own taps wait for a key, and scroll to it.
    """

    def __init__(self, page: Page) -> None:
        self._browser = page.context.new_cdp_session(page)
        self._browser.send("Emulation.setCPUThrottlingRate", {"rate": 4})

    def at(self, x: float, y: float) -> None:
        self._browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self._browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def box_of(part: Locator) -> FloatRect:
    """Return the box of a part that is there and seen."""
    box = part.bounding_box()
    assert box
    return box


def middle_of(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place_of(key: Locator) -> tuple[float, float]:
    """Return the middle of a key that is on the screen as a whole, with nothing over it."""
    expect(key).to_be_in_viewport(ratio=1)
    middle: tuple[float, float] | None = key.evaluate(MIDDLE_IF_UNCOVERED)
    assert middle, f"something covers {key}"
    return middle


def wait_for_first_paint(page: Page) -> None:
    page.wait_for_function("() => performance.getEntriesByName('first-paint').length")


def throw_in(page: Page, words: str = "same dealer again") -> None:
    """Save the deal as thrown in, by the button with these words about the next dealer."""
    page.get_by_text(THROWN_IN, exact=True).tap()
    page.get_by_role("button", name=words).tap()


def save(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"^Save hand \d+$"))


def expect_balances(page: Page, balances: Iterable[int]) -> None:
    for seat, balance in enumerate(balances):
        expect(page.locator(f"[data-seat='{seat}']")).to_have_attribute("data-balance", str(balance))


def written(points: int) -> str:
    """A figure as the sheet writes it, with its sign."""
    return f"{points:+d}".replace("-", "−") if points else "0"
