"""The server has written a hand, and the phone has not heard of it: it is found again and not written twice."""

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, cut, enter_offline, lose_the_answer, mend
from tests.browser.phones import rows, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hand_whose_answer_was_lost_is_found_again_and_not_written_twice(page: Page, evening: Evening):
    lose_the_answer(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    assert phones.recorded(evening) == [(1, "2H 7", 1)]
    phones.tap_in(page, "Cili", contract="1", trump="spades", tricks=8)
    page.context.unroute("**/hands/new/")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    phones.save(page, 2)
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]


def test_hand_that_the_network_loses_twice_stays_on_the_phone_until_it_is_recorded(page: Page, evening: Evening):
    def lose(route: Route) -> None:
        route.abort("internetdisconnected") if route.request.method == "POST" else route.fallback()

    page.context.route("**/hands/new/", lose)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.evaluate("outbox.flush({ again: true })")
    page.context.unroute("**/hands/new/")
    page.evaluate("outbox.flush({ again: true })")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


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


@pytest.mark.thorough
@pytest.mark.parametrize("quicker_at", [None, "put", "of"])
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
        cut(page)
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
    mend(page)
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
    cut(page)
    page.context.unroute("**/hands/new/")
    enter_offline(page, 2, **THREE[1])
    record(evening, owner, "hC 5", declarer=0)
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("You have recorded hand 2")
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "hC 5", 0)]
    ledger.void(evening.pk, 2, by=owner)
    rows(page).get_by_role("button", name="Mine is another hand").tap()
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening)[2] == (3, "1S 8", 2)
