"""By plain http a browser lets a page keep nothing: sheet and form go back and forth without network all the same, as
long as the page is open."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, rows, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, expected: set[str]) -> Page:
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script(phones.NO_WORKER)
    sign_in(page, owner)
    return page


def open_and_cut(page: Page, evening: Evening, path: str = "") -> None:
    """The network goes as soon as both pages are kept."""
    page.goto(url(evening, path))
    phones.kept_in_memory(page, evening)
    page.context.set_offline(True)


def to_form(page: Page, number: int) -> None:
    page.locator("[data-next-hand]").tap()
    expect(page.get_by_role("button", name=f"Save hand {number}")).to_be_visible()
    expect(page).to_have_title(f"Hand {number}" if number == 1 else re.compile("Hand"))


def to_sheet(page: Page) -> None:
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()


@pytest.mark.thorough
def test_evening_goes_on_from_the_sheet_without_network(page: Page, evening: Evening):
    open_and_cut(page, evening)
    to_form(page, 1)
    expect(page).to_have_url(re.compile("/hands/new/$"))
    phones.sign(page, "offline")
    first = page.locator("[name=token]").input_value()
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    to_sheet(page)
    expect(rows(page)).to_contain_text("Béla · 2")
    expect(page.locator(".seat", has_text="provisional")).to_have_count(3)
    to_form(page, 2)
    assert page.locator("[name=token]").input_value() != first
    phones.tap_in(page, "Cili")
    phones.save(page, 2)
    phones.sign(page, "waiting (2)")
    page.go_back()
    expect(rows(page)).to_have_count(2)
    page.go_forward()
    expect(page.get_by_role("button", name="Save hand 3")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(f"{url(evening)}$"))
    page.context.set_offline(False)
    phones.settled(page, evening, (-12, 6, 6))
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "2H 7", 2)]


@pytest.mark.thorough
def test_the_sheet_is_asked_for_while_the_form_is_made_ready(page: Page, evening: Evening):
    open_and_cut(page, evening)
    to_form(page, 1)
    page.evaluate("""() => {
      const { lastInLine } = outbox;
      outbox.lastInLine = async (session) => {
        outbox.lastInLine = lastInLine;
        document.querySelector(`a[href="${document.getElementById("hand-form").dataset.sheet}"]`).click();
        while (document.getElementById("hand-form")) await new Promise(requestAnimationFrame);
        return lastInLine(session);
      };
    }""")
    phones.tap_in(page, "Béla")
    page.locator("button.primary").tap()
    expect(rows(page)).to_contain_text("Béla · 2")
    to_form(page, 2)
    phones.tap_in(page, "Cili")
    phones.save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")


@pytest.mark.thorough
def test_with_network_the_page_comes_from_the_server(page: Page, evening: Evening, owner: User):
    open_and_cut(page, evening)
    to_form(page, 1)
    record(evening, owner, "2H 7", declarer=1)
    page.context.set_offline(False)
    to_sheet(page)
    expect(page.locator("#hand-1")).to_be_visible()
    expect(page.locator("body[data-kept]")).to_have_count(0)
    phones.sign(page, "saved")
    page.go_back()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
