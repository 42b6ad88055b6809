"""Answers of a proxy or a captive portal in the server's place are not believed; a server that cannot save is none."""

from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import Phones, url
from tests.factories import record
from tests.views.failing import LOCKED

pytestmark = pytest.mark.django_db(transaction=True)

PORTAL = "<html><body><h1>Hotel WiFi</h1><form><input name=token><button>Accept</button></form></body></html>"
#: Counts the requests to the browser for persistent storage.
COUNT_PERSIST = """if (navigator.storage) StorageManager.prototype.persist = async () => {
    localStorage.setItem("times", Number(localStorage.getItem("times")) + 1);
    return true;
}"""
TIMES = "Number(localStorage.getItem('times'))"


@pytest.fixture
def page(phone_of: Phones, evening: Evening, owner: User, expected: set[str]) -> Page:
    expected.update(("404", "502", "503"))
    return phone_of(owner, url(evening), COUNT_PERSIST, service_workers="block")


def portal(page: Page, pattern: str, status: int) -> None:
    """From now on a captive portal answers the page's requests to this address."""
    page.route(pattern, lambda route: route.fulfill(status=status, content_type="text/html", body=PORTAL))


def test_an_unfinished_form_stays_as_it_is_behind_a_captive_portal(page: Page, evening: Evening):
    page.goto(url(evening, "hands/new/"))
    portal(page, "**/preview/", 200)
    page.locator("[name=declarer][value='1']").tap()
    expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
    portal(page, "**/announce/", 502)
    page.get_by_role("button", name="Announce").tap()
    expect(page.locator("#no-network")).to_have_text("No answer from the server. Nothing is lost: try again.")
    expect(page.locator("[name=declarer][value='1']")).to_be_checked()
    expect(page.get_by_text("Hotel WiFi")).to_have_count(0)
    assert page.locator("#hand-form [name=token]").count() == 1


def test_a_hand_waits_until_the_server_itself_has_answered(page: Page, evening: Evening):
    page.goto(url(evening, "hands/new/"))
    assert page.evaluate(TIMES) == 0, "nothing has waited yet"
    news = page.locator("#hand-news")
    for number, status in enumerate((200, 502), 1):
        portal(page, "**/hands/new/", status)
        phones.tap_in(page, "Béla")
        phones.save(page, number)
        expect(news).to_contain_text(f"Hand {number} is waiting on this phone")
        phones.sign(page, "waiting (1)")
        page.unroute("**/hands/new/")
        phones.look_again(page)
        expect(news).to_contain_text(f"Hand {number} is saved.")
    phones.tap_in(page, "Béla")
    with patch("sessions_app.writers.ledger.record", side_effect=LOCKED):
        phones.save(page, 3)
        expect(news).to_contain_text("Hand 3 is waiting on this phone because the server cannot save right now.")
    phones.look_again(page)
    expect(news).to_contain_text("Hand 3 is saved.")
    assert phones.recorded(evening) == [(number, "2H 7", 1) for number in range(1, 4)]
    assert page.evaluate(TIMES) == 1


@pytest.mark.thorough
def test_the_sign_says_offline_behind_a_captive_portal_and_the_page_stays(page: Page, evening: Evening, owner: User):
    phones.sign(page, "saved")
    portal(page, "**/live/**", 200)
    record(evening, owner, "2H 7", declarer=1)
    phones.sign(page, "offline")
    expect(page.locator("#state")).to_be_visible()
    expect(page.get_by_text("Hotel WiFi")).to_have_count(0)
    page.unroute("**/live/**")
    expect(page.locator("#hand-1")).to_be_visible()
    # A page of which nothing changes asks too.
    page.clock.install()
    page.goto(url(evening, "hands/1/"), wait_until="networkidle")  # it has asked once, and waits to ask again
    phones.sign(page, "saved")
    portal(page, "**/token/", 200)
    page.clock.fast_forward(11_000)
    phones.sign(page, "offline")
    page.unroute("**/token/")
    page.clock.fast_forward(11_000)
    phones.sign(page, "saved")
