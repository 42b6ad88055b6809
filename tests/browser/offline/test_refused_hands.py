"""The server refuses a hand that waited: the sheet says why, and it is answered, corrected, discarded or put aside."""

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Player
from tests.browser import phones, thumb
from tests.browser.offline.no_network import THREE, cut, enter_offline, mend
from tests.browser.phones import rows, url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conflict(page: Page, evening: Evening) -> Page:
    """Hands 1 and 2 wait on this phone; Béla's phone has recorded a hand 1 meanwhile; the network is back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    enter_offline(page, 2, **THREE[1])
    bela = Player.objects.get(circle=evening.circle, name="Béla")
    record(evening, MemberFactory(circle=evening.circle, player=bela).user, "2H 5", declarer=1)
    page.goto(url(evening))
    mend(page)
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


@pytest.mark.parametrize(
    ("answer", "hands"),
    [
        ("Béla is right: drop mine", [(1, "2H 5", 1), (2, "1S 8", 2)]),
        ("Mine is right: correct hand 1", [(1, "2H 7", 1), (2, "1S 8", 2)]),
        ("Mine is another hand: make it hand 2 Béla deals it", [(1, "2H 5", 1), (2, "2H 7", 1), (3, "1S 8", 2)]),
    ],
)
def test_refused_hand_is_answered_on_its_row_and_the_next_follows_with_its_dealer(
    conflict: Page, evening: Evening, answer: str, hands: list[tuple[int, str, int]]
):
    role = "link" if "drop" in answer else "button"
    rows(conflict).first.get_by_role(role, name=answer).dblclick(no_wait_after=True)
    expect(rows(conflict)).to_have_count(0)
    phones.sign(conflict, "saved")
    assert phones.recorded(evening) == hands
    assert dealers(evening) == [0, 1, 2][: len(hands)]


def test_low_screen_shows_all_answers_of_a_refused_hand_without_a_scroll(conflict: Page):
    conflict.set_viewport_size({"width": 390, "height": 664})
    expect(rows(conflict).first.locator(".conflict .answers .button")).to_have_count(3)
    for key in rows(conflict).first.locator(".conflict .answers .button").all():
        thumb.place_of(key)


def test_hand_that_is_put_aside_holds_nothing_up_and_can_still_be_answered(conflict: Page, evening: Evening):
    page = conflict
    page.get_by_role("button", name="Put aside").tap()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator(".tag")).to_have_text("put aside")
    expect(page.locator("#hand-2")).to_be_visible()
    page.reload()
    expect(page.locator("[data-next-hand]")).to_have_text("Enter hand 3")
    assert phones.recorded(evening) == [(1, "2H 5", 1), (2, "1S 8", 2)]
    rows(page).locator("summary").tap()
    page.get_by_role("button", name="Mine is another hand").tap()
    # Hand 2 has come since the question was asked: it is asked about that one.
    page.get_by_role("button", name="Mine is another hand: make it hand 3").tap()
    expect(rows(page)).to_have_count(0)
    assert phones.recorded(evening)[2:] == [(3, "2H 7", 1)]
    assert dealers(evening) == [0, 1, 2]


@pytest.mark.thorough
def test_hand_that_another_phone_was_quicker_with_is_corrected_in_its_form(conflict: Page, evening: Evening):
    page = conflict
    rows(page).first.get_by_role("link", name="Correct", exact=True).tap()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 was recorded on another phone meanwhile.")
    expect(page.get_by_role("group", name="Declarer").get_by_role("radio", name="Béla")).to_be_checked()
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.locator("[name=tricks][value='8']").tap()
    page.get_by_role("button", name="Mine is right: correct hand 1").tap()
    phones.settled(page, evening, (-8 - 12, 16 - 12, -8 + 24))
    assert phones.recorded(evening) == [(1, "2H 8", 1), (2, "1S 8", 2)]


def test_dealer_of_a_waiting_hand_follows_without_network_and_its_row_says_so(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    enter_offline(page, 2, **THREE[1])
    page.goto(url(evening))
    rows(page).last.locator("summary").tap()
    rows(page).last.get_by_role("button", name="Discard", exact=True).tap()
    page.get_by_role("button", name="Discard it").tap()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("The deal has moved on: Anna deals it.")
    thumb.expect_balances(page, (0, 0, 0))
    expect(page.locator("[data-seat='2'] .figure")).to_have_text("+24")
    mend(page)
    phones.settled(page, evening, (-12, -12, 24))
    assert (phones.recorded(evening), dealers(evening)) == ([(1, "1S 8", 2)], [0])


@pytest.mark.thorough
def test_impossible_hand_is_explained_and_stays_on_the_phone(page: Page, evening: Evening):
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
