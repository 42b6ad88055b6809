"""Ways into a book: a passkey, with Chromium's virtual authenticator, a spare key, a link to another phone; merges."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.drawing.svg_parts import qr_code
from sessions_app.models import Evening, Passkey, Revision, User
from sessions_app.writers import circles, evenings
from tests.browser.offline.no_network import THREE, enter_offline
from tests.browser.phones import url
from tests.factories import UserFactory, evening_of, record

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


def keep_by_passkey(page: Page) -> None:
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()


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
    keep_by_passkey(page)
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


# --- A second phone, and without scripts a third ---


def let_in(first: Page, second: Page) -> None:
    """Let the second phone into the first one's book by the typed code; without scripts both pages are loaded anew."""
    first.get_by_role("button", name="Another phone of mine").tap()
    second.goto("/join/")
    second.get_by_role("textbox").fill(first.locator(".typed-code").inner_text())
    second.get_by_role("textbox").press("Enter")
    second.get_by_role("button", name="Yes, this is my phone").tap()
    first.reload()
    first.get_by_role("button", name="It is mine: let it in").tap()
    second.reload()
    second.get_by_role("button", name="Open my circles").tap()
    expect(second.get_by_role("link", name="New session")).to_be_visible()


def open_by_spare_key(maker: Page, opener: Page) -> None:
    maker.goto("/me/")
    maker.get_by_role("button", name="Make a spare key").tap()
    expect(maker.locator(".key-words li")).to_have_count(12)
    words = maker.locator(".key-words li").all_inner_texts()
    opener.goto("/spare-key/")
    opener.get_by_role("textbox").fill(" ".join(words))
    opener.get_by_role("button", name="Open my book").tap()
    opener.get_by_role("link", name="I have written it down").tap()
    expect(opener.get_by_role("link", name="New session")).to_be_visible()


def test_without_scripts_all_but_the_passkey_works(
    phone_of: Callable[..., Page], evening: Evening, owner: User, expected: set[str]
):
    expected.add("404")  # the first phone goes on asking after it is signed out
    first, second, third = (phone_of(user, "/me/", java_script_enabled=False) for user in (owner, None, None))
    expect(first.get_by_role("button", name="Keep my book")).to_be_hidden()
    assert "A passkey needs scripts, which are off. A spare key works." in first.content()
    first.get_by_role("button", name="The left hand").tap()
    expect(first.get_by_role("button", name="The left hand")).to_have_attribute("aria-pressed", "true")
    let_in(first, second)
    open_by_spare_key(second, third)
    third.goto(f"/circles/{evening.circle_id}/delete/")
    third.get_by_role("textbox").fill("Anna, Béla, Cili")
    third.get_by_role("button", name="Delete the circle").tap()
    third.get_by_role("button", name="Do not delete it").tap()
    expect(third.get_by_role("button", name="Do not delete it")).to_be_hidden()
    third.goto("/me/")
    third.locator("summary", has_text="Sign out everywhere else").tap()
    third.get_by_role("button", name="Sign out everywhere else").tap()
    expect(third.locator(".own-phones > li")).to_have_count(1)
    second.goto("/me/")
    expect(second.get_by_text("Nothing is kept for this phone yet.")).to_be_visible()
    third.get_by_role("link", name="Delete my book").tap()
    third.get_by_role("checkbox").check()
    third.get_by_role("button", name="Delete my book").tap()
    expect(third.get_by_role("button", name="See it at work")).to_be_visible()
    assert not User.objects.filter(pk=owner.pk).exists()


def test_second_phone_comes_in_while_the_link_of_the_first_can_be_selected(
    phone_of: Callable[..., Page], evening: Evening, owner: User
):
    first, second = phone_of(owner, "/me/"), phone_of(None, "/")
    first.get_by_role("button", name="Another phone of mine").tap()
    first.get_by_label("Link", exact=True).select_text()
    link = first.evaluate("() => getSelection().toString()")
    with first.expect_response("**/me/link/?live=*") as news:
        pass
    assert (news.value.status, first.evaluate("() => getSelection().toString()")) == (204, link)
    assert first.locator("svg.qr path").last.get_attribute("d") == qr_code(link).path
    second.goto(link)
    second.get_by_role("button", name="Yes, this is my phone").tap()
    first.get_by_role("button", name="It is mine: let it in").tap()
    second.get_by_role("button", name="Open my circles").tap()
    is_open(second, evening)
    expect(first.get_by_text("Done: the other phone is signed in.")).to_be_visible()


# --- A guest with a circle of its own opens a kept book, takes the circle along, and is taken apart again ---


def enter_waiting_hand(at_the_table: Page, theirs: Evening) -> None:
    for path in ("/me/", url(theirs)):
        at_the_table.goto(path)
    at_the_table.get_by_role("link", name="Enter hand 1").tap()
    at_the_table.context.set_offline(True)
    enter_offline(at_the_table, 1, **THREE[0])


def take_along(page: Page) -> None:
    page.goto("/passkey/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_text("This phone brings 1 circle:")).to_be_visible()
    expect(page.locator(".brought")).to_have_text(["Mondays", "Fridays"])
    page.get_by_role("button", name="Take them along into my book").dblclick()
    expect(page.get_by_role("link", name="New session")).to_be_visible()


def take_apart(page: Page) -> None:
    page.goto("/me/")
    page.get_by_role("link", name="Take apart again").tap()
    expect(page.locator(".brought")).to_have_text(["Mondays"])
    page.get_by_role("button", name="Take apart", exact=True).tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()


def test_guest_s_circle_comes_along_into_a_kept_book_with_a_waiting_hand_and_goes_back(
    page: Page,
    kept_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
):
    expected.add("404")
    guest = UserFactory()
    theirs = evening_of(guest)
    circles.rename(evening.circle_id, "Fridays")
    circles.rename(theirs.circle_id, "Mondays")
    page.goto("/me/")
    keep_by_passkey(page)
    sign_in(page, guest)
    page.goto("/me/")
    at_the_table = kept_phone(guest, theirs)
    enter_waiting_hand(at_the_table, theirs)
    take_along(page)
    for session in (evening, theirs):
        page.goto(url(session))
        expect(page.get_by_text("Anna").first).to_be_visible()
    at_the_table.context.set_offline(False)
    expect(at_the_table.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert Revision.objects.get().made_by == owner
    take_apart(page)
    page.goto(url(theirs))
    expect(page.locator("#hand-1")).to_be_visible()
    answer = page.goto(url(evening))
    assert answer is not None
    assert answer.status == 404
