"""A browser that will not open the outbox, or hangs over it: saving and following go on, and it is tried again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)

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
SLOW = """{
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
@pytest.mark.parametrize("opening", [SHUT.replace("HOW", HOW["fails"]), SLOW], ids=["fails at first", "is slow"])
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
