"""The hands in the outbox among themselves: their numbers, and their state while one is corrected."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evening_edit
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, rows, url
from tests.factories import evening_of, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    """The owner's phone on the sheet, kept by the worker."""
    expected.update((NO_NETWORK, "409", "422"))
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening))
    phones.kept(page)
    return page


def save_without_network(page: Page, *declarers: str) -> None:
    """From the sheet: save these hands into nothing, and go back to the sheet."""
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    for declarer in declarers:
        phones.tap_in(page, declarer)
        page.locator("button.primary").tap()
        expect(page.locator("#hand-news")).to_contain_text("is waiting on this phone")
        expect(page.locator("[name=declarer]:checked")).to_have_count(0)
    page.get_by_role("link", name="The session").tap()
    expect(rows(page)).to_have_count(len(declarers))


def correct(page: Page, number: int) -> None:
    """Open the row of this hand, and its form."""
    entry = rows(page).filter(has=page.locator(".number", has_text=re.compile(f"^{number}$")))
    if entry.get_attribute("class") == "waiting-hand is-waiting":
        entry.locator("summary").tap()
    entry.get_by_role("link", name="Correct", exact=True).tap()
    expect(page.locator("[name=tricks][value='7']")).to_be_checked()


def put_aside(page: Page) -> None:
    """Put the only hand aside: its row is a new one then, and only that can be tapped."""
    page.get_by_role("button", name="Put aside").tap()
    expect(rows(page).locator(".tag")).to_have_text("put aside")


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


def save_with_eight_tricks(page: Page, evening: Evening) -> None:
    """In the form of the only hand: correct its tricks, and see that the hand is recorded so."""
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 1)
    phones.settled(page, evening, (-8, 16, -8))
    assert phones.recorded(evening) == [(1, "2H 8", 1)]


@pytest.mark.thorough
def test_after_a_correction_the_next_hand_is_behind_the_last(page: Page, evening: Evening):
    save_without_network(page, "Béla", "Cili", "Anna")
    correct(page, 1)
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 1)
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 4 · Anna deals")
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is saved.")
    assert phones.recorded(evening) == [(1, "2H 8", 1), (2, "2H 7", 2), (3, "2H 7", 0)]


def test_a_hand_that_is_being_corrected_is_not_sent_as_it_was(page: Page, evening: Evening):
    save_without_network(page, "Béla", "Cili")
    correct(page, 1)
    page.context.set_offline(False)
    phones.sign(page, "waiting (2)")
    page.locator("[name=tricks][value='8']").tap()
    expect(page.locator("#count")).to_contain_text("4 + 4 = 8")
    assert phones.recorded(evening) == []
    phones.save(page, 1)
    phones.settled(page, evening, (-8 - 6, 16 - 6, -8 + 12))
    assert phones.recorded(evening) == [(1, "2H 8", 1), (2, "2H 7", 2)]


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
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == []
    other.close()
    phones.settled(page, evening, (-12, 6, 6))


def test_hand_behind_one_recorded_under_another_number_takes_the_next_number(page: Page):
    save_without_network(page, "Béla", "Cili")
    page.evaluate("async () => { const [first] = await outbox.all(); await outbox.markSent(first, 4); }")
    expect(rows(page).locator(".number")).to_have_text(["5", "4"])


@pytest.mark.thorough
def test_waiting_hand_is_not_sent_while_its_correction_is_being_written(page: Page, evening: Evening):
    save_without_network(page, "Béla")
    correct(page, 1)
    page.context.set_offline(False)
    page.locator("[name=tricks][value='8']").tap()
    expect(page.locator("#count")).to_contain_text("4 + 4 = 8")
    page.evaluate(f"() => ({SLOW})(shelf, 'update', true)")
    phones.save(page, 1)
    page.wait_for_function("() => window.isAtGate")
    page.evaluate("() => outbox.flush()")
    page.evaluate("() => openGate()")
    phones.settled(page, evening, (-8, 16, -8))
    assert phones.recorded(evening) == [(1, "2H 8", 1)]


@pytest.mark.thorough
def test_waiting_hand_is_not_sent_while_its_form_reads_the_outbox(page: Page, evening: Evening):
    save_without_network(page, "Béla")
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
    save_with_eight_tricks(page, evening)


@pytest.mark.thorough
def test_waiting_hand_is_not_sent_by_another_tab_that_was_still_asking_for_a_csrf_token(page: Page, evening: Evening):
    save_without_network(page, "Béla")
    other = page.context.new_page()
    other.goto(url(evening))
    other.wait_for_load_state("load")
    other.evaluate(f"() => ({SLOW})(window, 'fetch')")
    other.evaluate("() => { window.sending = outbox.flush(); }")
    other.wait_for_function("() => window.isAtGate")
    page.bring_to_front()
    correct(page, 1)
    page.context.set_offline(False)
    other.evaluate("() => { openGate(); return sending; }")
    assert phones.recorded(evening) == []
    save_with_eight_tricks(page, evening)


@pytest.mark.thorough
def test_taps_before_the_outbox_is_read_stay(page: Page, evening: Evening):
    save_without_network(page, "Béla")
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => ({SLOW})(shelf, 'everything'), {{ once: true }})")
    page.get_by_role("link", name="Enter hand 2").tap()
    page.locator("[name=declarer][value='2']").tap()
    page.evaluate("() => openGate()")
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 2 · Béla deals")
    expect(page.locator("[name=declarer][value='2']")).to_be_checked()


