"""The phone in the middle of the table."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from sessions_app.models import Evening, User
from tests.browser import gallery_tarokk as tarokk_hands
from tests.browser import phones, thumb
from tests.browser.phones import Phones, url
from tests.factories import begun, evening_of, record
from tests.selection import first, first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: The direction of the top of a letter on each side of a screen: away from the player.
UP = {"bottom": (0, -1), "left": (1, 0), "top": (0, 1), "right": (-1, 0)}


def up(seat: Locator) -> tuple[int, int]:
    """The direction of a seat's letters on the screen."""
    turn: int = seat.locator(".facing").evaluate("one => parseInt(getComputedStyle(one).rotate) || 0")
    return {0: (0, -1), 90: (1, 0), 180: (0, 1), -90: (-1, 0)}[turn]


def side(seat: Locator, page: Page) -> str:
    """The side of the screen that a seat is at: the one that its middle is farthest out towards."""
    (x, y), size = thumb.middle_of(thumb.box_of(seat)), page.viewport_size
    assert size is not None
    across, down = x / size["width"] - 0.5, y / size["height"] - 0.5
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "bottom" if down > 0 else "top"


@pytest.mark.parametrize(
    ("names", "sides", "viewport"),
    first_rows(
        1,
        [
            (4, ["bottom", "left", "top", "right"], (390, 844)),
            (5, ["bottom", "left", "top", "top", "right"], (320, 568)),
            (3, ["bottom", "left", "right"], (844, 390)),
        ],
    ),
)
def test_each_balance_is_at_its_player_s_side_and_faces_him(
    phone_of: Phones, owner: User, names: int, sides: list[str], viewport: tuple[int, int]
):
    shown = evening_of_the_widest(owner, names)
    page = phone_of(owner, url(shown, "table/"), viewport=phones.viewport(viewport))
    seats = page.locator("[data-seat]")
    expect(seats).to_have_count(names)
    if viewport[0] < viewport[1]:
        assert [side(seat, page) for seat in seats.all()] == sides, "clockwise, as they sit"
    assert [up(seat) for seat in seats.all()] == [UP[one] for one in sides]
    for seat in seats.all():
        # A figure is whole in its field, and big.
        inner = within(seat.locator(".figure"), seat)
        assert min(inner["width"], inner["height"]) >= 30, "readable from across the table"
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport[0]


def within(part: Locator, whole: Locator) -> FloatRect:
    inner, outer = thumb.box_of(part), thumb.box_of(whole)
    assert inner["x"] >= outer["x"]
    assert inner["y"] >= outer["y"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    return inner


#: Evenings whose balances are as wide as they come: the deals of each, by the number of players.
OF_THE_WIDEST = {3: ("hN 11 S", "hN 11 S", "hN 11 S"), 4: tuple(tarokk_hands.DEALS), 5: tuple(tarokk_hands.DEALS)}


def evening_of_the_widest(owner: User, players: int) -> Evening:
    names = ("Anna", "Béla", "Cili", "Dóra", "Edit")[:players]
    evening = evening_of(owner, names) if players == 3 else tarokk_hands.evening_of(owner, names)
    for deal in OF_THE_WIDEST[players]:
        (record if players == 3 else tarokk_hands.record)(evening, owner, deal)
    return evening


@pytest.mark.parametrize("players", first(1, OF_THE_WIDEST))
def test_a_television_is_filled_with_upright_figures_that_are_read_from_four_metres(
    phone_of: Phones, owner: User, players: int
):
    shown = evening_of_the_widest(owner, players)
    screen = {"viewport": {"width": 1920, "height": 1080}, "is_mobile": False, "has_touch": False}
    page = phone_of(owner, url(shown, "table/"), **screen)
    seats = page.locator("[data-seat]")
    expect(seats).to_have_count(players)
    for seat in seats.all():
        assert up(seat) == UP["bottom"], "nobody sits at the other sides of a screen that stands"
        assert within(seat.locator(".figure"), seat)["height"] >= 1080 * 0.08
        size = seat.locator(".figure").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        # The digits themselves are about 0.72 of the size of their letters, in any font.
        assert size * 0.72 >= 1080 * 0.08
        within(seat.locator(".facing"), seat)
    assert page.evaluate("[scrollX, scrollY, document.documentElement.scrollWidth]") == [0, 0, 1920]
    lines = [within(line, page.locator(".middle")) for line in page.locator(".facing-holder > p").all()]
    assert lines[0]["height"] >= 1080 * 0.05
    expect(page.locator(".facing-across:visible")).to_have_count(0)
    # A hand in play: who plays is whole, the marks beside are half as large.
    page.goto(url(tarokk_hands.announced(owner), "table/"))
    marks = page.locator(".facing-holder .marks")
    assert within(marks.locator(".mark").first, marks)["height"] >= 1080 * 0.03
    name = page.locator(".facing-holder .played bdi").first
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_table_view_follows_the_dealer_and_a_tap_anywhere_leads_back(phone_of: Phones, evening: Evening, owner: User):
    page = phone_of(owner, url(evening))
    page.get_by_role("link", name="Table view").tap()
    expect(page.locator(".deals")).to_contain_text("Anna")
    expect(page.locator(".deals")).to_contain_text("deals")
    record(evening, owner, "2H 7", declarer=1)
    expect(page.locator(".deals")).to_contain_text("Béla")
    thumb.expect_balances(page, (-6, 12, -6))
    phones.sign(page, "saved")
    page.touchscreen.tap(380, 830)
    expect(page.locator("#state")).to_be_visible()


@pytest.mark.parametrize("viewport", first(1, [(320, 568), (568, 320)]), ids=str)
def test_pool_and_dump_are_whole_at_their_player_s_side(phone_of: Phones, owner: User, viewport: tuple[int, int]):
    shown = begun(owner, "preference", names=("Konstantyin", "Wilhelmine", "Nagymáriai", "Dóra"), first_dealer=3)
    for declarer in (0, 1, 2):
        record(shown, owner, "8 wp 0", declarer, dealer=3)
    page = phone_of(owner, url(shown, "table/"), viewport=phones.viewport(viewport), locale="hu-HU")
    for seat in page.locator("[data-seat]").all():
        within(seat.locator(".accounts"), seat)
        assert seat.locator(".accounts").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 13
    for line in page.locator(".next").all():
        within(line, page.locator(".middle"))
