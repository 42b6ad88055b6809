"""Phone features beside the page: a place on its home screen, a screen that stays awake, a buzz; less by http."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import BrowserType, Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import url
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

#: A wake lock that says when it is taken and given back.
WAKE_LOCK = """
    window.locks = [];
    const request = async () => {
        const lock = { released: false, release() { this.released = true; } };
        window.locks.push(lock);
        return lock;
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
"""
HELD = "window.locks.filter((lock) => !lock.released).length"


@pytest.fixture
def phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User
) -> Callable[..., Page]:
    """The owner's phone, on which this script runs before each page's own."""

    def open_on(script: str, path: str = "") -> Page:
        page = new_phone()
        page.add_init_script(script)
        sign_in(page, owner)
        page.goto(url(evening, path))
        return page

    return open_on


@pytest.mark.parametrize("path", first(1, ["", "table/"]))
def test_wake_lock_is_taken_again_when_the_page_is_seen_again(phone: Callable[..., Page], path: str):
    page = phone(WAKE_LOCK, path)
    page.wait_for_function(f"{HELD} === 1")
    page.evaluate("window.locks[0].released = true")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{HELD} === 1 && window.locks.length === 2")


@pytest.mark.thorough
def test_wake_lock_can_be_switched_off_for_good(phone: Callable[..., Page]):
    page = phone(WAKE_LOCK, "members/")
    switch = page.get_by_role("checkbox", name="Keep this phone's screen on during a session")
    expect(switch).to_be_checked()
    switch.tap()
    page.reload()
    expect(switch).not_to_be_checked()
    page.get_by_role("link", name="The session").tap()
    page.wait_for_url("**/sessions/*/")
    assert page.evaluate("window.locks.length") == 0
    page.go_back()
    switch.tap()
    page.get_by_role("link", name="The session").tap()
    page.wait_for_function(f"{HELD} === 1")


def test_browser_without_a_wake_lock_shows_no_switch(phone: Callable[..., Page]):
    page = phone("delete Navigator.prototype.wakeLock", "members/")
    phones.sign(page, "saved")
    expect(page.locator(".awake")).to_be_hidden()


@pytest.mark.thorough
def test_saved_hand_makes_the_phone_vibrate(phone: Callable[..., Page], expected: set[str]):
    expected.add(phones.NO_NETWORK)
    page = phone("navigator.vibrate = (duration) => buzzed(duration)")
    felt: list[int] = []
    page.expose_function("buzzed", lambda duration: felt.append(duration))
    page.reload()
    phones.enter(page, 1, "Béla")
    expect(page.locator("#hand-1")).to_be_visible()
    assert felt == [30]
    page.get_by_role("link", name="Enter hand 2").tap()
    phones.tap_in(page, "Béla")
    page.context.set_offline(True)
    phones.save(page, 2)
    expect(page.get_by_role("button", name="Save hand 3")).to_be_visible()
    assert felt == [30, 30]


def test_browser_finds_no_fault_in_the_manifest(phone: Callable[..., Page]):
    page = phone("")
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    problems = {error["errorId"] for error in browser.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert problems <= {"in-incognito"}, "a test's browser leaves no traces"


# --- By plain http ---


@pytest.fixture
def plain_phone(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    live_server: Any,
    settings: Any,
    owner: User,
) -> Iterator[Page]:
    """The owner's phone, which reaches the server as a laptop in the same network: by a name, without HTTPS."""
    settings.ALLOWED_HOSTS = ["laptop.test"]
    client = Client()
    client.force_login(owner)
    arguments = ["--host-resolver-rules=MAP laptop.test 127.0.0.1"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": arguments})
    address = f"http://laptop.test:{urlsplit(live_server.url).port}"
    context = browser.new_context(**browser_context_args, base_url=address)
    value = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": value, "domain": "laptop.test", "path": "/"}])
    yield context.new_page()
    browser.close()


def test_notice_of_plain_http_stays_until_it_is_read(plain_phone: Page, evening: Evening):
    plain_phone.goto(url(evening))
    notice = plain_phone.locator("#plain-http")
    expect(notice).to_contain_text("Without HTTPS, this phone cannot open pages offline")
    notice.get_by_role("button", name="Got it").tap()
    expect(notice).to_be_hidden()
    plain_phone.reload()
    phones.sign(plain_phone, "saved")
    expect(notice).to_be_hidden()
