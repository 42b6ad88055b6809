"""The hand form under the thumb: its choices and sentences, and its behaviour without network and under double taps."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.browser import phones, thumb
from tests.selection import first, first_rows

pytestmark = pytest.mark.django_db(transaction=True)

PLAIN = (("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts"), ("Tricks", "7"))


@pytest.fixture
def form_of(page: Page, owner: User, sign_in: Callable[..., None], live_server: Any) -> Callable[[Evening], Page]:
    """The open form of an evening's next hand, reached from the evening's page."""
    sign_in(page, owner)

    def opened(evening: Evening) -> Page:
        page.goto(f"/sessions/{evening.pk}/")
        page.get_by_role("link", name=re.compile("^Enter hand")).tap()
        expect(thumb.save(page)).to_be_visible()
        return page

    return opened


@pytest.fixture
def form(form_of: Callable[[Evening], Page], evening: Evening) -> Page:
    return form_of(evening)


def is_saved(page: Page, number: int) -> None:
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {number} is saved.")


def hands(evening: Evening) -> list[str]:
    return [hand.deal for hand in Hand.objects.filter(evening=evening).order_by("number")]


# Impossible choices are not offered.


@pytest.mark.thorough
def test_idegen_and_no_trumps_exclude_each_other(form: Page) -> None:
    thumb.choose(form, [("Trumps", "no trumps")])
    expect(thumb.choice(form, "Arrivázs", "idegen")).to_be_disabled()
    thumb.choose(form, [("Trumps", "spades"), ("Arrivázs", "idegen")])
    expect(thumb.choice(form, "Trumps", "no trumps")).to_be_disabled()


@pytest.mark.parametrize(("tricks", "enabled"), first_rows(1, [("2", False), ("3", True), ("4", True)]))
def test_an_arrivazs_is_won_with_three_tricks_or_more(form: Page, tricks: str, enabled: bool) -> None:
    thumb.choose(form, [("Tricks", tricks)])
    for outcome in ("won", "idegen"):
        expect(thumb.choice(form, "Arrivázs", outcome)).to_be_enabled(enabled=enabled)
    expect(thumb.choice(form, "Arrivázs", "lost")).to_be_enabled()


@pytest.mark.thorough
@pytest.mark.parametrize(("tricks", "enabled"), [("10", True), ("11", False)])
def test_an_arrivazs_is_not_lost_with_all_eleven(form: Page, tricks: str, enabled: bool) -> None:
    thumb.choose(form, [("Tricks", tricks)])
    expect(thumb.choice(form, "Arrivázs", "lost")).to_be_enabled(enabled=enabled)
    expect(thumb.choice(form, "Arrivázs", "won")).to_be_enabled()


@pytest.mark.thorough
def test_tricks_that_the_outcome_of_the_arrivazs_rules_out_are_not_offered(form: Page) -> None:
    thumb.choose(form, [("Arrivázs", "won")])
    for tricks, enabled in (("2", False), ("3", True), ("11", True)):
        expect(thumb.choice(form, "Tricks", tricks)).to_be_enabled(enabled=enabled)
    thumb.choose(form, [("Arrivázs", "lost")])
    for tricks, enabled in (("0", True), ("10", True), ("11", False)):
        expect(thumb.choice(form, "Tricks", tricks)).to_be_enabled(enabled=enabled)


@pytest.mark.thorough
def test_the_arrivazs_has_its_kontras_only_once_it_is_announced(form: Page) -> None:
    row = form.get_by_role("group", name="Arrivázs kontra")
    expect(row).to_be_hidden()
    thumb.choose(form, [("Arrivázs", "lost"), ("Arrivázs kontra", "mord")])
    expect(row.get_by_role("radio")).to_have_count(6)
    form.get_by_role("radio", name="not announced").tap()
    expect(row).to_be_hidden()
    # Its earlier value does not stay behind, unseen, to be refused.
    thumb.choose(form, PLAIN)
    expect(form.locator("#count [data-points]")).to_have_attribute("data-points", "6")
    thumb.save(form).tap()
    is_saved(form, 1)


def test_the_split_is_asked_for_at_six_tricks_or_when_it_is_noted(form: Page) -> None:
    split = form.get_by_role("group", name=re.compile("^Split"))
    thumb.choose(form, [("Declarer", "Béla"), ("Tricks", "5")])
    expect(split).to_be_hidden()
    thumb.choose(form, [("Tricks", "6")])
    expect(split.get_by_text("Cili : Anna")).to_be_visible()
    expect(split.get_by_role("radio")).to_have_count(6)
    expect(split.get_by_role("radio", name="5 : 0")).to_be_visible()
    thumb.choose(form, [("Tricks", "9")])
    expect(split).to_be_hidden()
    thumb.choose(form, [(thumb.NOTED, "")])
    for tricks, enabled in (("0", True), ("2", True), ("3", False), ("11", False)):
        expect(thumb.choice(form, "Split", tricks)).to_be_enabled(enabled=enabled)


@pytest.mark.thorough
def test_a_line_that_is_typed_asks_for_no_split(form: Page, evening: Evening) -> None:
    thumb.choose(form, [("Declarer", "Béla"), ("Tricks", "6")])
    phones.type_line(form, "2H 7")
    expect(form.locator("#count [data-points]")).to_have_attribute("data-points", "6")
    thumb.save(form).tap()
    is_saved(form, 1)
    assert hands(evening) == ["2H 7"]


@pytest.mark.thorough
def test_whose_split_it_is_follows_who_deals(form_of: Callable[[Evening], Page], evening_of_four: Evening) -> None:
    form = form_of(evening_of_four)
    thumb.choose(form, [("Declarer", "Béla"), ("Tricks", "6")])
    split = form.get_by_role("group", name=re.compile("^Split"))
    expect(split.get_by_text("Cili : Dóra")).to_be_visible()
    thumb.choose(form, [("Dealer", "Cili")])
    expect(split.get_by_text("Dóra : Anna")).to_be_visible()


@pytest.mark.thorough
def test_at_a_table_of_four_the_dealer_does_not_play(
    form_of: Callable[[Evening], Page], evening_of_four: Evening
) -> None:
    form = form_of(evening_of_four)
    for name, enabled in (("Anna", False), ("Béla", True), ("Cili", True), ("Dóra", True)):
        expect(thumb.choice(form, "Declarer", name)).to_be_enabled(enabled=enabled)
    thumb.choose(form, [("Dealer", "Dóra"), ("Declarer", "Anna"), *PLAIN[1:]])
    expect(thumb.choice(form, "Declarer", "Dóra")).to_be_disabled()
    expect(form.locator("#count")).to_contain_text("Anna +12 · Béla −6 · Cili −6")
    thumb.save(form).tap()
    is_saved(form, 1)
    thumb.expect_balances(form, (12, -6, -6, 0))


# The live sentence.


def test_the_sentence_says_what_is_missing_then_counts_then_counts_anew(form: Page) -> None:
    count = form.locator("#count")
    expect(count).to_contain_text("Still to tap: declarer, contract, trumps and tricks.")
    thumb.choose(form, PLAIN[:2])
    expect(count).to_contain_text("Still to tap: trumps and tricks.")
    expect(count).to_contain_text("Anna leads.")
    thumb.choose(form, PLAIN[2:])
    expect(count).to_contain_text("7 tricks: 4 + 2 = 6")
    expect(count).to_contain_text("Béla +12 · Anna −6 · Cili −6")
    thumb.choose(form, [("Kontra on the game", "kontra")])
    expect(count).to_contain_text("(4 + 2) × 2 = 12")
    thumb.choose(form, [("Tricks", "5")])
    expect(count).to_contain_text("Anna +8 · Cili +8 · Béla −16")
    thumb.choose(form, [("Tricks", "6")])
    expect(count).to_contain_text("Still to tap: split.")
    thumb.choose(form, [("Split", "5 : 0")])
    expect(count).to_contain_text("4 × 2 − 4 = 4")
    expect(count.locator("[data-points]")).to_have_attribute("data-points", "4")


def test_saving_too_soon_leads_to_the_first_row_that_is_missing(form: Page) -> None:
    expect(thumb.save(form)).to_have_class(re.compile("unready"))
    thumb.choose(form, PLAIN[:2])
    thumb.save(form).tap()
    expect(form.locator("#field-trump")).to_have_class(re.compile("wanted"))
    expect(thumb.choice(form, "Trumps", "hearts")).to_be_focused()
    expect(form.locator("#hand-news")).to_contain_text("Still to tap: trumps, tricks")
    thumb.choose(form, PLAIN[2:])
    expect(form.locator(".wanted")).to_have_count(0)
    expect(thumb.save(form)).not_to_have_class(re.compile("unready"))
    thumb.save(form).tap()
    is_saved(form, 1)


@pytest.mark.thorough
def test_pressing_enter_too_soon_says_beside_each_field_what_is_missing(form: Page, expected: set[str]) -> None:
    expected.add("422")
    thumb.choose(form, PLAIN[:2])
    form.keyboard.press("Enter")
    expect(form.get_by_role("group", name="Trumps")).to_contain_text("Which trumps, or none?")
    expect(form.get_by_role("group", name="Tricks")).to_contain_text("How many tricks did the declarer take?")
    expect(thumb.choice(form, "Declarer", "Béla")).to_be_checked()
    thumb.choose(form, PLAIN[2:])
    expect(form.locator("#count")).to_contain_text("4 + 2 = 6")
    thumb.save(form).tap()
    is_saved(form, 1)


# Stumbling.


@pytest.mark.parametrize("scripts", first(1, [True, False]), ids=["with scripts", "without scripts"])
def test_a_double_tap_makes_one_hand(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, evening: Evening, scripts: bool
) -> None:
    page = new_phone(java_script_enabled=scripts)
    sign_in(page, owner)
    page.goto(f"/sessions/{evening.pk}/hands/new/")
    thumb.choose(page, PLAIN)
    thumb.save(page).dblclick(no_wait_after=True)
    is_saved(page, 1)
    assert hands(evening) == ["2H 7"]


@pytest.mark.thorough
def test_going_back_and_saving_again_makes_no_second_hand(form: Page, evening: Evening, expected: set[str]) -> None:
    """The phone may open the form anew, when it is empty, or have kept it, when it is the same hand."""
    expected.update(("409", "422"))
    thumb.choose(form, PLAIN)
    thumb.save(form).tap()
    is_saved(form, 1)
    form.go_back()
    expect(thumb.save(form)).to_be_visible()
    thumb.choice(form, "Declarer", "Béla").focus()
    with form.expect_response("**/hands/new/"):
        form.keyboard.press("Enter")
    assert hands(evening) == ["2H 7"]


@pytest.mark.thorough
def test_a_form_whose_cookie_is_gone_comes_back_filled_in(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    owner: User,
    evening: Evening,
    expected: set[str],
) -> None:
    """Without scripts; with them the outbox may be quicker, and offline/test_permissions.py tests that case."""
    expected.add("403")
    page = new_phone(java_script_enabled=False)
    sign_in(page, owner)
    page.goto(f"/sessions/{evening.pk}/hands/new/")
    thumb.choose(page, [*PLAIN[:3], ("Tricks", "6"), ("Split", "5 : 0")])
    page.context.clear_cookies(name="csrftoken")
    thumb.save(page).tap()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was lost: press Save again.")
    expect(thumb.choice(page, "Split", "5 : 0")).to_be_checked()
    assert hands(evening) == []
    thumb.save(page).tap()
    is_saved(page, 1)
    assert hands(evening) == ["2H 6-5-0"]


@pytest.mark.thorough
def test_a_hand_for_an_evening_that_was_ended_meanwhile_is_kept_in_the_form(
    form: Page, evening: Evening, expected: set[str]
) -> None:
    expected.add("409")
    thumb.choose(form, PLAIN)
    evenings.end(evening.pk)
    thumb.save(form).tap()
    expect(form.get_by_role("alert")).to_contain_text("This session has ended.")
    expect(thumb.choice(form, "Tricks", "7")).to_be_checked()
    assert hands(evening) == []
