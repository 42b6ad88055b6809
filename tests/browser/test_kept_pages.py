"""The pages that the service worker keeps for offline use, their users, and their deletion."""

import re
from collections.abc import Callable
from threading import Event
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Member, Role, User
from sessions_app.writers import evenings
from tests.browser import phones, thumb
from tests.browser.phones import NO_NETWORK, url
from tests.factories import MemberFactory, UserFactory, evening_of, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    """The owner's phone on the sheet of an evening of two hands, kept by the worker."""
    expected.update((NO_NETWORK, "404"))
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=1)
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening))
    phones.kept(page)
    return page


def no_network(page: Page, path: str) -> None:
    """This address shows nothing of the evening without network, but says that there is none."""
    page.context.set_offline(True)
    page.goto(path)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.locator("[data-balance]")).to_have_count(0)


def leave(page: Page) -> None:
    """Show nothing: the sheet would see that it is denied, and load itself anew in the midst of the next visit."""
    page.goto("about:blank")


def remove_owner(owner: User) -> None:
    """Another owner runs the circle from now on."""
    member = Member.objects.get(user=owner)
    member.delete()
    MemberFactory(circle=member.circle, role=Role.OWNER)


def test_the_sheet_is_there_as_it_was_last_seen(page: Page, evening: Evening, owner: User):
    """Including the live updates since."""
    record(evening, owner, "1S 8", declarer=2)
    expect(page.locator("#hand-3")).to_be_attached()
    phones.until(page, f"(await (await caches.match('{url(evening)}')).text()).includes('hand-3')")
    page.context.set_offline(True)
    page.reload()
    thumb.expect_balances(page, (-24, 12, 12))
    phones.sign(page, "offline")
    page.goto(url(evening, "?saved=3"))
    expect(page.locator("#hand-3")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("before", [["members/"], ["members/", "settle/"], ["settle/", "members/", "table/"]])
def test_a_page_that_was_on_its_way_when_the_worker_became_active_is_kept_too(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    before: list[str],
):
    page = new_phone()
    sign_in(page, owner)
    for path in before:
        page.goto(url(evening, path))
    page.goto(url(evening))
    phones.kept(page)


@pytest.mark.thorough
def test_the_form_is_there_though_it_was_never_open(page: Page, evening: Evening):
    page.context.set_offline(True)
    page.get_by_role("link", name="Enter hand 3").tap()
    first = page.locator("[name=token]").input_value()
    phones.tap_in(page, "Cili")
    phones.save(page, 3)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    page.get_by_role("link", name="Enter hand 4").tap()
    expect(page.get_by_role("button", name="Save hand 4")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 4 ·")
    assert page.locator("[name=dealer]:checked").get_attribute("value") == "0"
    assert page.locator("[name=token]").input_value() != first


@pytest.mark.thorough
def test_the_tables_that_it_names_are_kept_with_it_and_not_asked_for_again(page: Page, evening: Evening):
    asked: list[str] = []
    page.context.on("request", lambda request: request.service_worker and asked.append(request.url))
    with page.expect_response("**/count-tables/**") as response:
        page.goto(url(evening, "hands/new/"))
    assert response.value.from_service_worker
    assert [address for address in asked if "/hands/new/" in address]
    assert [address for address in asked if "/count-tables/" in address] == []


@pytest.mark.thorough
def test_the_way_back_leads_to_a_page_though_tables_are_kept_before_it(page: Page, owner: User):
    other = evening_of(owner)
    form = url(other, "hands/new/")
    page.goto(form)
    phones.until(page, f"(await pages()).join() === '{form}' && (await hasTables())")
    no_network(page, url(other, "settle/"))
    page.get_by_role("link", name="The session as last seen").tap()
    expect(page.get_by_role("button", name="Save hand 1")).to_be_visible()


@pytest.mark.thorough
def test_all_other_pages_say_that_there_is_no_network_and_lead_back(page: Page, evening: Evening):
    no_network(page, url(evening, "settle/"))
    page.get_by_role("link", name="The session as last seen").tap()
    expect(page.locator("#hand-2")).to_be_visible()
    page.get_by_role("button", name="Magyar").tap()
    expect(page.locator("#no-network")).to_have_text(re.compile("No network: “Magyar” was not done."))
    expect(page.locator("#hand-2")).to_be_visible()
    page.context.set_offline(False)
    page.goto(url(evening, "settle/"))
    expect(page.get_by_role("heading", name="Settle up")).to_be_visible()


@pytest.mark.thorough
def test_another_session_takes_the_place_of_the_first(page: Page, evening: Evening, owner: User):
    other = evening_of(owner, names=("Xénia", "Yvette", "Zita"))
    page.goto(url(other))
    phones.until(
        page, f"(await stored()).every((page) => page.startsWith('{url(other)}')) && (await stored()).length === 3"
    )
    no_network(page, url(evening))


@pytest.mark.thorough
def test_sign_in_of_another_user_deletes_the_kept_pages(
    page: Page, evening: Evening, sign_in: Callable[[Page, User | None], None]
):
    leave(page)
    sign_in(page, UserFactory())
    page.goto("/")
    phones.until(page, "(await stored()).length === 0")
    no_network(page, url(evening))


def test_lost_sign_in_deletes_the_kept_pages(
    page: Page, evening: Evening, sign_in: Callable[[Page, User | None], None]
):
    leave(page)
    sign_in(page, None)
    page.goto("/sessions/")
    phones.until(page, "(await pages()).length === 0")
    no_network(page, url(evening))


@pytest.mark.thorough
def test_a_hand_that_is_not_there_is_no_reason_to_forget_the_evening(page: Page, evening: Evening, owner: User):
    """Nor is a page that this phone may not open; but it is one to ask whether the table is open to it still."""
    with page.context.expect_event("response", lambda answer: answer.request.method == "HEAD"):
        page.goto(url(evening, "hands/99/"))
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    phones.kept(page)
    remove_owner(owner)
    page.goto(url(evening, "hands/99/"))
    phones.until(page, "(await pages()).length === 0")


@pytest.mark.thorough
def test_removed_member_s_phone_keeps_nothing_from_its_first_page_on(page: Page, evening: Evening, owner: User):
    page.goto("/")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    phones.kept(page)
    remove_owner(owner)
    page.goto("/")
    phones.until(page, "(await pages()).length === 0")
    no_network(page, url(evening))


@pytest.mark.thorough
def test_leaving_the_table_by_its_button_leaves_nothing_on_the_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, expected: set[str]
):
    expected.add(NO_NETWORK)
    page = new_phone()
    sign_in(page, MemberFactory(circle=evening.circle, role=Role.KEEPER).user)
    page.goto(url(evening))
    phones.kept(page)
    page.goto(url(evening, "members/"))
    page.get_by_text("Leave this circle").tap()
    page.get_by_role("button", name="Leave the circle").tap()
    expect(page).to_have_url(re.compile(r":\d+/$"))
    phones.until(page, "(await pages()).length === 0")
    no_network(page, url(evening))


@pytest.mark.thorough
def test_an_ended_session_is_not_kept_anew(page: Page, evening: Evening, owner: User):
    ended = evening_of(owner)
    evenings.end(ended.pk)
    page.goto(url(ended))
    phones.until(page, "(await pages()).length === 0")


def test_a_viewer_s_phone_keeps_the_sheet_alone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, expected: set[str]
):
    expected.add(NO_NETWORK)
    page = new_phone()
    sign_in(page, MemberFactory(circle=evening.circle, role=Role.VIEWER).user)
    page.goto(url(evening))
    phones.until(page, f"(await pages()).join() === '{url(evening)}'")
    no_network(page, url(evening, "hands/new/"))


@pytest.mark.thorough
def test_a_server_that_takes_too_long_is_not_waited_for(page: Page, evening: Evening):
    answer = Event()
    with patch("sessions_app.writers.members.note_presence", lambda *_: answer.wait(20)):
        page.goto(url(evening))
        expect(page.locator("body")).to_have_attribute("data-kept", "")
        expect(page.locator("#hand-2")).to_be_visible()
        answer.set()
    phones.sign(page, "saved")


@pytest.mark.thorough
def test_pages_of_an_evening_are_kept_in_its_own_cache_only(page: Page):
    names = page.evaluate("caches.keys()")
    assert sorted(name.partition(":")[0] for name in names) == ["pages", "shell"]
    shell = page.evaluate("""async () => {
        const name = (await caches.keys()).find((one) => one.startsWith("shell:"));
        return (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
    }""")
    assert all(path.startswith(("/static/", "/messages/")) or path == "/offline/" for path in shell)
