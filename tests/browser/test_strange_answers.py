"""Answers of a proxy or a captive portal in the server's place are not believed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import url
from tests.factories import record
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

PORTAL = "<html><body><h1>Hotel WiFi</h1><form><input name=token><button>Accept</button></form></body></html>"


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    expected.update(("404", "502"))
    page = new_phone(service_workers="block")
    sign_in(page, owner)
    page.goto(url(evening))
    return page


def portal(page: Page, pattern: str, status: int) -> None:
    """From now on a captive portal answers the page's requests to this address."""
    page.route(pattern, lambda route: route.fulfill(status=status, content_type="text/html", body=PORTAL))


@pytest.mark.thorough
def test_sheet_stays_and_the_sign_says_offline_behind_a_captive_portal(page: Page, evening: Evening, owner: User):
    phones.sign(page, "saved")
    portal(page, "**/live/**", 200)
    record(evening, owner, "2H 7", declarer=1)
    phones.sign(page, "offline")
    expect(page.locator("#state")).to_be_visible()
    expect(page.get_by_text("Hotel WiFi")).to_have_count(0)
    page.unroute("**/live/**")
    expect(page.locator("#hand-1")).to_be_visible()
    phones.sign(page, "saved")


@pytest.mark.parametrize("status", first(1, [200, 404, 502]))
@pytest.mark.parametrize(
    ("button", "place", "words"),
    [
        ("Save hand 1", "#hand-news", "Still to tap: contract, trumps, tricks"),
        ("Announce", "#no-network", "No answer from the server. Nothing is lost: try again."),
    ],
)
def test_an_unfinished_form_stays_as_it_is(
    page: Page, evening: Evening, button: str, place: str, words: str, status: int
):
    page.goto(url(evening, "hands/new/"))
    page.locator("[name=declarer][value='1']").tap()
    expect(page.locator("#count")).to_contain_text("Still to tap")
    portal(page, "**/hands/new/", status)
    portal(page, "**/announce/", status)
    page.get_by_role("button", name=button).tap()
    expect(page.locator(place)).to_be_visible()
    expect(page.locator(place)).to_contain_text(words)
    expect(page.locator("[name=declarer][value='1']")).to_be_checked()
    expect(page.get_by_text("Hotel WiFi")).to_have_count(0)
    assert page.locator("#hand-form [name=token]").count() == 1


@pytest.mark.thorough
def test_count_of_a_captive_portal_is_not_shown(page: Page, evening: Evening):
    page.goto(url(evening, "hands/new/"))
    portal(page, "**/preview/", 200)
    page.locator("[name=declarer][value='1']").tap()
    expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
    assert page.locator("#hand-form [name=token]").count() == 1


@pytest.mark.parametrize("status", first(1, [200, 403, 404, 502]))
def test_a_hand_waits_until_the_server_itself_has_answered(
    page: Page, evening: Evening, expected: set[str], status: int
):
    expected.add("403")
    page.goto(url(evening, "hands/new/"))
    portal(page, "**/hands/new/", status)
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.unroute("**/hands/new/")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == [(1, "2H 7", 1)]


@pytest.mark.parametrize("path", first(1, ["hands/1/", "members/"]))
def test_the_sign_is_true_on_pages_of_which_nothing_changes(page: Page, evening: Evening, owner: User, path: str):
    record(evening, owner, "2H 7", declarer=1)
    page.clock.install()
    page.goto(url(evening, path), wait_until="networkidle")  # it has asked once, and waits to ask again
    phones.sign(page, "saved")
    portal(page, "**/token/", 200)
    page.clock.fast_forward(11_000)
    phones.sign(page, "offline")
    page.unroute("**/token/")
    page.clock.fast_forward(11_000)
    phones.sign(page, "saved")
