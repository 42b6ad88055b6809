"""The drawn sheet of Preference under the thumb: each figure has room, and lies still while the sheet goes on."""

from itertools import permutations

import pytest
from playwright.sync_api import expect

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.gallery import LONG
from tests.browser.gallery_preference import evening_of
from tests.browser.phones import Phones, url
from tests.factories import record_all, strike_out
from tests.pulka import EVENING
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: Faults in the positions of the figures: WCAG 2.2 wants 24 px each way, and each has its own place in its row.
MISPLACED = """() => {
    const box = (it) => it.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5
        || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
    const links = [...document.querySelectorAll(".drawing a")];
    const others = [...document.querySelectorAll(".drawing :is(.account, .tag, .hub, h3)")];
    return links.flatMap((link, at) => {
        const { left, right, width, height } = box(link);
        const row = box(link.closest("p"));
        return [
            ...(Math.min(width, height) < 23.9 ? [`${link.textContent} is ${width} × ${height} px`] : []),
            ...(left < row.left || right > row.right + 0.5 ? [`${link.textContent} is out of its row`] : []),
            ...[...links.slice(at + 1), ...others].filter((other) => !apart(box(link), box(other)))
                .map((other) => `${link.textContent} lies over ${other.textContent.trim()}`),
        ];
    });
}"""


def filled(owner: User, names: tuple[str, ...], amount: int, target: int) -> Evening:
    """A sheet whose every row is longer than there is room for."""
    seats = range(len(names))
    pools, dumps = ([f"{account}{seat}+{amount}" for seat in seats] for account in "PD")
    banks = [f"B{seat}>{other}+{amount}" for seat, other in permutations(seats, 2)]
    text = f"= {' '.join([*(pools if amount * 10 <= target else []), *dumps, *banks])}"
    return evening_of(owner, names, f"target={target}", ((0, None, text),) * 10)


@pytest.mark.parametrize(
    ("names", "width"), first_rows(1, [((*LONG, "Dani"), 320), (LONG, 320), (LONG, 390), ((*LONG, "Dani"), 480)])
)
def test_each_figure_of_full_rows_has_room_for_a_thumb_and_lies_over_nothing(
    phone_of: Phones, owner: User, names: tuple[str, ...], width: int
):
    page = phone_of(owner, "/offline/", viewport={"width": width, "height": 844})
    for amount, target in ((1, 10), (5, 50), (5, 51), (200, 999)):
        page.goto(url(filled(owner, names, amount, target)))
        assert page.locator(".drawing a").count() > 2 * 2 * len(names)
        assert page.evaluate(MISPLACED) == [], (amount, target)


@pytest.mark.thorough
def test_drawn_sheet_goes_on_live_without_a_move_and_its_figures_lead_to_their_hands(phone_of: Phones, owner: User):
    evening = evening_of(owner, hands=EVENING[:6])
    page = phone_of(owner, url(evening), phones.NO_WORKER)
    summary, drawing = page.locator(".pulka summary"), page.locator(".drawing")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".figures-table a").first).to_be_focused()
    stood = drawing.bounding_box(), summary.bounding_box()
    record_all(evening, owner, Facts(*EVENING[6]))
    expect(drawing.get_by_role("link", name="46", exact=True)).to_be_visible()
    expect(page.locator(".figures-table").first).to_be_visible()
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    strike_out(evening, 7, owner)
    struck = drawing.get_by_role("link", name="46, struck out")
    expect(struck).to_have_css("text-decoration-line", "line-through")
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    struck.tap()
    page.wait_for_url(url(evening, "hands/7/"))
    expect(page.locator("h1")).to_contain_text("Hand 7")
