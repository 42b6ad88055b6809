"""The number of taps that a hand costs: counted by the browser, from the clicks that a thumb makes."""

import itertools
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser import thumb
from tests.browser.conftest import LOCALES
from tests.browser.phones import url
from tests.factories import evening_of, record
from tests.selection import first, first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: The rows of a hand of Asszorti in their order: those of a plain hand, and those that seldom say anything.
PLAIN = (("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts"), ("Tricks", "7"))
RARE = (("Kontra on the game", "kontra"), ("Arrivázs", "won"))
#: A plain hand of each game, by the form's names and values in the order of its rows, and as it is noted.
HANDS = {
    "asszorti": ("declarer=1 contract=2 trump=hearts tricks=7", "2H 7"),
    "tarokk": ("declarer=1 contract=2 partner=3 result=+", "2+2 +"),
    "preference": ("declarer=1 level=7 answers=w2 tricks=7", "7 wp 7"),
}
#: The same with the row that is asked for where the opponents' tricks count.
OF_THREE = {
    "asszorti": ("declarer=1 contract=2 trump=hearts tricks=6 opponent_tricks=4", "2H 6-4-1"),
    "preference": ("declarer=1 level=7 answers=ww tricks=7 first_tricks=2", "7 ww 7-2-1"),
}
#: A phone's whole screen, two in a browser with its bars, and the smallest.
SIZES = ((390, 844), (390, 664), (360, 640), (320, 568))


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


def walks() -> list[Any]:
    """Return each game in each size and language; the default run has each game and each language once or twice."""
    by_default = [
        ("asszorti", HANDS["asszorti"], SIZES[2], "hu"),
        ("tarokk", HANDS["tarokk"], SIZES[3], "en"),
        ("preference", OF_THREE["preference"], SIZES[1], "hu"),
    ]
    plain = itertools.product(HANDS.items(), SIZES, LOCALES)
    of_three = itertools.product(OF_THREE.items(), SIZES[:3], LOCALES)
    rows = ((game, hand, size, language) for (game, hand), size, language in itertools.chain(plain, of_three))
    return first_rows(2, dict.fromkeys((*by_default, *rows)))


@pytest.mark.parametrize(("game", "hand", "size", "language"), walks())
def test_a_plain_hand_is_touched_in_without_a_scroll_from_the_first_paint_on(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    owner: User,
    game: str,
    hand: tuple[str, str],
    size: tuple[int, int],
    language: str,
) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Cili", "Dóra")[: min(GAMES[game].seat_counts)], 0, game_key=game)
    evening = evenings.start(opening, token=uuid4(), by=owner)
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = new_phone(
        waits_for_scripts=False, viewport=viewport, locale=LOCALES[language], reduced_motion="no-preference"
    )
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    touches, places = thumb.Touches(page), []
    for name, value in (field.split("=") for field in hand[0].split()):
        key = page.locator(f"#hand-form [name={name}][value='{value}']")
        places.append(thumb.place_of(key))
        touches.at(*places[-1])
        expect(key).to_be_checked()
    expect(page.locator("#count [data-points]")).to_be_visible()
    places.append(thumb.place_of(page.locator(".save")))
    page.goto(url(evening))
    touches.at(*thumb.place_of(page.locator("[data-next-hand]")))
    page.wait_for_url("**/hands/new/", wait_until="commit")
    thumb.wait_for_first_paint(page)
    for place in places:
        touches.at(*place)
    expect(page.locator("#hand-1")).to_be_visible()
    assert evening.hands.get().deal == hand[1]


@pytest.mark.parametrize("size", first(1, [(390, 664), (390, 844)]))
def test_hand_form_puts_rare_fields_below_those_of_a_plain_hand(
    page: Page, at_table: Evening, size: tuple[int, int]
) -> None:
    """Kontra is seen too, also where the count has come; on a whole screen everything is."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    enter(page, 2)
    thumb.choose(page, PLAIN)
    expect(page.locator("#count [data-points]")).to_be_visible()
    for group, words in RARE if size == (390, 844) else RARE[:1]:
        thumb.place_of(thumb.choice(page, group, words))
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
