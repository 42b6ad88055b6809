"""Hands saved without network wait on the phone, and are on the sheet once, in order, afterwards."""

import re
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones, thumb
from tests.browser.offline.no_network import BALANCES, IN_THE_LEDGER, THREE, cut, enter_offline, mend
from tests.browser.phones import NO_NETWORK, rows, url

pytestmark = pytest.mark.django_db(transaction=True)


def test_three_hands_in_a_cellar_are_on_the_sheet_afterwards_in_order_and_once(page: Page, evening: Evening):
    """The network goes in the moment of saving; the page is closed and opened again before it comes back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    cut(page)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    enter_offline(page, 2, **THREE[1])
    enter_offline(page, 3, **THREE[2])
    phones.sign(page, "waiting (3)")
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(url(evening))
    expect(rows(page)).to_have_text([re.compile("Anna · 2"), re.compile("Cili · 1"), re.compile("Béla · 2")])
    expect(rows(page).first).to_contain_text("waiting")
    phones.sign(page, "waiting (3)")
    assert phones.recorded(evening) == []
    mend(page)
    phones.settled(page, evening, BALANCES)
    phones.sign(page, "saved")
    assert phones.recorded(evening) == IN_THE_LEDGER
    assert phones.outbox(page) == []


@pytest.mark.thorough
def test_form_is_made_ready_for_the_next_hand_without_network(page: Page, evening: Evening, owner: User):
    """Number and dealer follow, another token is made, and the choices are those of a new form."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    token = page.locator("[name=token]").input_value()
    page.locator(".deal-head > summary").tap()
    enter_offline(page, 1, declarer="Béla", game_kontra=1, arrivazs="won", arrivazs_kontra=2)
    expect(page.locator(".deal-head > summary")).to_have_text(
        re.compile("Hand 2 · .?Béla.? deals · .?Cili.? speaks first")
    )
    assert page.locator("[name=token]").input_value() != token
    assert page.locator("#hand-form :checked").evaluate_all("all => all.map((one) => one.name + '=' + one.value)") == [
        "dealer=1",
        "game_kontra=0",
        "arrivazs=none",
        "arrivazs_kontra=0",
    ]
    entry = phones.outbox(page)[0]
    assert entry["label"] == "Béla · 2 ♥︎ · 7 tricks · kontra ×2 · arrivázs won · rekontra ×4"
    thumb.throw_in(page)
    expect(page.locator(".deal-head > summary")).to_have_text(re.compile("Hand 3 · .?Béla.? deals"))
    thumb.throw_in(page, "deal passes on")
    expect(page.locator(".deal-head > summary")).to_have_text(re.compile("Hand 4 · .?Cili.? deals"))
    enter_offline(page, 4, declarer="Anna", tricks=6, opponent_tricks=5)
    assert phones.outbox(page)[3]["label"] == "Anna · 2 ♥︎ · 6 tricks · 5 : 0"
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("Hand 4 is saved.")
    assert phones.recorded(evening) == [(1, "2H 7 K A+R", 1), (2, "", None), (3, "", None), (4, "2H 6-5-0", 0)]
    assert list(evening.hands.order_by("number").values_list("dealer", flat=True)) == [0, 1, 1, 2]


def test_an_unfinished_hand_is_not_kept_and_what_is_missing_is_said(page: Page):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    page.locator("[name=contract][value='2']").tap()
    expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Still to tap: declarer, trumps, tricks")
    assert phones.outbox(page) == []
    expect(page.locator("[name=contract][value='2']")).to_be_checked()


# --- Saves that come at once, of two phones, two taps or the outbox: each hand is written once, in order ---


@pytest.mark.thorough
def test_two_taps_on_save_in_a_cellar_are_one_hand(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    phones.tap_in(page, **THREE[0])
    page.get_by_role("button", name="Save hand 1").dblclick()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    assert len(phones.outbox(page)) == 1


@pytest.mark.thorough
def test_waiting_hand_is_sent_before_the_one_that_is_saved_after_it(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
):
    """The network is back, and the next hand is saved before the first has been sent by itself."""
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script(phones.NO_WORKER)
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    cut(page)
    enter_offline(page, 1, **THREE[0])
    phones.tap_in(page, **THREE[1])
    page.evaluate("() => { window.flush = outbox.flush; }")
    page.evaluate("() => { outbox.flush = async () => {}; }")
    mend(page)
    phones.sign(page, "waiting (1)")
    page.evaluate("() => { outbox.flush = window.flush; }")
    order: list[str] = []
    page.on("request", lambda request: order.append(request.post_data or "") if request.method == "POST" else None)
    phones.save(page, 2)
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]
    # The second may be sent once more, by the outbox while its own answer is on the way: its token makes that harmless.
    first, *then = ["declarer=1" in hand for hand in order if "number=" in hand]
    assert first
    assert then
    assert not any(then)


# --- A server that breaks or does not answer in time is like no network: the hand waits on the phone ---


@pytest.mark.thorough
def test_a_server_that_does_not_answer_in_time_is_none(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.wait_for_load_state("networkidle")
    page.clock.install()
    page.context.route("**/hands/new/", lambda route: None)
    with page.expect_request("**/hands/new/"):
        phones.save(page, 1)
    page.clock.fast_forward(8_000)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.context.unroute("**/hands/new/")
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


# --- Without IndexedDB the form is given back; with Background Sync a hand is sent though its page is closed ---


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
