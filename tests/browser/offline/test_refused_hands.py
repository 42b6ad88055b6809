"""The server refuses a hand that waited: the sheet says why, and it is corrected, discarded or kept."""

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser import phones
from tests.browser.offline.no_network import IN_THE_LEDGER, THREE, cut, enter_offline, mend
from tests.browser.phones import rows, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conflict(page: Page, evening: Evening, owner: User) -> Page:
    """Hands 1 and 2 wait on this phone; another phone has recorded a hand 1 meanwhile; the network is back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    enter_offline(page, 2, **THREE[1])
    record(evening, owner, "hC 5", declarer=0)
    page.goto(url(evening))
    mend(page)
    expect(rows(page).last).to_contain_text("Hand 1 was recorded on another phone meanwhile.")
    expect(rows(page).first).to_contain_text("waiting")
    expect(page.locator("#hand-1")).to_contain_text("Anna")
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == [(1, "hC 5", 0)]
    return page


def test_a_hand_that_another_phone_was_quicker_with_is_asked_about_and_corrected(conflict: Page, evening: Evening):
    page = conflict
    page.get_by_role("link", name="Correct").first.tap()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 was recorded on another phone meanwhile.")
    expect(page.get_by_role("group", name="Declarer").get_by_role("radio", name="Béla")).to_be_checked()
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 2)
    expect(page.locator(".conflict")).to_contain_text("Anna")
    page.get_by_role("button", name="Mine is another hand").tap()
    phones.settled(page, evening, (-16 - 8 - 12, 8 + 16 - 12, 8 - 8 + 24))
    assert phones.recorded(evening) == [(1, "hC 5", 0), (2, "2H 8", 1), (3, "1S 8", 2)]


@pytest.mark.thorough
def test_it_is_dropped_only_when_that_was_said_twice_and_the_one_behind_it_goes(conflict: Page, evening: Evening):
    page = conflict
    page.get_by_role("button", name="Discard", exact=True).last.tap()
    expect(rows(page).last).to_contain_text("Discard hand 1? It is only on this phone.")
    page.get_by_role("button", name="Keep it").tap()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Discard", exact=True).last.tap()
    page.get_by_role("button", name="Discard it").tap()
    phones.settled(page, evening, (-16 - 12, 8 - 12, 8 + 24))
    assert phones.recorded(evening) == [(1, "hC 5", 0), (2, "1S 8", 2)]


@pytest.mark.thorough
def test_it_is_kept_for_better_times_and_the_one_behind_it_waits(conflict: Page, evening: Evening):
    page = conflict
    page.get_by_role("button", name="Keep").tap()
    expect(rows(page).last).to_contain_text("kept")
    page.reload()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).last).to_contain_text("kept")
    rows(page).last.locator("summary").tap()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == [(1, "hC 5", 0)]


@pytest.mark.thorough
def test_an_ended_session_takes_it_when_it_is_reopened(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    evenings.end(evening.pk)
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_contain_text("This session has ended. Reopen to add or correct hands.")
    page.get_by_role("button", name="Keep").tap()
    expect(rows(page).locator(".tag")).to_have_text("kept")
    evenings.reopen(evening.pk)
    rows(page).locator("summary").tap()
    page.get_by_role("button", name="Try again").tap()
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


@pytest.mark.thorough
def test_what_cannot_be_says_so_and_stays(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    phones.tap_in(page, "Béla", tricks=2)
    page.evaluate("""() => {
        const won = document.querySelector("[name=arrivazs][value=won]");
        // Or a late answer to the form's first question would make it look again, and find the clash.
        for (const input of document.querySelectorAll("[data-excluded]")) delete input.dataset.excluded;
        won.disabled = false;
        won.checked = true;
    }""")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_contain_text("An arrivázs is won with the last three tricks; the declarer has only 2.")
    assert phones.recorded(evening) == []