@pytest.mark.thorough
def test_form_of_the_server_overrules_the_deal_after_a_waiting_hand(page: Page, evening: Evening, owner: User):
    save_without_network(page, "Béla")
    for _hand in range(3):
        record(evening, owner, "hC 5")
    page.context.set_offline(False)
    put_aside(page)
    page.get_by_role("link", name="Enter hand 4").tap()
    expect(page.get_by_role("button", name="Save hand 4")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Anna deals")


@pytest.mark.thorough
def test_a_form_in_which_nothing_is_tapped_follows_the_dealer(page: Page, evening: Evening, owner: User):
    page.get_by_role("link", name="Enter hand 1").tap()
    record(evening, owner, "2H 7")
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 2 · Béla deals")
    page.locator("[name=declarer][value='2']").tap()
    record(evening, owner, "2H 7")
    # The declarer was tapped, the dealer was not.
    page.get_by_role("button", name="Mine is another hand: make it hand 3 Cili deals it").tap()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 3 · Cili deals")


@pytest.mark.thorough
def test_the_next_hand_follows_one_whose_dealer_has_gone_home(page: Page, owner: User):
    evening = evening_of(owner, ("Anna", "Béla", "Cili", "Dóra"), first_dealer=2)
    record(evening, owner, "2H 7", declarer=0)
    page.goto(url(evening))
    phones.kept(page)
    save_without_network(page, "Anna")
    evening_edit.leave_lineup(evening.pk, 3, by=owner)
    page.context.set_offline(False)
    expect(rows(page)).to_contain_text("Somebody came or left meanwhile")
    page.get_by_role("link", name="Enter hand 3").tap()
    expect(page.get_by_role("button", name="Save hand 3")).to_be_visible()
    expect(page.locator(".deal-head > summary")).to_contain_text("Anna deals")
    for number, declarer in ((3, "Béla"), (4, "Cili")):
        phones.tap_in(page, declarer)
        phones.save(page, number)
        expect(page.get_by_role("button", name=f"Save hand {number + 1}")).to_be_visible()
    waiting = phones.outbox(page)
    assert [entry["number"] for entry in waiting] == [2, 3, 4]
    assert all(UUID(entry["token"]) for entry in waiting)
    page.get_by_role("link", name="The session").tap()
    page.locator(".is-refused").get_by_role("button", name="Discard", exact=True).tap()
    page.get_by_role("button", name="Discard it").tap()
    phones.settled(page, evening, (12 - 12, -6 + 12 - 6, 0 - 6 + 12, -6))
    assert phones.recorded(evening) == [(1, "2H 7", 0), (2, "2H 7", 1), (3, "2H 7", 2)]


@pytest.mark.thorough
def test_a_form_that_has_lost_its_token_saves_its_hand_under_a_new_one(page: Page, evening: Evening):
    page.locator("[data-next-hand]").tap()
    phones.tap_in(page, "Béla")
    page.locator("[name=token]").evaluate("(field) => { field.value = '' }")
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))


# --- A browser that will not open the outbox, or hangs over it: saving and following go on, and it is tried again ---


#: Until the phone is healed: opening fails, or never comes to an end.
SHUT = """{
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...what) {
        if (sessionStorage.getItem("healed")) return open.apply(this, what);
        HOW
    };
}"""
HOW = {"fails": "throw new DOMException('not now', 'UnknownError');", "hangs": "return new EventTarget();"}


@pytest.mark.thorough
@pytest.mark.parametrize("how", HOW)
def test_saving_and_following_go_on_while_the_outbox_is_shut(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
    how: str,
):
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script(SHUT.replace("HOW", HOW[how]))
    sign_in(page, owner)
    page.goto(url(evening))
    phones.enter(page, 1, "Béla")
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
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is saved.")
    assert phones.recorded(evening) == [(number, "2H 7", 1) for number in (1, 2, 3)]


#: Opening takes longer than a page waits for it.
OUTBOX_SLOW = """{
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...what) {
        const opening = new EventTarget();
        setTimeout(() => {
            const late = open.apply(this, what);
            late.onupgradeneeded = () => { opening.result = late.result; opening.onupgradeneeded(); };
            late.onsuccess = () => { opening.result = late.result; opening.onsuccess(); };
        }, 2500);
        return opening;
    };
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("opening", [SHUT.replace("HOW", HOW["fails"]), OUTBOX_SLOW], ids=["fails at first", "is slow"])
def test_waiting_hand_is_on_the_sheet_as_soon_as_the_outbox_opens(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
    opening: str,
):
    expected.add(NO_NETWORK)
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening))
    phones.kept(page)
    page.context.set_offline(True)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.add_init_script(opening)
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()
    page.evaluate("sessionStorage.setItem('healed', '1')")
    expect(phones.rows(page)).to_contain_text("Béla · 2")
    phones.sign(page, "waiting (1)")


@pytest.mark.thorough
def test_outbox_that_the_browser_closed_is_opened_anew(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User
):
    page = new_phone()
    page.add_init_script("""{
        const { transaction } = IDBDatabase.prototype;
        let first;
        IDBDatabase.prototype.transaction = function (...what) {
            first ??= this;
            if (first === this) throw new DOMException("closing", "InvalidStateError");
            return transaction.apply(this, what);
        };
    }""")
    sign_in(page, owner)
    page.goto(url(evening))
    phones.enter(page, 1, "Béla")
    phones.settled(page, evening, (-6, 12, -6))
