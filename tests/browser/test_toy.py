"""A game that only two registries name, on real phones: in a cellar, on a second phone, and without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Role, User
from tests.browser import phones, thumb
from tests.browser.phones import NO_NETWORK, rows, url
from tests.factories import MemberFactory
from tests.toy.playing import toy_evening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("toy")]

ALL = {"way": "all", "mark_0": 4, "mark_1": 1, "mark_2": 0}


@pytest.fixture(autouse=True)
def verified(toy: None, verified: None) -> None:
    """The game must still be there when its hands are counted again at the end."""


@pytest.fixture
def evening(owner: User) -> Evening:
    return toy_evening(owner)


def tap(page: Page, **rows: object) -> None:
    for name, value in rows.items():
        page.locator(f"[name={name}][value='{value}']").tap()


def save(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Save hand {number}", exact=True).tap()


def stand(page: Page, *balances: str) -> None:
    for seat, balance in enumerate(balances):
        expect(page.locator(f"[data-seat='{seat}']")).to_have_attribute("data-balance", balance)


@pytest.mark.thorough
def test_toy_is_played_without_network_and_followed_by_a_second_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
):
    expected.update((NO_NETWORK, "422"))
    mine, theirs = new_phone(), new_phone()
    sign_in(mine, owner)
    sign_in(theirs, MemberFactory(circle=evening.circle, role=Role.KEEPER).user)
    mine.goto(url(evening))
    theirs.goto(url(evening))
    phones.kept(mine)
    count_first_hand(mine)
    mine.context.set_offline(True)
    save_three_without_network(mine)
    stand(mine, "0", "0", "0")
    mine.context.set_offline(False)
    for page in (mine, theirs):
        stand(page, "5/3", "-22/3", "17/3")
    expect(rows(mine)).to_have_count(0)
    assert phones.recorded(evening) == [(1, "4/1/0", None), (2, "-2", 1), (3, "", None)]
    expect(theirs.locator("#news")).to_contain_text("thrown in")
    mine.goto(url(evening, "hands/1/edit/"))
    correct_first_hand(mine)
    stand(theirs, "8", "-7", "-1")
    follow_the_correction(theirs)


def count_first_hand(page: Page) -> None:
    """From the sheet: tap the first hand in, and see it counted by the server."""
    page.get_by_role("link", name="Enter hand 1").tap()
    expect(page.get_by_role("button", name="Announce")).to_have_count(0)
    save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Still to tap: way")
    tap(page, **ALL)
    expect(page.locator("[name=points]").first).to_be_disabled()
    expect(page.locator("#count")).to_contain_text("Béla +⅔ · Cili +1⅔ · Anna −2⅓")


def save_three_without_network(page: Page) -> None:
    """Save the hand that is in the form and two more; they wait on the sheet, and are not counted."""
    save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    expect(page.locator(".deal-head > summary")).to_have_text(
        re.compile("Hand 2 · .?Cili.? deals · .?Béla.? speaks first")
    )
    tap(page, declarer=1, way="lost", points=2)
    save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")
    thumb.throw_in(page)
    expect(page.locator(".deal-head > summary")).to_have_text(
        re.compile("Hand 4 · .?Béla.? deals · .?Anna.? speaks first")
    )
    page.get_by_role("link", name="The session").tap()
    waiting = ("Béla · thrown in", "Béla · lost · 2", "all against all · 4 · 1 · 0")
    expect(rows(page)).to_have_text([re.compile(text) for text in waiting])
    expect(page.get_by_role("heading", name="Only on this phone, not counted yet")).to_be_visible()


def correct_first_hand(page: Page) -> None:
    tap(page, declarer=0, way="won", points=3)
    expect(page.locator("#count")).to_contain_text("Anna +6 · Béla −3 · Cili −3")
    save(page, 1)
    expect(page.get_by_role("status").filter(has_text="Hand 1 is saved.")).to_be_visible()


def follow_the_correction(page: Page) -> None:
    """From the second hand, which was counted again, to the first, which was corrected."""
    expect(page.locator("#news")).to_contain_text("1 later hand was counted again.")
    expect(page.locator("#hand-2")).to_contain_text("recounted")
    page.locator("#hand-2 a").tap()
    page.get_by_role("link", name="hand 1", exact=True).tap()
    expect(page).to_have_url(re.compile("/hands/1/$"))
