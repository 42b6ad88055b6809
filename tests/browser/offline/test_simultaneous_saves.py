"""Saves that come at once, of two phones, two taps or the outbox: each hand is written once, in order."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, cut, enter_offline, mend
from tests.browser.phones import NO_NETWORK, url

pytestmark = pytest.mark.django_db(transaction=True)


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
