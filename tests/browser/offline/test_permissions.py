"""A hand is kept while its form token has expired, its phone is signed out, or its member may not write."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, Member, Role, User
from sessions_app.readers.people.phones import token_of
from sessions_app.writers import circles
from sessions_app.writers import phones as own_phones
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, cut, enter_offline, mend
from tests.browser.phones import rows, url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_a_form_token_that_has_expired_loses_nothing(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    page.context.clear_cookies(name="csrftoken")
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


@pytest.mark.thorough
def test_a_form_token_that_has_expired_online_is_renewed_without_a_word(
    page: Page, evening: Evening, expected: set[str]
):
    expected.add("403")
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.context.clear_cookies(name="csrftoken")
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


@pytest.mark.thorough
def test_a_form_token_that_cannot_be_renewed_gives_the_form_back(page: Page, evening: Evening, expected: set[str]):
    expected.add("403")
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.context.clear_cookies(name="csrftoken")
    page.context.route("**/token/", lambda route: route.abort("internetdisconnected"))
    phones.save(page, 1)
    expect(page.get_by_text("Nothing was lost: press Save again.")).to_be_visible()
    assert [entry["state"] for entry in phones.outbox(page)] == ["refused"], "kept until it is saved"
    page.context.unroute("**/token/")
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_hand_of_a_signed_out_phone_is_kept_until_it_is_signed_in_again(
    page: Page, evening: Evening, owner: User, sign_in: Callable[..., None], expected: set[str]
):
    expected.update(("403", "404"))
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    sign_in(page, None)
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    page.get_by_role("link", name="Decide on the sheet").tap()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(rows(page)).to_contain_text("This phone is no longer signed in.")
    phones.sign(page, "waiting (1)")
    sign_in(page, owner)
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_hand_of_a_phone_ended_from_another_one_is_kept_until_that_opens_the_book_on_it_again(
    page: Page,
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
):
    expected.update(("403", "404"))
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    other = new_phone()
    sign_in(other, owner)
    other.goto("/me/")
    other.locator("summary", has_text="Sign out everywhere else").tap()
    with other.expect_response(lambda response: response.url.endswith("/me/phones/end-others/")):
        other.get_by_role("button", name="Sign out everywhere else").tap()
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    page.goto(f"/link/{token_of(own_phones.make_link(owner))}/")
    expect(rows(page)).to_contain_text("This phone is no longer signed in.")
    page.get_by_role("button", name="Yes, this is my phone").tap()
    expect(page.get_by_text("Now agree on the other phone.")).to_be_visible()
    assert own_phones.agree_link(owner, owner.phone_links.get().pk)
    page.get_by_role("button", name="Open my circles").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_hand_that_is_just_sent_as_its_phone_is_ended_says_that_the_phone_is_signed_out(
    page: Page, evening: Evening, owner: User, expected: set[str]
):
    expected.add("404")
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])

    def end_and_send(route: Route) -> None:
        own_phones.end_others(owner, own_phones.of_old_session(owner, ""))
        route.continue_()

    page.route("**/hands/new/", end_and_send, times=1)
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    assert phones.recorded(evening) == []


def test_hand_of_a_circle_that_was_deleted_meanwhile_says_so_and_is_sent_once_that_is_taken_back(
    page: Page, evening: Evening, expected: set[str]
):
    expected.add("403")
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    circles.delete(evening.circle_id)
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This circle is closed: nobody can write to it.")
    circles.undelete(evening.circle_id)
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


@pytest.mark.thorough
def test_hand_is_kept_when_the_phone_is_signed_out_while_saving(
    page: Page, evening: Evening, sign_in: Callable[..., None], expected: set[str]
):
    expected.update(("403", "404"))
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.wait_for_load_state("networkidle")
    sign_in(page, None)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    expect(page.locator("[name=contract][value='2']")).to_be_checked()
    assert [entry["reason"] for entry in phones.outbox(page)] == ["signed-out"]
    assert phones.recorded(evening) == []


@pytest.mark.thorough
def test_hand_is_kept_when_the_member_was_removed_meanwhile(
    phone_of: Callable[..., Page], evening: Evening, expected: set[str]
):
    expected.add("404")
    keeper = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    page = phone_of(keeper, evening)
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    Member.objects.filter(user=keeper).delete()
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone no longer belongs to the circle.")
    page.goto("/")
    expect(rows(page)).to_contain_text("This phone no longer belongs to the circle.")
    assert phones.recorded(evening) == []
