"""The hands in the outbox: their numbers, their state while one is corrected, and an outbox that will not open."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, Phones, rows, save_without_network, url
from tests.factories import record
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(kept_phone: Phones, evening: Evening, owner: User) -> Page:
    return kept_phone(owner, evening)


def correct(page: Page, number: int) -> None:
    """Open the row of this hand, and its form."""
    entry = rows(page).filter(has=page.locator(".number", has_text=re.compile(f"^{number}$")))
    if entry.get_attribute("class") == "waiting-hand is-waiting":
        entry.locator("summary").tap()
    entry.get_by_role("link", name="Correct", exact=True).tap()
    expect(page.locator("[name=tricks][value='7']")).to_be_checked()


def test_hand_that_is_being_corrected_is_not_sent_as_it_was(page: Page, evening: Evening):
    save_without_network(page, "Béla", "Cili", "Anna")
    correct(page, 1)
    page.context.set_offline(False)
    phones.sign(page, "waiting (3)")
    page.locator("[name=tricks][value='8']").tap()
    expect(page.locator("#count")).to_contain_text("4 + 4 = 8")
    assert phones.recorded(evening) == []
    page.context.set_offline(True)
    phones.save(page, 1)
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 4 · Anna deals")
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is saved.")
    assert phones.recorded(evening) == [(1, "2H 8", 1), (2, "2H 7", 2), (3, "2H 7", 0)]


def test_waiting_hand_says_that_a_form_in_another_tab_holds_it_and_is_sent_once_that_is_closed(
    page: Page, evening: Evening
):
    save_without_network(page, "Béla", "Cili")
    other = page.context.new_page()
    other.goto(url(evening))
    correct(other, 1)
    held = rows(page).last
    expect(held.locator(".tag")).to_have_text("its form is open in another tab")
    expect(held.locator(".why")).to_have_text("Save it there, or close that tab: then it is sent.")
    expect(rows(page).first.locator(".tag")).to_have_text("waits for hand 1")
    page.context.set_offline(False)
    page.evaluate("() => outbox.flush({ again: true })")
    assert phones.recorded(evening) == []
    other.close()
    phones.settled(page, evening, (-12, 6, 6))


def test_waiting_hands_take_numbers_and_dealers_after_the_one_before_them_that_changed(page: Page):
    save_without_network(page, "Béla", "Cili")
    change = "async () => {{ const [first] = await outbox.all(); await outbox.{}; }}"
    page.evaluate(change.format("put(outbox.withAnswer(first, 'another', '4 2'))"))
    expect(rows(page).locator(".number")).to_have_text(["5", "4"])
    expect(rows(page).last).to_contain_text("Cili deals")
    expect(rows(page).first).to_contain_text("Anna deals")
    page.evaluate(change.format("markSent(first, 6)"))
    expect(rows(page).locator(".number")).to_have_text(["7", "6"])


#: A phone whose storage or network takes its time: what is asked of it, or the first of that, waits until the test
#: opens a gate.
SLOW = """
    (asked, name, isOnce) => {
        const plainly = asked[name];
        const gate = new Promise((resolve) => { window.openGate = resolve; });
        asked[name] = async (...request) => {
            if (isOnce) asked[name] = plainly;
            window.isAtGate = true;
            await gate;
            return plainly(...request);
        };
    }
