"""A server that breaks or does not answer in time is like no network: the hand waits on the phone."""

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)


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
