"""Without IndexedDB the form is given back; with Background Sync a hand is sent though its page is closed."""

import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, cut, enter_offline, mend
from tests.browser.phones import NO_NETWORK, url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_hand_is_saved_by_a_browser_without_indexeddb(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
):
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    phones.tap_in(page, **THREE[0])
    cut(page)
    phones.save(page, 1)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost: try again.")
    mend(page)
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_background_sync_sends_a_hand_when_the_page_is_closed(page: Page, evening: Evening):
    """Background Sync: the browser wakes the worker, and the worker sends."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    context, origin = page.context, page.evaluate("location.origin")
    other = context.new_page()
    page.close()
    mend(other)
    browser = context.new_cdp_session(other)
    registrations: list[Any] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    other.goto("about:blank")
    browser.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": origin,
            "registrationId": registrations[0]["registrationId"],
            "tag": "outbox",
            "lastChance": False,
        },
    )
    waiting, deadline = Event(), time.monotonic() + 30
    while not phones.recorded(evening) and time.monotonic() < deadline:
        waiting.wait(0.05)
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
