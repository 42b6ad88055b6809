"""A post that is not queued is done by the server, or reported as not done; the page stays as it was."""

import re
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, Phones, url
from tests.factories import record
from tests.views.failing import FULL, GONE, LOCKED

pytestmark = pytest.mark.django_db(transaction=True)

NOT_DONE = "No network: “{}” was not done. Nothing is lost: try again."
UNSURE = "No answer: “{}” may or may not have been done. The page shows it when you are back online."
FAILED = "The server cannot save right now: “{}” was not done. Nothing is lost: try again."


@pytest.fixture
def page(phone_of: Phones, evening: Evening, owner: User, expected: set[str]) -> Page:
    """The owner's phone at the page of hand 1, which is not kept."""
    expected.update((NO_NETWORK, "403", "409", "503"))
    record(evening, owner, "2H 7", declarer=1)
    return phone_of(owner, url(evening, "hands/1/"), phones.NO_WORKER)


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def said(page: Page, words: str) -> None:
    expect(page.get_by_role("alert").filter(visible=True)).to_have_text(words)


def is_void() -> bool:
    return Hand.objects.get().is_void


def test_act_without_network_is_reported_as_not_done_and_done_by_the_next_tap_online(page: Page, evening: Evening):
    for path, button in (("", "Magyar"), ("settle/", "End session"), ("hands/1/", "Void")):
        page.goto(url(evening, path))
        page.context.set_offline(True)
        tap(page, button)
        said(page, NOT_DONE.format(button))
        expect(page).to_have_url(re.compile(re.escape(url(evening, path)) + "$"))
        expect(page.get_by_role("button", name=button, exact=True)).to_be_enabled()
        page.context.set_offline(False)
    evening.refresh_from_db()
    assert (is_void(), evening.has_ended) == (False, False)
    tap(page, "Void")
    expect(page.get_by_text("This hand is void")).to_be_visible()


def test_act_that_fails_or_is_not_answered_is_reported_and_the_form_stays(page: Page, evening: Evening):
    def write_and_lose(route: Route) -> None:
        route.fetch()
        route.abort("internetdisconnected")

    page.goto(url(evening, "hands/1/edit/"))
    page.locator("[name=tricks][value='8']").tap()
    with patch("sessions_app.writers.ledger.amend", side_effect=FULL):
        tap(page, "Save hand 1")
        expect(page.locator("#no-network")).to_have_text(FAILED.format("Save hand 1"))
    expect(page.locator("[name=tricks][value='8']")).to_be_checked()
    page.goto(url(evening, "hands/1/"))
    with patch("sessions_app.writers.ledger.void", side_effect=LOCKED):
        tap(page, "Void")
        said(page, FAILED.format("Void"))
    with patch("sessions_app.writers.ledger.void", side_effect=GONE):
        tap(page, "Void")
        said(page, UNSURE.format("Void"))
    page.goto(url(evening, "hands/1/"))
    page.route("**/void/", lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Hotel</h1>"))
    tap(page, "Void")
    said(page, UNSURE.format("Void"))
    expect(page.get_by_text("Hotel")).to_have_count(0)
    assert not is_void()
    page.goto(url(evening, "hands/1/"))
    page.route("**/void/", write_and_lose)
    tap(page, "Void")
    expect(page.get_by_role("alert").filter(visible=True)).to_be_visible()
    # The page looks again when it has heard from the server.
    phones.look_again(page)
    expect(page.get_by_text("This hand is void")).to_be_visible()


def test_double_tap_posts_once_an_expired_token_is_renewed_and_a_refused_act_shows_the_server_s_page(
    page: Page, evening: Evening
):
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.get_by_role("button", name="Void").dblclick()
    expect(page.get_by_text("This hand is void")).to_be_visible()
    assert len(sent) == 1
    page.context.clear_cookies(name="csrftoken")
    tap(page, "Restore")
    expect(page.get_by_role("button", name="Void")).to_be_visible()
    assert not is_void()
    evenings.end(evening.pk)
    tap(page, "Void")
    expect(page.get_by_role("heading", name="This session has ended")).to_be_visible()
    expect(page.get_by_role("button", name="Void")).to_have_count(0)
    evenings.reopen(evening.pk)
    page.go_back()
    expect(page.get_by_role("button", name="Void")).to_be_visible()
    page.goto(url(evening, "referee/"))
    page.context.clear_cookies(name="csrftoken")
    expect(page.get_by_role("heading", name="Cili calls")).to_be_visible()
    tap(page, "pass")
    expect(page.get_by_role("heading", name="Anna calls")).to_be_visible()
