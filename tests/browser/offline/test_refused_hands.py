"""The server refuses a hand that waited: the sheet says why, and it is answered, corrected, discarded or put aside."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Player, User
from tests.browser import phones, thumb
from tests.browser.offline.no_network import THREE, enter_offline
from tests.browser.phones import rows, url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(kept_phone: Callable[..., Page], evening: Evening, owner: User) -> Page:
    """The owner's phone, on which hands 1 and 2 wait."""
    page = kept_phone(owner, evening)
    page.get_by_role("link", name="Enter hand 1").tap()
    page.context.set_offline(True)
    enter_offline(page, 1, **THREE[0])
    enter_offline(page, 2, **THREE[1])
    return page


@pytest.fixture
def conflict(page: Page, evening: Evening) -> Page:
    """Béla's phone has recorded a hand 1 meanwhile; the network is back."""
    bela = Player.objects.get(circle=evening.circle, name="Béla")
    record(evening, MemberFactory(circle=evening.circle, player=bela).user, "2H 5", declarer=1)
    page.goto(url(evening))
    page.context.set_offline(False)
    expect(rows(page).first).to_contain_text("Béla has recorded hand 1: Béla 2")
    expect(rows(page).first).to_contain_text("5 tricks ↔ 7 tricks")
    expect(rows(page).last.locator(".tag")).to_have_text("waits for hand 1")
    expect(page.locator("#hand-1")).to_contain_text("Béla")
    expect(page.locator("[data-next-hand]")).to_have_text("Enter hand 3")
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == [(1, "2H 5", 1)]
    return page


def dealers(evening: Evening) -> list[int]:
    return list(evening.hands.order_by("number").values_list("dealer", flat=True))


def test_refused_hand_is_answered_on_its_row_without_a_scroll_and_the_next_follows(
    conflict: Page, evening: Evening, owner: User
):
    """The next one is in the way of another recorded hand, too."""
    record(evening, owner, "3S 9", declarer=0)
    conflict.set_viewport_size({"width": 390, "height": 664})
    keys = rows(conflict).first.locator(".conflict .answers .button")
    expect(keys).to_have_count(3)
    for key in keys.all():
        thumb.place_of(key)
    keys.and_(conflict.get_by_role("button", name="Mine is right: correct hand 1")).dblclick(no_wait_after=True)
    expect(rows(conflict)).to_have_count(1)
    rows(conflict).get_by_role("link", name="drop mine").tap()
    expect(rows(conflict)).to_have_count(0)
    phones.sign(conflict, "saved")
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "3S 9", 0)]


def test_hand_that_is_put_aside_holds_nothing_up_and_can_still_be_answered(conflict: Page, evening: Evening):
    page = conflict
    page.get_by_role("button", name="Put aside").tap()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator(".tag")).to_have_text("put aside")
    expect(page.locator("#hand-2")).to_be_visible()
    assert phones.recorded(evening) == [(1, "2H 5", 1), (2, "1S 8", 2)]
    rows(page).locator("summary").tap()
    page.get_by_role("button", name="Mine is another hand").tap()
    # Hand 2 has come since the question was asked: it is asked about that one.
    page.get_by_role("button", name="Mine is another hand: make it hand 3").tap()
    expect(rows(page)).to_have_count(0)
    assert phones.recorded(evening)[2:] == [(3, "2H 7", 1)]
    assert dealers(evening) == [0, 1, 2]


#: Let the only hand that waits be one that cannot be.
MAKE_IMPOSSIBLE = """async () => {
    const [entry] = await outbox.all();
    const changed = { tricks: "2", arrivazs: "won" };
    await outbox.put({ ...entry, fields: entry.fields.map(([name, value]) => [name, changed[name] ?? value]) });
}"""


def test_dealer_of_a_waiting_hand_follows_and_an_impossible_hand_is_explained_and_corrected(
    page: Page, evening: Evening
):
    page.goto(url(evening))
    rows(page).last.locator("summary").tap()
    rows(page).last.get_by_role("button", name="Discard", exact=True).tap()
    page.get_by_role("button", name="Discard it").tap()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("The deal has moved on: Anna deals it.")
    thumb.expect_balances(page, (0, 0, 0))
    expect(page.locator("[data-seat='2'] .figure")).to_have_text("+24")
    page.evaluate(MAKE_IMPOSSIBLE)
    page.context.set_offline(False)
    expect(rows(page)).to_contain_text("An arrivázs is won with the last three tricks; the declarer has only 2.")
    assert phones.recorded(evening) == []
    rows(page).get_by_role("link", name="Correct", exact=True).tap()
    expect(page.locator("[name=declarer][data-said='Cili']")).to_be_checked()
    page.get_by_role("radio", name="not announced").tap()
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 1)
    phones.settled(page, evening, (-12, -12, 24))
    assert (phones.recorded(evening), dealers(evening)) == ([(1, "1S 8", 2)], [0])
