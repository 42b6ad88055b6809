"""The number of taps that a hand costs: counted by the browser, from the clicks that a thumb makes."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser import thumb
from tests.factories import evening_of, record
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: The rows of a hand of Asszorti in their order: those of a plain hand, and those that seldom say anything.
PLAIN = (("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts"), ("Tricks", "7"))
RARE = (("Kontra on the game", "kontra"), ("Arrivázs", "won"))


@pytest.fixture
def at_table(page: Page, taps: list[str], owner: User, sign_in: Callable[..., None]) -> Evening:
    """A phone on the page of its evening, which has a hand already."""
    evening = evening_of(owner)
    record(evening, owner)
    sign_in(page, owner)
    page.goto(f"/sessions/{evening.pk}/")
    return evening


def enter(page: Page, number: int) -> None:
    page.get_by_role("link", name=f"Enter hand {number}").tap()
    expect(thumb.save(page)).to_be_visible()


def save(page: Page, number: int) -> None:
    thumb.save(page).tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {number} is saved.")


def test_a_plain_hand_is_five_taps_in_the_form_and_six_from_the_evening(
    page: Page, at_table: Evening, taps: list[str]
) -> None:
    enter(page, 2)
    assert len(taps) == 1
    thumb.choose(page, PLAIN)
    save(page, 2)
    assert taps[1:] == ["declarer", "contract", "trump", "tricks", "Save hand 2"]
    # And the next one begins where the last one ended.
    enter(page, 3)
    thumb.choose(page, PLAIN)
    save(page, 3)
    assert len(taps) == 12


@pytest.mark.thorough
def test_six_tricks_cost_one_tap_more_for_the_split(page: Page, at_table: Evening, taps: list[str]) -> None:
    enter(page, 2)
    thumb.choose(page, (*PLAIN[:3], ("Tricks", "6"), ("Split", "5 : 0")))
    save(page, 2)
    assert taps[1:] == ["declarer", "contract", "trump", "tricks", "opponent_tricks", "Save hand 2"]
    assert at_table.hands.get(number=2).deal == "2H 6-5-0"


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "answers"), [("", []), (" give_up=3", ["given up"])])
def test_six_spades_under_stalingrad_answers_itself_and_costs_six_taps(
    page: Page, taps: list[str], owner: User, sign_in: Callable[..., None], rules: str, answers: list[str]
) -> None:
    """Both must whist: nothing of that is asked, and the only other choice is that it was given up."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 2, None, "", "preference", f"stalingrad=yes{rules}")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    sign_in(page, owner)
    page.goto(f"/sessions/{evening.pk}/hands/new/")
    offered = page.locator("#field-answers label").filter(has=page.locator("input:enabled"))
    said = (("declarer", "0"), ("level", "6"), ("strain", "S"), ("tricks", "6"), ("first_tricks", "3"))
    for name, value in said:
        radio = page.locator(f"#hand-form [name={name}][value='{value}']")
        radio.tap()
        expect(radio).to_be_checked()
        if name == "level":
            expect(offered.filter(has_text="nobody")).to_be_visible()
        elif name == "strain":
            expect(offered).to_have_text(answers)
    save(page, 1)
    assert taps == [*(name for name, _value in said), "Save hand 1"]
    assert evening.hands.get().deal == "6S ww 6-3-1"


@pytest.mark.parametrize(
    ("size", "besides"),
    first_rows(2, [((390, 664), ()), ((390, 844), RARE), ((375, 667), ()), ((360, 640), ())]),
)
def test_all_that_a_plain_hand_needs_is_on_the_screen_at_once(
    page: Page, at_table: Evening, size: tuple[int, int], besides: tuple[tuple[str, str], ...]
) -> None:
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
    enter(page, 2)
    for group, words in (*PLAIN, ("Tricks", "11"), *besides):
        thumb.expect_in_sight(thumb.choice(page, group, words))
    expect(thumb.save(page)).to_be_in_viewport(ratio=1)
    thumb.choose(page, PLAIN)
    assert page.evaluate("scrollY") == 0


def test_the_same_players_begin_again_with_one_tap(page: Page, at_table: Evening, taps: list[str]) -> None:
    page.goto("/")
    page.get_by_role("button", name="Same players as last time").tap()
    expect(page.get_by_text("No hand has been played yet.")).to_be_visible()
    assert taps == ["Same players as last time"]
    again = Evening.objects.latest("pk")
    assert again.pk != at_table.pk
    assert [seat.player.name for seat in again.seats.all()] == ["Anna", "Béla", "Cili"]
    expect(page).to_have_url(re.compile(f"/sessions/{again.pk}/$"))
