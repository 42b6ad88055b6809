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


def test_refused_hand_is_put_aside_holds_nothing_up_and_is_answered_on_its_row_without_a_scroll(
    page: Page, evening: Evening
):
    """Béla's phone has recorded hands 1 and 2 meanwhile."""
    bela = Player.objects.get(circle=evening.circle, name="Béla")
    by = MemberFactory(circle=evening.circle, player=bela).user
    record(evening, by, "2H 5", declarer=1)
    record(evening, by, "3S 9", declarer=0)
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(url(evening))
    page.context.set_offline(False)
    refused, behind = rows(page).first, rows(page).last
    expect(refused).to_contain_text("Béla has recorded hand 1: Béla 2")
    expect(refused).to_contain_text("5 tricks ↔ 7 tricks")
    expect(behind.locator(".tag")).to_have_text("waits for hand 1")
    phones.sign(page, "waiting (2)")
    expect(refused.locator(".conflict .answers .button")).to_have_count(3)
    expect(page.locator("#waiting.settling")).to_have_count(0)
    for key in refused.locator(".conflict .answers .button").all():
        thumb.place_of(key)
    refused.get_by_role("button", name="Put aside").tap()
    aside = rows(page).filter(has_text="put aside")
    phones.look_again(page)
    rows(page).get_by_role("link", name="Béla is right: drop mine").tap()
    expect(rows(page)).to_have_count(1)
    aside.locator("summary").tap()
    aside.get_by_role("button", name="Mine is right: correct hand 1").dblclick(no_wait_after=True)
    expect(rows(page)).to_have_count(0)
    phones.sign(page, "saved")
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "3S 9", 0)]


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
    assert phones.recorded(evening) == [(1, "1S 8", 2)]
    assert evening.hands.get().dealer == 0
