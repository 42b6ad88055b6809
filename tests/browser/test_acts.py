"""A post that is not queued is done by the server, or reported as not done; the page stays as it was."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url
from tests.factories import record
from tests.selection import first, first_rows

pytestmark = pytest.mark.django_db(transaction=True)

NOT_DONE = "No network: “{}” was not done. Nothing is lost: try again."
UNSURE = "No answer: “{}” may or may not have been done. The page shows it when you are back online."


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    """The owner's phone at the page of hand 1, which is not kept."""
    expected.update((NO_NETWORK, "409"))
    record(evening, owner, "2H 7", declarer=1)
    page = new_phone()
    page.add_init_script(phones.NO_WORKER)
    sign_in(page, owner)
    page.goto(url(evening, "hands/1/"))
    return page


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def said(page: Page, words: str) -> None:
    expect(page.get_by_role("alert").filter(visible=True)).to_have_text(words)


def is_void() -> bool:
    return Hand.objects.get().is_void


@pytest.mark.parametrize(
    ("path", "button"),
    first_rows(
        2,
        [
            ("", "Magyar"),
            ("?saved=1", "Undo"),
            ("settle/", "End session"),
            ("hands/1/", "Void"),
            ("invite/", "Make a link"),
        ],
    ),
)
def test_act_without_network_is_reported_as_not_done_and_the_page_stays(
    page: Page, evening: Evening, path: str, button: str
):
    page.goto(url(evening, path))
    if not page.get_by_role("button", name=button, exact=True).count():
        button = page.locator("main form button").last.inner_text()
    page.context.set_offline(True)
    tap(page, button)
    said(page, NOT_DONE.format(button))
    expect(page).to_have_url(re.compile(re.escape(url(evening, path)) + "$"))
    expect(page.get_by_role("button", name=button, exact=True)).to_be_enabled()
    evening.refresh_from_db()
    assert (is_void(), evening.has_ended) == (False, False)


def test_act_that_failed_offline_is_done_by_the_next_tap_online(page: Page):
    page.context.set_offline(True)
    tap(page, "Void")
    said(page, NOT_DONE.format("Void"))
    page.context.set_offline(False)
    tap(page, "Void")
    expect(page.get_by_text("This hand is void")).to_be_visible()
    tap(page, "Restore")
    expect(page.get_by_role("button", name="Void")).to_be_visible()
    assert not is_void()


@pytest.mark.thorough
def test_act_whose_answer_was_lost_is_reported_as_unsure(page: Page, evening: Evening):
    def write_and_lose(route: Route) -> None:
        route.fetch()
        route.abort("internetdisconnected")

    page.route("**/void/", write_and_lose)
    tap(page, "Void")
    said(page, UNSURE.format("Void"))
    assert is_void()
    # The page looks again when it has heard from the server.
    expect(page.get_by_text("This hand is void")).to_be_visible()


@pytest.mark.thorough
def test_answer_of_a_captive_portal_is_reported_as_unsure(page: Page):
    page.route("**/void/", lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Hotel</h1>"))
    tap(page, "Void")
    said(page, UNSURE.format("Void"))
    expect(page.get_by_text("Hotel")).to_have_count(0)


def test_refused_act_shows_the_server_s_page_and_back_leads_back(page: Page, evening: Evening):
    evenings.end(evening.pk)
    tap(page, "Void")
    expect(page.get_by_role("heading", name="This session has ended")).to_be_visible()
    expect(page.get_by_role("button", name="Void")).to_have_count(0)
    evenings.reopen(evening.pk)
    page.go_back()
    expect(page.get_by_role("button", name="Void")).to_be_visible()


@pytest.mark.parametrize("whose", first(1, ["a plain form", "the referee"]))
def test_expired_csrf_token_is_renewed_by_itself(page: Page, evening: Evening, expected: set[str], whose: str):
    expected.add("403")
    if whose == "the referee":
        page.goto(url(evening, "referee/"))
    page.context.clear_cookies(name="csrftoken")
    if whose == "the referee":
        tap(page, "pass")
        expect(page.get_by_text("is to call")).to_be_visible()
    else:
        tap(page, "Void")
        expect(page.get_by_text("This hand is void")).to_be_visible()


def test_double_tap_on_a_button_posts_once(page: Page):
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.get_by_role("button", name="Void").dblclick()
    expect(page.get_by_text("This hand is void")).to_be_visible()
    assert len(sent) == 1
