"""Hands saved without network, or whose answer is lost, wait on the phone, and are on the sheet once, in order."""

import re
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from tests.browser import phones
from tests.browser.offline.no_network import BALANCES, IN_THE_LEDGER, THREE, enter_offline, lose_the_answer
from tests.browser.phones import NO_NETWORK, rows, url
from tests.factories import record
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(kept_phone: Callable[..., Page], evening: Evening, owner: User) -> Page:
    return kept_phone(owner, evening)


def chosen(page: Page) -> list[str]:
    all_chosen: list[str] = page.locator("#hand-form :checked").evaluate_all(
        "all => all.map((one) => `${one.name}=${one.value}`)"
    )
    return all_chosen


def test_hands_saved_in_a_cellar_are_on_the_sheet_afterwards_in_order_and_once(page: Page, evening: Evening):
    """The network goes in the moment of saving; the page is closed and opened again before it comes back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    page.locator("[name=declarer][data-said='Béla']").tap()
    expect(page.locator("#count")).to_contain_text("Still to tap")
    page.context.set_offline(True)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Still to tap: contract, trumps, tricks")
    assert phones.outbox(page) == [], "an unfinished hand is not kept"
    phones.tap_in(page, **THREE[0], game_kontra=1)
    token = page.locator("[name=token]").input_value()
    page.get_by_role("button", name="Save hand 1").dblclick()
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    expect(page.locator(".deal-head > summary")).to_have_text(
        re.compile("Hand 2 · .?Béla.? deals · .?Cili.? speaks first")
    )
    assert page.locator("[name=token]").input_value() != token
    assert chosen(page) == ["dealer=1", "game_kontra=0", "arrivazs=none", "arrivazs_kontra=0"], "those of a new form"
    assert [entry["label"] for entry in phones.outbox(page)] == ["Béla · 2 ♥︎ · 7 tricks · kontra ×2"]
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
    page.context.set_offline(False)
    phones.settled(page, evening, (-12, 6, 6))
    phones.sign(page, "saved")
    assert phones.recorded(evening) == [(1, "2H 7 K", 1), *IN_THE_LEDGER[1:]]
    assert phones.outbox(page) == []


def test_second_tap_of_a_double_tap_on_save_neither_saves_the_next_hand_nor_reaches_a_choice_below(
    phone_of: Callable[..., Page], evening: Evening, owner: User, expected: set[str]
):
    """The phone has made the form ready for the next hand between the two taps."""
    expected.add(NO_NETWORK)
    page = phone_of(owner, url(evening, "hands/new/"), phones.NO_WORKER, viewport={"width": 320, "height": 480})
    page.clock.install()
    page.context.set_offline(True)
    phones.tap_in(page, **THREE[0])
    phones.stop_clock(page)
    page.evaluate("() => { window.taps = 0; addEventListener('click', () => { taps += 1; }, true); }")
    box = page.get_by_role("button", name="Save hand 1").bounding_box()
    assert box
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*place)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    assert page.evaluate("(place) => document.elementsFromPoint(...place).some((it) => it.matches('.choice'))", place)
    fresh = chosen(page)
    page.touchscreen.tap(*place)
    page.wait_for_function("() => taps === 2")
    page.get_by_role("button", name="Save hand 2").press("Enter")
    page.wait_for_function("() => taps === 3")
    assert chosen(page) == fresh
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.clock.run_for(500)
    page.touchscreen.tap(*place)
    expect(page.locator("#hand-news")).to_contain_text("Still to tap: declarer")


def test_waiting_hand_is_sent_before_the_one_that_is_saved_after_it(
    phone_of: Callable[..., Page], evening: Evening, owner: User, expected: set[str]
):
    """The network is back, and the next hand is saved before the first has been sent by itself."""
    expected.add(NO_NETWORK)
    page = phone_of(owner, url(evening, "hands/new/"), phones.NO_WORKER)
    page.context.set_offline(True)
    enter_offline(page, 1, **THREE[0])
    phones.tap_in(page, **THREE[1])
    page.evaluate("() => { window.flush = outbox.flush; outbox.flush = async () => {}; }")
    page.context.set_offline(False)
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


# --- The server has written a hand, or is about to, and the phone does not hear of it ---


def test_hand_whose_request_or_answer_is_lost_is_written_once(page: Page, evening: Evening):
    def lose(route: Route) -> None:
        route.abort("internetdisconnected") if route.request.method == "POST" else route.fallback()

    lose_the_answer(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
    phones.tap_in(page, **THREE[1])
    page.context.unroute("**/hands/new/")
    page.evaluate("outbox.flush()")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    # The network loses the second twice.
    page.context.route("**/hands/new/", lose)
    phones.save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")
    page.evaluate("outbox.flush({ again: true })")
    page.context.unroute("**/hands/new/")
    page.evaluate("outbox.flush({ again: true })")
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is saved.")
    # The server does not answer the third in time.
    phones.tap_in(page, **THREE[2])
    page.wait_for_load_state("networkidle")
    page.clock.install()
    page.context.route("**/hands/new/", lambda route: None)
    with page.expect_request("**/hands/new/"):
        phones.save(page, 3)
    page.clock.fast_forward(8_000)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is waiting on this phone")
    page.context.unroute("**/hands/new/")
    # The next poll sends it.
    page.clock.fast_forward(2_000)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is saved.")
    page.goto(url(evening))
    phones.settled(page, evening, BALANCES)
    assert phones.recorded(evening) == IN_THE_LEDGER


#: The outbox sends waiting hands by itself, whenever the server answers: at this step of the form's it has been
#: quicker.
QUICKER = """(step) => {
    const form = outbox[step];
    outbox[step] = async (...what) => {
        const done = await form(...what);
        await outbox.flush();
        return done;
    };
}"""


@pytest.mark.parametrize("quicker_at", first(1, ["of", "put", None]))
def test_a_hand_is_on_the_phone_though_the_network_goes_before_the_sheet_comes(
    page: Page, evening: Evening, quicker_at: str | None
):
    """The server has it, and the phone knows: neither is it entered again, nor does the next one take its number."""

    answered: list[Route] = []

    def answer_and_go(route: Route) -> None:
        if route.request.method != "POST" or answered:
            route.fallback()
            return
        answered.append(route)
        response = route.fetch()
        page.context.set_offline(True)
        route.fulfill(response=response)

    page.context.route("**/hands/new/", answer_and_go)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    if quicker_at:
        page.evaluate(QUICKER, quicker_at)
    phones.save(page, 1)
    expect(rows(page)).to_contain_text("Béla · 2 ♥")
    expect(page.get_by_role("heading", name="Saved, but not on this page yet")).to_be_visible()
    phones.sign(page, "offline")
    page.get_by_role("link", name="Enter hand 2").tap()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 2 · Béla deals")
    enter_offline(page, 2, **THREE[1])
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is saved.")
    page.goto(url(evening))
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]


def test_hands_behind_follow_the_number_that_the_server_gave(page: Page, evening: Evening, owner: User):
    """The first was recorded, its answer lost, and another phone recorded after it: the second is asked about."""
    lose_the_answer(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.context.set_offline(True)
    page.context.unroute("**/hands/new/")
    enter_offline(page, 2, **THREE[1])
    record(evening, owner, "hC 5", declarer=0)
    page.goto(url(evening))
    page.context.set_offline(False)
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("You have recorded hand 2")
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "hC 5", 0)]
    ledger.void(evening.pk, 2, by=owner)
    phones.look_again(page)
    rows(page).get_by_role("button", name="Mine is another hand").tap()
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening)[2] == (3, "1S 8", 2)


# --- With Background Sync a hand is sent though its page is closed ---


def test_background_sync_sends_a_hand_when_the_page_is_closed(page: Page, evening: Evening):
    """The browser wakes the worker, and the worker sends."""
    page.get_by_role("link", name="Enter hand 1").tap()
    page.context.set_offline(True)
    enter_offline(page, 1, **THREE[0])
    context, origin = page.context, page.evaluate("location.origin")
    other = context.new_page()
    page.close()
    other.context.set_offline(False)
    browser = context.new_cdp_session(other)
    registrations: list[Any] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    other.goto("about:blank")
    event = {"origin": origin, "registrationId": registrations[0]["registrationId"], "tag": "outbox"}
    browser.send("ServiceWorker.dispatchSyncEvent", event | {"lastChance": False})
    waiting, deadline = Event(), time.monotonic() + 30
    while not phones.recorded(evening) and time.monotonic() < deadline:
        waiting.wait(0.05)
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
