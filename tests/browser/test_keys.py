"""A book is kept by a passkey, with Chromium's virtual authenticator, or by a spare key, and opened without cookies."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Passkey, User
from sessions_app.writers import evenings
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def kept(page: Page, sign_in: Callable[..., None], evening: Evening, owner: User) -> Page:
    """The page on which a guest keeps its book, reached from home after an ended session."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    record(evening, owner)
    evenings.end(evening.pk)
    sign_in(page, owner)
    page.goto("/")
    page.get_by_role("link", name="Keep my book").tap()
    return page


def test_book_kept_by_a_passkey_is_back_after_all_cookies_are_lost(kept: Page, evening: Evening, expected: set[str]):
    page = kept
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()
    expected.add("403")
    page.get_by_role("button", name="Another passkey").tap()
    expect(page.get_by_text("This phone has a passkey already.")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/")
    page.get_by_role("link", name="I have been here before").tap()
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(f"/sessions/{evening.pk}/")
    expect(page.get_by_text("Anna").first).to_be_visible()
    assert Passkey.objects.get().used_on


def test_passkey_that_is_gone_opens_nothing_and_leads_to_the_spare_key(kept: Page, expected: set[str]):
    page = kept
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()
    Passkey.objects.all().delete()
    page.context.clear_cookies()
    page.goto("/passkey/")
    expected.add("403")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_text("This passkey opens nothing here.")).to_be_visible()
    page.get_by_role("link", name="I have a spare key").tap()
    expect(page.get_by_role("textbox")).to_be_visible()


def test_spare_key_opens_the_book_on_a_phone_without_cookies(kept: Page, evening: Evening):
    page = kept
    page.get_by_role("button", name="Make a spare key").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    words = page.locator(".key-words li").all_inner_texts()
    page.context.clear_cookies()
    page.goto(f"/spare-key/#{'-'.join(words)}")
    expect(page.get_by_role("textbox")).to_have_value(" ".join(words))
    assert page.url.endswith("/spare-key/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    page.get_by_role("link", name="I have written it down").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(f"/sessions/{evening.pk}/")
    expect(page.get_by_text("Anna").first).to_be_visible()
