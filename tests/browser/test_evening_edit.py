"""An evening is edited on one phone while another follows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Hand, Role, User
from tests.browser import phones, thumb
from tests.browser.phones import url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keeper(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.KEEPER).user


@pytest.fixture
def phone_of(new_phone: Callable[..., Page], sign_in: Callable[..., None]) -> Callable[..., Page]:
    def phone(user: User, path: str) -> Page:
        page = new_phone()
        page.add_init_script(phones.NO_WORKER)
        sign_in(page, user)
        page.goto(path)
        return page

    return phone


def edit(page: Page) -> None:
    page.get_by_role("link", name="Edit", exact=True).tap()
    expect(page.get_by_role("heading", name="Edit the session")).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).tap()


@pytest.mark.thorough
def test_name_stake_and_seats_are_mended_while_another_phone_follows_and_has_a_form_open(
    phone_of: Callable[..., Page], evening: Evening, owner: User, keeper: User, expected: set[str]
):
    expected.add("409")
    one, other = phone_of(owner, url(evening)), phone_of(keeper, url(evening))
    third = phone_of(keeper, url(evening, "hands/new/"))
    other.evaluate("window.untouched = true")
    phones.tap_in(third, "Béla")
    edit(one)
    one.get_by_role("textbox", name="Third player").fill("Csilla")
    one.get_by_role("button", name="Move player 2 one seat up").tap()
    expect(one.get_by_role("textbox", name="First player")).to_have_value("Béla")
    expect(one.get_by_role("textbox", name="Third player")).to_have_value("Csilla")
    one.get_by_role("textbox", name="Money per point").fill("25")
    save(one)
    for page in (one, other):
        expect(page.locator("[data-seat='0'] .name")).to_have_text("Béla")
        expect(page.locator("[data-seat='1'].deals .name")).to_have_text("Anna")
        expect(page.locator("[data-seat='2'] .name")).to_have_text("Csilla")
    assert other.evaluate("window.untouched")
    phones.save(third, 1)
    expect(third.get_by_text("The seats were changed on another phone meanwhile").first).to_be_visible()
    assert not Hand.objects.exists()
    third.locator("[name=declarer][data-said='Béla']").tap()
    phones.save(third, 1)
    thumb.expect_balances(other, (12, -6, -6))
    expect(other.locator("[data-seat='0'] .money")).to_have_text("HUF 300")
    assert phones.recorded(evening) == [(1, "2H 7", 0)]
    edit(one)
    expect(one.get_by_role("button", name="Move player 2 one seat up")).to_have_count(0)
    expect(one.locator(".history > li")).to_have_count(3)
