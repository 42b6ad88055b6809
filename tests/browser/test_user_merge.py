"""A guest with a circle of its own opens a kept book by a passkey, takes the circle along, and is taken apart again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Revision, User
from sessions_app.writers import circles
from tests.browser import phones
from tests.browser.offline.no_network import THREE, cut, enter_offline, mend
from tests.browser.phones import NO_NETWORK, url
from tests.browser.test_keys import AUTHENTICATOR
from tests.factories import UserFactory, evening_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def theirs(evening: Evening) -> Evening:
    """The session of a guest, in a circle of its own beside the owner's."""
    other = evening_of(UserFactory())
    circles.rename(evening.circle_id, "Fridays")
    circles.rename(other.circle_id, "Mondays")
    return other


def keep_by_passkey(page: Page) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto("/me/")
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()


def take_apart(page: Page) -> None:
    page.goto("/me/")
    page.get_by_role("link", name="Take apart again").tap()
    expect(page.locator(".brought")).to_have_text(["Mondays"])
    page.get_by_role("button", name="Take apart", exact=True).tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()


def test_guest_s_circle_comes_along_into_a_kept_book_with_a_waiting_hand_and_goes_back(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    theirs: Evening,
    owner: User,
    expected: set[str],
):
    expected.update((NO_NETWORK, "404"))
    guest = theirs.circle.members.get().user
    page, at_the_table = new_phone(), new_phone()
    sign_in(page, owner)
    keep_by_passkey(page)
    for phone in (page, at_the_table):
        sign_in(phone, guest)
        phone.goto("/me/")
    at_the_table.goto(url(theirs))
    phones.kept(at_the_table)
    at_the_table.get_by_role("link", name="Enter hand 1").tap()
    cut(at_the_table)
    enter_offline(at_the_table, 1, **THREE[0])

    page.goto("/passkey/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_text("This phone brings 1 circle:")).to_be_visible()
    expect(page.locator(".brought")).to_have_text(["Mondays", "Fridays"])
    page.get_by_role("button", name="Take them along into my book").dblclick()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    for session in (evening, theirs):
        page.goto(url(session))
        expect(page.get_by_text("Anna").first).to_be_visible()
    mend(at_the_table)
    expect(at_the_table.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert Revision.objects.get().made_by == owner

    take_apart(page)
    page.goto(url(theirs))
    expect(page.locator("#hand-1")).to_be_visible()
    answer = page.goto(url(evening))
    assert answer is not None
    assert answer.status == 404