"""


def save_with_eight_tricks(page: Page) -> None:
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 1)


def being_written(page: Page, evening: Evening) -> None:
    correct(page, 1)
    page.context.set_offline(False)
    page.locator("[name=tricks][value='8']").tap()
    expect(page.locator("#count")).to_contain_text("4 + 4 = 8")
    page.evaluate(f"() => ({SLOW})(shelf, 'update', true)")
    phones.save(page, 1)
    page.wait_for_function("() => window.isAtGate")
    page.evaluate("() => outbox.flush()")
    page.evaluate("() => openGate()")


def being_read(page: Page, evening: Evening) -> None:
    # Before the page's own listeners.
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => ({SLOW})(shelf, 'everything', true), true)")
    rows(page).locator("summary").tap()
    page.get_by_role("link", name="Correct").tap()
    page.wait_for_function("() => window.isAtGate")
    page.context.set_offline(False)
    page.evaluate("() => outbox.flush({ again: true })")
    assert phones.recorded(evening) == []
    page.evaluate("() => openGate()")
    expect(page.locator("[name=tricks][value='7']")).to_be_checked()
    save_with_eight_tricks(page)


def about_to_be_sent_by_another_tab(page: Page, evening: Evening) -> None:
    """It was still asking for a CSRF token."""
    other = page.context.new_page()
    other.goto(url(evening))
    other.wait_for_load_state("load")
    other.evaluate(f"() => ({SLOW})(window, 'fetch')")
    other.evaluate("() => { window.sending = outbox.flush(); }")
    other.wait_for_function("() => window.isAtGate")
    page.bring_to_front()
    correct(page, 1)
    expect(rows(other).locator(".tag")).to_have_text("its form is open in another tab")
    page.context.set_offline(False)
    other.evaluate("() => { openGate(); return sending; }")
    assert phones.recorded(evening) == []
    save_with_eight_tricks(page)


@pytest.mark.parametrize("correction", [being_written, being_read, about_to_be_sent_by_another_tab])
def test_waiting_hand_is_not_sent_while_its_correction_is(
    page: Page, evening: Evening, correction: Callable[[Page, Evening], None]
):
    save_without_network(page, "Béla")
    correction(page, evening)
    phones.settled(page, evening, (-8, 16, -8))
    assert phones.recorded(evening) == [(1, "2H 8", 1)]


def test_form_keeps_what_was_tapped_and_follows_the_dealer_until_the_dealer_is_tapped(
    page: Page, evening: Evening, owner: User
):
    save_without_network(page, "Béla")
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => ({SLOW})(shelf, 'everything'), {{ once: true }})")
    page.get_by_role("link", name="Enter hand 2").tap()
    page.locator("[name=declarer][value='2']").tap()
    page.evaluate("() => openGate()")
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 2 · Béla deals")
    expect(page.locator("[name=declarer][value='2']")).to_be_checked()
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    record(evening, owner, "2H 7")
    phones.look_again(page)
    page.get_by_role("button", name="Mine is another hand: make it hand 3 Cili deals it").tap()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 3 · Cili deals")


# --- A browser that will not open the outbox, or hangs over it: saving and following go on, and it is tried again ---


#: Until the phone is healed: opening fails, or never comes to an end.
SHUT = """{
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...what) {
        if (sessionStorage.getItem("healed")) return open.apply(this, what);
        HOW
    };
}"""
HOW = {"hangs": "return new EventTarget();", "fails": "throw new DOMException('not now', 'UnknownError');"}
#: The browser has closed the first connection that each page opens: the page opens another.
CLOSED = """{
    const { transaction } = IDBDatabase.prototype;
    let first;
    IDBDatabase.prototype.transaction = function (...what) {
        first ??= this;
        if (first === this) throw new DOMException("closing", "InvalidStateError");
        return transaction.apply(this, what);
    };
}"""


@pytest.mark.parametrize("how", first(1, HOW))
def test_saving_and_following_go_on_while_the_outbox_is_shut_and_it_is_opened_anew(
    phone_of: Phones, evening: Evening, owner: User, expected: set[str], how: str
):
    expected.add(NO_NETWORK)
    page = phone_of(owner, url(evening), phones.quicker(2000, 3000), SHUT.replace("HOW", HOW[how]), CLOSED)
    phones.kept(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, "Béla")
    page.context.set_offline(True)
    phones.save(page, 1)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost: try again.")
    page.context.set_offline(False)
    phones.save(page, 1)
    expect(page.locator("#hand-1")).to_be_visible()
    record(evening, owner, "2H 7", declarer=1)
    expect(page.locator("#hand-2")).to_be_visible()
    phones.sign(page, "saved")
    page.get_by_role("link", name="Enter hand 3").tap()
    expect(page.get_by_role("button", name="Save hand 3")).to_be_visible()
    page.evaluate("sessionStorage.setItem('healed', '1')")
    phones.until(page, "(await indexedDB.databases()).some(({ name }) => name === 'outbox')")
    phones.tap_in(page, "Béla")
    page.context.set_offline(True)
    phones.save(page, 3)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is waiting on this phone")
    page.evaluate("sessionStorage.removeItem('healed')")
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()
    page.evaluate("sessionStorage.setItem('healed', '1')")
    expect(phones.rows(page)).to_contain_text("Béla · 2")
    phones.sign(page, "waiting (1)")
    page.context.set_offline(False)
    phones.settled(page, evening, (-18, 36, -18))
    assert phones.recorded(evening) == [(number, "2H 7", 1) for number in (1, 2, 3)]
