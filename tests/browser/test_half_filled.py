"""A hand that is half tapped in goes on after a look at the sheet, a reload, and what other phones did meanwhile."""

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evening_edit
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, Phones, look_again, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = "sessionStorage.getItem('half-filled')"
HALF = {"declarer": 1, "contract": 2, "trump": "hearts", "game_kontra": 1}


@pytest.fixture
def form(phone_of: Phones, evening: Evening, owner: User) -> Page:
    """The form of hand 1 in which Béla plays 2 hearts, and no tricks are tapped yet."""
    page = phone_of(owner, url(evening, "hands/new/"))
    phones.tap(page, **HALF)
    return page


def is_as_it_was(page: Page, filled: bool = True) -> None:
    expect(page.locator("#hand-form")).to_be_visible()
    for name, value in HALF.items():
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked(checked=filled)


def to_sheet(page: Page) -> None:
    page.get_by_role("link", name="The session", exact=True).tap()
    expect(page.locator("[data-next-hand]")).to_be_visible()


def test_a_look_at_the_sheet_and_a_reload_lose_nothing(form: Page, evening: Evening) -> None:
    to_sheet(form)
    expect(form.locator("[data-next-hand]")).to_have_text("Hand 1 is half filled in: go on")
    form.go_back()
    is_as_it_was(form)
    form.reload()
    is_as_it_was(form)
    expect(form.locator("#count")).to_contain_text("Still to tap: tricks.")
    to_sheet(form)
    form.get_by_role("link", name="Hand 1 is half filled in: go on").tap()
    is_as_it_was(form)
    form.locator("[name=tricks][value='7']").tap()
    phones.save(form, 1)
    expect(form.locator("[data-next-hand]")).to_have_text("Enter hand 2")
    form.go_back()
    is_as_it_was(form, filled=False)
    assert form.evaluate(KEPT) is None
    assert phones.recorded(evening) == [(1, "2H 7 K", 1)]


def test_half_filled_hand_is_asked_about_when_another_was_recorded_and_gives_way_to_the_next_that_is_begun(
    form: Page, evening: Evening, owner: User
) -> None:
    to_sheet(form)
    record(evening, owner, "3S 9", declarer=0)
    look_again(form)
    expect(form.locator("[data-next-hand]")).to_have_text("Enter hand 2")
    form.go_back()
    is_as_it_was(form)
    form.get_by_role("button", name="Mine is another hand: make it hand 2").tap()
    expect(form.locator(".deal-head > summary")).to_contain_text("Hand 2")
    to_sheet(form)
    expect(form.locator("[data-next-hand]")).to_have_text("Hand 2 is half filled in: go on")
    record(evening, owner, "3S 9", declarer=0)
    look_again(form)
    form.get_by_role("link", name="Enter hand 3").tap()
    is_as_it_was(form, filled=False)
    assert form.evaluate(KEPT) is None


def test_hand_of_two_tabs_is_recorded_once_and_the_later_one_is_asked_about(
    form: Page, evening: Evening, expected: set[str]
) -> None:
    """A tab that is duplicated takes what is kept along, and the token with it: both save while the first is sent."""
    expected.add("409")
    kept = form.evaluate(KEPT)
    other = form.context.new_page()
    phones.stop_following(other)
    other.goto(url(evening))
    other.evaluate("(kept) => sessionStorage.setItem('half-filled', kept)", kept)
    other.goto(url(evening, "hands/new/"))
    is_as_it_was(other)
    for page, tricks in ((form, 7), (other, 9)):
        page.locator(f"[name=tricks][value='{tricks}']").tap()
        # Both are counted before one is saved: a count after that would ask which is right.
        expect(page.locator("#count")).to_contain_text(f"{tricks} tricks")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        route.fallback() if held or route.request.method != "POST" else held.append(route)

    form.context.route("**/hands/new/", hold_the_first)
    with form.expect_request(lambda request: request.method == "POST" and request.url.endswith("/hands/new/")):
        phones.save(form, 1)
    phones.save(other, 1)
    phones.until(other, "(await outbox.all()).some(({ label }) => label.includes('9 tricks'))")
    held[0].continue_()
    expect(form.locator("#hand-1")).to_be_visible()
    expect(other.locator(".conflict")).to_be_visible()
    assert phones.recorded(evening) == [(1, "2H 7 K", 1)]


def test_half_filled_hand_keeps_no_seats_of_before_a_change_of_line_up(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    record(evening, owner, "3S 9", declarer=0)
    page = phone_of(owner, url(evening, "hands/new/"))
    phones.tap(page, **HALF)
    to_sheet(page)
    evening_edit.join_lineup(evening.pk, "Dóra", 1, seen=evening.seating, by=owner)
    page.go_back()
    expect(page.locator("#hand-news")).to_have_text("Somebody came or left meanwhile. Tap again who played.")
    expect(page.locator("[name=trump][value='hearts']")).to_be_checked()
    expect(page.locator("[name=declarer]:checked")).to_have_count(0)
    page.locator("[name=declarer][data-said='Dóra']").tap()
    page.locator("[name=tricks][value='7']").tap()
    phones.save(page, 2)
    expect(page.locator("#hand-2")).to_be_visible()
    assert phones.recorded(evening) == [(1, "3S 9", 0), (2, "2H 7 K", 3)]


@pytest.mark.thorough
def test_correction_goes_on_after_a_reload_but_begins_anew_by_its_link(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    record(evening, owner, "2H 7")
    page = phone_of(owner, url(evening, "hands/1/"))
    page.get_by_role("button", name="Correct").tap()
    page.locator("[name=tricks][value='9']").tap()
    page.reload()
    expect(page.locator("[name=tricks][value='9']")).to_be_checked()
    expect(page.locator("#count")).to_contain_text("9 tricks")
    page.locator("a.back").tap()
    page.get_by_role("button", name="Correct").tap()
    expect(page.locator("[name=tricks][value='7']")).to_be_checked()


def test_waiting_hand_is_corrected_while_the_next_one_stays_half_filled_in(
    form: Page, evening: Evening, expected: set[str]
) -> None:
    expected.add(NO_NETWORK)
    to_sheet(form)
    phones.kept(form)
    form.locator("[data-next-hand]").tap()
    is_as_it_was(form)
    form.context.set_offline(True)
    form.locator("[name=tricks][value='7']").tap()
    phones.save(form, 1)
    expect(form.locator("#hand-news")).to_contain_text("Hand 1 is waiting")
    assert form.evaluate(KEPT) is None
    phones.tap(form, **HALF)
    to_sheet(form)
    expect(form.locator("[data-next-hand]")).to_have_text("Hand 2 is half filled in: go on")
    phones.rows(form).locator("summary").tap()
    form.get_by_role("link", name="Correct").tap()
    form.locator("[name=tricks][value='8']").tap()
    to_sheet(form)
    expect(phones.rows(form)).to_contain_text("7 tricks")
    form.locator("[data-next-hand]").tap()
    is_as_it_was(form)
    form.context.set_offline(False)
    expect(form.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == [(1, "2H 7 K", 1)]
