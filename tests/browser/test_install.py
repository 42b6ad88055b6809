"""Phone features beside the page: a place on its home screen, and a screen that stays awake."""

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser.phones import Phones, url

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


def test_wake_lock_is_taken_again_when_the_page_is_seen_again_and_can_be_switched_off_for_good(
    phone_of: Phones, evening: Evening, owner: User
):
    page = phone_of(owner, url(evening), WAKE_LOCK)
    page.wait_for_function(f"{HELD} === 1")
    page.evaluate("window.locks[0].released = true")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{HELD} === 1 && window.locks.length === 2")
    page.goto(url(evening, "members/"))
    switch = page.get_by_role("checkbox", name="Keep this phone's screen on during a session")
    expect(switch).to_be_checked()
    switch.tap()
    page.reload()
    expect(switch).not_to_be_checked()
    page.get_by_role("link", name="The session").tap()
    page.wait_for_url("**/sessions/*/")
    assert page.evaluate("window.locks.length") == 0
    without = phone_of(owner, url(evening, "members/"), "delete Navigator.prototype.wakeLock")
    expect(without.get_by_role("heading").first).to_be_visible()
    expect(without.locator(".awake")).to_be_hidden()


def test_browser_finds_no_fault_in_the_manifest(page: Page):
    page.goto("/")
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    problems = {error["errorId"] for error in browser.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert problems <= {"in-incognito"}, "a test's browser leaves no traces"
