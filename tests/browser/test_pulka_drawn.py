"""The sheet that Preference players draw, under the thumb: figures have room, lead to their hands, and go on live."""

from collections.abc import Callable
from itertools import permutations
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from tests.browser import phones
from tests.browser.gallery import LONG
from tests.browser.gallery_preference import evening_of
from tests.browser.phones import url
from tests.factories import strike_out
from tests.pulka import EVENING
from tests.selection import first

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


@pytest.fixture
def open_on(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User) -> Callable[..., Page]:
    def phone(evening: Evening, **context_args: object) -> Page:
        page = new_phone(**context_args)
        page.add_init_script(phones.NO_WORKER)
        sign_in(page, owner)
        page.goto(url(evening))
        return page

    return phone


def play(evening: Evening, by: User, number: int) -> None:
    dealer, declarer, deal = EVENING[number - 1]
    ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(dealer, declarer, deal), by=by)


def filled(owner: User, names: tuple[str, ...], amount: int, target: int) -> Evening:
    """A sheet whose every row is longer than there is room for."""
    seats = range(len(names))
    pools, dumps = ([f"{account}{seat}+{amount}" for seat in seats] for account in "PD")
    banks = [f"B{seat}>{other}+{amount}" for seat, other in permutations(seats, 2)]
    text = f"= {' '.join([*(pools if amount * 10 <= target else []), *dumps, *banks])}"
    return evening_of(owner, names, f"target={target}", ((0, None, text),) * 10)


@pytest.mark.thorough
@pytest.mark.parametrize("width", first(1, [320, 390, 480]))
@pytest.mark.parametrize("names", first(1, [(*LONG, "Dani"), LONG]), ids=["four", "three"])
def test_each_figure_of_full_rows_has_room_for_a_thumb_and_lies_over_nothing(
    open_on: Callable[..., Page], owner: User, names: tuple[str, ...], width: int
):
    for amount, target in ((1, 10), (5, 50), (5, 51), (20, 999), (200, 999)):
        page = open_on(filled(owner, names, amount, target), viewport={"width": width, "height": 844})
        assert page.locator(".drawing a").count() > 2 * 2 * len(names)
        assert page.evaluate(MISPLACED) == [], (amount, target)


@pytest.mark.parametrize("scripts", first(1, [True, False]))
def test_a_tap_on_a_figure_opens_the_hand_that_wrote_it(open_on: Callable[..., Page], owner: User, scripts: bool):
    evening = evening_of(owner, hands=EVENING[:7])
    page = open_on(evening, java_script_enabled=scripts)
    page.locator(".drawing .field").nth(1).get_by_role("link", name="46", exact=True).tap()
    page.wait_for_url(url(evening, "hands/7/"))
    expect(page.locator("h1")).to_contain_text("Hand 7")


@pytest.mark.thorough
def test_drawn_sheet_goes_on_live_and_nothing_moves_nor_folds(open_on: Callable[..., Page], owner: User):
    evening = evening_of(owner, hands=EVENING[:6])
    page = open_on(evening)
    summary, drawing = page.locator(".pulka summary"), page.locator(".drawing")
    summary.tap()
    expect(page.locator(".figures-table").first).to_be_visible()
    stood = drawing.bounding_box(), summary.bounding_box()
    play(evening, owner, 7)
    expect(drawing.get_by_role("link", name="46", exact=True)).to_be_visible()
    expect(page.locator(".figures-table").first).to_be_visible()
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    strike_out(evening, 7, owner)
    struck = drawing.get_by_role("link", name="46, struck out")
    expect(struck).to_have_css("text-decoration-line", "line-through")
    assert (drawing.bounding_box(), summary.bounding_box()) == stood


def test_the_keyboard_finds_the_figures_in_the_table(open_on: Callable[..., Page], owner: User):
    evening = evening_of(owner, hands=EVENING[:2])
    page = open_on(evening)
    page.locator(".pulka summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".figures-table a").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(url(evening, "hands/1/"))
