"""A game for five on a real phone: the toy, at a table of its own."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser.phones import url
from tests.browser.test_table_view import UP, inside, side, up
from tests.toy.game import GAME
from tests.toy.playing import record
from tests.toy.seating import seated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("toy")]

NAMES = ("Anna", "Konstantinápolyi-Nagyházi Elemér", "Cili", "Dóra", "Wilhelmina Szentpétery-Tükörfúró")
FACING = ["bottom", "left", "top", "top", "right"]


@pytest.fixture(autouse=True)
def five() -> Iterator[None]:
    with seated(5):
        yield


@pytest.fixture(autouse=True)
def verified(toy: None, five: None, verified: None) -> None:
    """The game must still be there when its hands are counted again at the end."""


@pytest.fixture
def evening(owner: User) -> Evening:
    evening = evenings.start(evenings.Opening(NAMES, 0, game_key=GAME.key), token=uuid4(), by=owner)
    record(evening, owner, "+9", 1, dealer=0)
    return evening


@pytest.mark.thorough
def test_five_sit_round_the_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User
):
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening, "table/"))
    seats = page.locator("[data-seat]")
    expect(seats).to_have_count(5)
    for width, height in ((390, 844), (320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert [up(seat) for seat in seats.all()] == [UP[one] for one in FACING]
        if width < height:
            assert [side(seat, page) for seat in seats.all()] == FACING
        for seat in seats.all():
            inside(seat.locator(".figure"), seat)
        beside, across = seats.nth(2).bounding_box(), seats.nth(3).bounding_box()
        assert beside
        assert across
        assert beside["x"] + beside["width"] <= across["x"], "clockwise, as they sit"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
