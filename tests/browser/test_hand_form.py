"""The hand form under the thumb: its choices and sentences, and its behaviour without network and under double taps."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand, User
from tests.browser import phones, thumb
from tests.browser.conftest import WIDTH
from tests.selection import first

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


@pytest.mark.parametrize("side", ["", "left"])
def test_save_and_undo_stand_on_the_side_of_the_thumb(page: Page, form: Page, owner: User, side: str) -> None:
    User.objects.filter(pk=owner.pk).update(thumb=side)
    form.reload()

    def middle(of: Locator) -> float:
        box = of.bounding_box()
        assert box
        return box["x"] + box["width"] / 2 - WIDTH / 2

    assert (middle(thumb.save(form)) < 0) == (side == "left")
    thumb.choose(form, PLAIN)
    thumb.save(form).tap()
    for way in (page.get_by_role("button", name="Undo"), page.get_by_role("link", name="Referee")):
        assert (middle(way) < 0) == (side == "left")


# Impossible choices are not offered.


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
