"""Ways back into a book: a passkey, with Chromium's virtual authenticator, and a spare key."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Passkey, User
from sessions_app.writers import evenings
from tests.browser.phones import url
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
def page(page: Page, sign_in: Callable[..., None], owner: User) -> Page:
    """The phone of a guest, with an authenticator."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    sign_in(page, owner)
    return page


def is_open(page: Page, evening: Evening) -> None:
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(url(evening))
    expect(page.get_by_text("Anna").first).to_be_visible()


def test_book_kept_after_an_ended_session_is_back_by_passkey_or_spare_key_after_all_cookies_are_lost(
    page: Page, evening: Evening, owner: User, expected: set[str]
):
    expected.add("403")
    record(evening, owner)
    evenings.end(evening.pk)
    page.goto("/")
    page.get_by_role("link", name="Keep my book").tap()
    page.get_by_role("button", name="Keep my book").tap()
    page.get_by_role("button", name="Another passkey").tap()
    expect(page.get_by_text("This phone has a passkey already.")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/")
    page.get_by_role("link", name="I have been here before").tap()
    page.get_by_role("button", name="Open my book").tap()
    is_open(page, evening)
    assert Passkey.objects.get().used_on
    page.goto("/me/")
    page.get_by_role("button", name="Make a spare key").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    words = page.locator(".key-words li").all_inner_texts()
    # A passkey that is gone opens nothing, and leads to the spare key.
    Passkey.objects.all().delete()
    page.context.clear_cookies()
    page.goto("/passkey/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_text("This passkey opens nothing here.")).to_be_visible()
    page.get_by_role("link", name="I have a spare key").tap()
    expect(page.get_by_role("textbox")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"/spare-key/#{'-'.join(words)}")
    expect(page.get_by_role("textbox")).to_have_value(" ".join(words))
    assert page.url.endswith("/spare-key/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    page.get_by_role("link", name="I have written it down").tap()
    is_open(page, evening)
