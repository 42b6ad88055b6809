"""A hand is kept while its form token has expired, its phone is signed out, or its member may not write."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, Member, Role, User
from sessions_app.writers import circles
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
    page.get_by_role("link", name="Enter hand 1").tap()
    page.context.set_offline(True)
    enter_offline(page, 1, **THREE[0])
    return page


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


def test_hand_is_kept_while_its_phone_is_signed_out_its_circle_is_closed_or_its_member_is_removed(
    page: Page, evening: Evening, owner: User, sign_in: Callable[..., None]
):
    def sign_out_and_send(route: Route) -> None:
        sign_in(page, None)
        route.continue_()

    # It is signed out as the hand is being sent.
    page.route("**/hands/new/", sign_out_and_send, times=1)
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    page.get_by_role("link", name="Decide on the sheet").tap()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(rows(page)).to_contain_text(SIGNED_OUT)
    phones.sign(page, "waiting (1)")
    assert phones.recorded(evening) == []
    sign_in(page, owner)
    circles.delete(evening.circle_id)
    page.goto("/")
    expect(rows(page)).to_contain_text("This circle is closed: nobody can write to it.")
    circles.undelete(evening.circle_id)
    MemberFactory(circle=evening.circle, role=Role.OWNER)
    Member.objects.filter(user=owner).delete()
    page.goto("/")
    expect(rows(page)).to_contain_text("This phone no longer belongs to the circle.")
    MemberFactory(circle=evening.circle, user=owner)
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    # Signed out while it saves.
    page.get_by_role("link", name="Enter hand 2").tap()
    phones.tap_in(page, **THREE[1])
    page.wait_for_load_state("networkidle")
    sign_in(page, None)
    phones.save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text(SIGNED_OUT)
    expect(page.locator("[name=contract][value='1']")).to_be_checked()
    assert [entry["reason"] for entry in phones.outbox(page)] == ["signed-out"]
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
