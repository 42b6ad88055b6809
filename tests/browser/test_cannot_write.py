"""A server that is there and cannot write: hands wait on the phone, all else says that it was not done, and stays."""

from collections.abc import Callable
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones, thumb
from tests.browser.phones import url
from tests.factories import record
from tests.views.failing import FULL, GONE, LOCKED

pytestmark = pytest.mark.django_db(transaction=True)

SAVE = "sessions_app.writers.ledger.record"
#: Counts the requests to the browser for persistent storage.
COUNT_PERSIST = """if (navigator.storage) StorageManager.prototype.persist = async () => {
    localStorage.setItem("times", Number(localStorage.getItem("times")) + 1);
    return true;
}"""


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    expected.add("503")
    page = new_phone(service_workers="block")
    page.add_init_script(COUNT_PERSIST)
    sign_in(page, owner)
    page.goto(url(evening))
    return page


def times_asked_to_keep(page: Page) -> int:
    return int(page.evaluate("Number(localStorage.getItem('times'))"))


@pytest.mark.thorough
def test_a_hand_waits_and_goes_by_itself_and_the_browser_is_asked_once_to_keep_it(page: Page, evening: Evening):
    phones.enter(page, 1, "Béla")
    thumb.expect_balances(page, (-6, 12, -6))
    assert times_asked_to_keep(page) == 0, "nothing has waited yet"
    page.get_by_role("link", name="Enter hand 2").tap()
    for number in (2, 3):
        phones.tap_in(page, "Béla")
        with patch(SAVE, side_effect=LOCKED):
            phones.save(page, number)
            expect(page.locator("#hand-news")).to_contain_text(
                f"Hand {number} is waiting on this phone because the server cannot save right now. "
                "It is sent as soon as it can."
            )
            phones.sign(page, "waiting (1)")
        expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is saved.")
        assert times_asked_to_keep(page) == 1
    assert phones.recorded(evening) == [(number, "2H 7", 1) for number in (1, 2, 3)]


@pytest.mark.thorough
def test_act_that_the_server_cannot_write_is_reported_and_the_page_stays(page: Page, evening: Evening, owner: User):
    record(evening, owner, "2H 7", declarer=1)
    toast = page.locator("#no-network")
    page.goto(url(evening, "hands/1/edit/"))
    page.locator("[name=tricks][value='8']").tap()
    with patch("sessions_app.writers.ledger.amend", side_effect=FULL):
        page.get_by_role("button", name="Save hand 1").tap()
        expect(toast).to_have_text(
            "The server cannot save right now: “Save hand 1” was not done. Nothing is lost: try again."
        )
    expect(page.locator("[name=tricks][value='8']")).to_be_checked()
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text("Hand 1 is saved.")
    page.goto(url(evening, "hands/1/"))
    expect(page.locator("[data-points]")).to_have_attribute("data-points", "8")
    with patch("sessions_app.writers.ledger.void", side_effect=LOCKED):
        page.get_by_role("button", name="Void").tap()
        expect(toast).to_contain_text("The server cannot save right now: “Void” was not done.")
    with patch("sessions_app.writers.ledger.void", side_effect=GONE):
        page.get_by_role("button", name="Void").tap()
        expect(toast).to_contain_text("No answer: “Void” may or may not have been done.")
