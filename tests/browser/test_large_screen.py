"""Two panes on a large screen: balances or the hand form on the left, the sheet on the right."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser import phones, thumb
from tests.browser.phones import Phones
from tests.factories import evening_of, record
from tests.selection import first
from tests.views.agreed_entries import played, pulka

pytestmark = pytest.mark.django_db(transaction=True)

#: A monitor, a tablet in landscape, and a low window: width and height.
SIZES = [(1280, 800), (1024, 768), (900, 600)]
HANDS = 16
#: The left and right edges of an element.
EDGES = "(element) => { const { left, right } = element.getBoundingClientRect(); return [left, right]; }"
#: The felt behind the balances, the balances, and the bar.
FELT = """() => {
    const state = document.getElementById("state");
    const top = state.getBoundingClientRect().top;
    const height = parseFloat(getComputedStyle(state, "::before").height);
    const [seats, bar] = [".seats", ".evening-bar"].map((it) => document.querySelector(it).getBoundingClientRect());
    return [{ top, bottom: top + height }, seats, bar].map(({ top, bottom }) => ({ top, bottom }));
}"""
#: The upper and lower edges of the cards, the middle of the dealer's chip, and the upper edge of the bar.
CARDS = """() => {
    for (const each of document.getAnimations()) each.finish();
    const box = (it) => it.getBoundingClientRect();
    const chip = box(document.querySelector(".dealer-chip"));
    return {
        cards: [...document.querySelectorAll(".seat")].map((it) => [box(it).top, box(it).bottom]),
        chip: (chip.top + chip.bottom) / 2,
        bar: box(document.querySelector(".evening-bar")).top,
    };
}"""
#: True if nothing lies over the middle of an element.
UNCOVERED = """(it) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    return it.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
#: The figures that are wider than their column.
TOO_WIDE = """() => [...document.querySelectorAll(".sheet td")]
    .filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent.trim())"""
#: True if the page is no wider than the screen.
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def screen(phone_of: Phones, owner: User) -> Phones:
    def opened(width: int, height: int, path: str, **context: Any) -> Page:
        of_desk = {"is_mobile": False, "has_touch": False, **context}
        return phone_of(owner, path, viewport={"width": width, "height": height}, **of_desk)

    return opened


def edges(page: Page, selector: str) -> tuple[float, float]:
    left, right = page.locator(selector).evaluate(EDGES)
    return left, right


@pytest.mark.parametrize("size", first(1, SIZES))
def test_balances_and_the_bar_stay_left_of_the_sheet_on_felt(
    screen: Phones, evening_of_four: Evening, owner: User, size: tuple[int, int]
) -> None:
    for _hand in range(HANDS):
        record(evening_of_four, by=owner)
    page = screen(*size, phones.url(evening_of_four, f"?saved={HANDS}"))
    sheet, _end = edges(page, ".sheet")
    assert max(edges(page, part)[1] for part in (".seats", ".evening-bar")) <= sheet
    assert page.evaluate(FITS)
    felt, seats, bar = page.evaluate(FELT)
    assert felt["top"] < seats["top"]
    assert seats["bottom"] < felt["bottom"], "the felt fills the pane down to the bar"
    assert 0 <= bar["top"] - felt["bottom"] < 32
    found = page.evaluate(CARDS)
    edges_in_turn = [edge for card in found["cards"] for edge in card]
    assert edges_in_turn == sorted(edges_in_turn), "the cards lie below each other"
    assert edges_in_turn[-1] < found["bar"]
    assert abs(found["chip"] - found["cards"][HANDS % 4][0]) < 16
    page.mouse.move(sheet + 50, 300)
    page.mouse.wheel(0, 2000)
    expect(page.locator("#hand-6")).to_be_in_viewport()
    expect(page.locator(".seats")).to_be_in_viewport(ratio=1)
    expect(page.locator(".evening-bar [data-next-hand]")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 900, "height": 600})
    page.locator(".moment summary").click()
    expect(page.locator(".unfolded")).to_be_visible()
    assert page.locator(".unfolded").evaluate(UNCOVERED), "the unfolded bar lies over the cards"


