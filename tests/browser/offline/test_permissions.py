"""A hand is kept while its form token has expired, its phone is signed out, or its member may not write."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, Member, Role, User
from sessions_app.readers.people.phones import token_of
from sessions_app.writers import circles
from sessions_app.writers import phones as own_phones
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, enter_offline
from tests.browser.phones import rows, url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)

SIGNED_OUT = "This phone is no longer signed in."


@pytest.fixture
def page(kept_phone: Callable[..., Page], evening: Evening, owner: User, expected: set[str]) -> Page:
    """The owner's phone, without network, on which hand 1 waits."""
    expected.update(("403", "404"))
    page = kept_phone(owner, evening)
    save_first(page)
    return page


def save_first(page: Page) -> None:
    page.get_by_role("link", name="Enter hand 1").tap()
    page.context.set_offline(True)
    enter_offline(page, 1, **THREE[0])


def is_recorded(page: Page, evening: Evening) -> None:
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_form_token_that_has_expired_loses_nothing(page: Page, evening: Evening):
    page.context.clear_cookies(name="csrftoken")
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    phones.tap_in(page, **THREE[1])
    page.context.clear_cookies(name="csrftoken")
    page.context.route("**/token/", lambda route: route.abort("internetdisconnected"))
    phones.save(page, 2)
    expect(page.get_by_text("Nothing was lost: press Save again.")).to_be_visible()
    assert [entry["state"] for entry in phones.outbox(page)] == ["refused"], "kept until it is saved"
    page.context.unroute("**/token/")
    phones.save(page, 2)
    expect(page.locator("#hand-2")).to_be_visible()
    page.get_by_role("link", name="Enter hand 3").tap()
    phones.tap_in(page, **THREE[2])
    page.context.clear_cookies(name="csrftoken")
    phones.save(page, 3)
    phones.settled(page, evening, (-6, -6, 12))
    assert phones.recorded(evening) == IN_THE_LEDGER


def test_hand_of_a_signed_out_phone_is_kept_until_it_is_signed_in_again(
    page: Page, evening: Evening, owner: User, sign_in: Callable[..., None]
):
    sign_in(page, None)
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    page.get_by_role("link", name="Decide on the sheet").tap()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(rows(page)).to_contain_text(SIGNED_OUT)
    phones.sign(page, "waiting (1)")
    sign_in(page, owner)
    is_recorded(page, evening)
    # Signed out while it saves.
    page.get_by_role("link", name="Enter hand 2").tap()
    phones.tap_in(page, **THREE[1])
    page.wait_for_load_state("networkidle")
    sign_in(page, None)
    phones.save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    expect(page.locator("[name=contract][value='1']")).to_be_checked()
    assert [entry["reason"] for entry in phones.outbox(page)] == ["signed-out"]


def test_hand_of_a_phone_ended_from_another_one_is_kept_until_that_opens_the_book_on_it_again(
    page: Page, phone_of: Callable[..., Page], evening: Evening, owner: User
):
    other = phone_of(owner, "/me/")
    other.locator("summary", has_text="Sign out everywhere else").tap()
    with other.expect_response(lambda response: response.url.endswith("/me/phones/end-others/")):
        other.get_by_role("button", name="Sign out everywhere else").tap()
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    page.goto(f"/link/{token_of(own_phones.make_link(owner))}/")
    expect(rows(page)).to_contain_text(SIGNED_OUT)
    page.get_by_role("button", name="Yes, this is my phone").tap()
    expect(page.get_by_text("Now agree on the other phone.")).to_be_visible()
    assert own_phones.agree_link(owner, owner.phone_links.get().pk)
    page.get_by_role("button", name="Open my circles").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    is_recorded(page, evening)


def test_hand_that_is_just_sent_as_its_phone_is_ended_says_that_the_phone_is_signed_out(
    page: Page, evening: Evening, owner: User
):
    def end_and_send(route: Route) -> None:
        own_phones.end_others(owner, own_phones.of_old_session(owner, ""))
        route.continue_()

    page.route("**/hands/new/", end_and_send, times=1)
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    assert phones.recorded(evening) == []


def test_hand_of_a_circle_that_was_deleted_or_of_a_member_that_was_removed_says_so(
    page: Page, kept_phone: Callable[..., Page], evening: Evening
):
    circles.delete(evening.circle_id)
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("This circle is closed: nobody can write to it.")
    circles.undelete(evening.circle_id)
    is_recorded(page, evening)
    keeper = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    other = kept_phone(keeper, evening)
    other.get_by_role("link", name="Enter hand 2").tap()
    other.context.set_offline(True)
    enter_offline(other, 2, **THREE[1])
    Member.objects.filter(user=keeper).delete()
    other.context.set_offline(False)
    expect(other.locator("#hand-news")).to_contain_text("This phone no longer belongs to the circle.")
    other.goto("/")
    expect(rows(other)).to_contain_text("This phone no longer belongs to the circle.")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