def test_sheets_keep_to_their_panes(screen: Phones, evening: Evening, owner: User) -> None:
    """The drawn one of Preference, and figures with letters of 200 %."""
    of_preference = pulka(owner)
    for deal in ("7C pw 7", "6 pp", "7C pw 3", "6 pp"):
        played(of_preference, owner, deal, 0)
    page = screen(1280, 800, phones.url(of_preference))
    expect(page.locator(".drawing")).to_be_visible()
    assert page.evaluate(FITS)
    for _hand in range(3):
        record(evening, owner, "hN 6-5-0 H A-M", declarer=0)
    page.goto(phones.url(evening))
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(FITS)


@pytest.mark.thorough
def test_sheet_beside_the_hand_form_follows_other_phones_and_leads_nowhere(
    screen: Phones, evening: Evening, owner: User
) -> None:
    """A click on a hand would lose what is chosen, and Tab would go through all hands."""
    record(evening, by=owner)
    page = screen(*SIZES[1], phones.url(evening, "hands/new/"))
    beside = page.locator(".beside")
    expect(beside.locator("#hand-1")).to_be_visible()
    assert edges(page, "#hand-form")[1] <= edges(page, ".beside")[0]
    assert page.evaluate(FITS)
    page.locator("[name=declarer]").first.check(force=True)
    record(evening, by=owner)
    expect(beside.locator("#hand-2")).to_be_visible()
    expect(page.locator("[name=declarer]").first).to_be_checked()
    beside.locator("#hand-1").click(force=True)
    beside.focus()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.querySelector('.beside').contains(document.activeElement)")
    expect(page.locator("#hand-form")).to_be_visible()


def test_forms_and_lists_stand_side_by_side_or_below_each_other(screen: Phones, evening: Evening, owner: User) -> None:
    ended = evening_of(owner)
    record(ended, by=owner)
    evenings.end(ended.pk)
    evening_of(owner)
    page = screen(1280, 800, phones.url(evening, "edit/"))
    assert edges(page, "#edit-form .bar")[1] <= edges(page, "#table")[0]
    tops = [page.locator(part).evaluate("(it) => it.getBoundingClientRect().top") for part in ("#edit-form", "#table")]
    assert tops[0] == tops[1]
    assert page.evaluate(FITS)
    evening_of(owner)
    page.goto("/")
    column = edges(page, ".running")
    assert page.locator(".also-running .card").count() == 2
    for nth in (1, 2):
        assert edges(page, f".also-running .card:nth-child({nth})") == column
    page.goto(f"/circles/{ended.circle_id}/")
    owed, name, new = (thumb.box_of(page.locator(part)) for part in (".debts", ".unnamed", ".new-session"))
    assert owed["x"] + owed["width"] <= name["x"] == new["x"]
    assert owed["y"] == name["y"]


def test_narrower_screen_keeps_one_column_asks_for_no_sheet_and_fills_an_upright_tablet(
    screen: Phones, evening: Evening, owner: User
) -> None:
    record(evening, by=owner)
    page = screen(899, 844, phones.url(evening))
    assert edges(page, ".seats")[0] <= edges(page, ".sheet")[0] < edges(page, ".seats")[1]
    page.goto("about:blank")  # else the sheet itself might still ask
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(phones.url(evening, "hands/new/"))
    expect(page.locator(".beside")).to_be_hidden()
    expect(page.locator(".beside #state")).to_have_count(0)
    assert not [url for url in asked if "/live/" in url and "/hands/" not in url]
    expect(page.locator(".keys")).to_be_hidden()
    page.set_viewport_size({"width": 768, "height": 1024})
    for path in ("hands/new/", "settle/", ""):
        page.goto(phones.url(evening, path))
        assert edges(page, "main") == (48, 720), path
