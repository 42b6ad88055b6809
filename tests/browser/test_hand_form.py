"""The hand form under the thumb: its choices and sentences, touches from the first paint on, double taps."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from tests.browser import gallery_tarokk, phones, thumb
from tests.browser.conftest import HEIGHT, LOCALES, WIDTH
from tests.browser.gallery_tarokk import FULLEST, fill_fullest
from tests.browser.phones import Phones, url
from tests.factories import begun
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import Page as Html

pytestmark = pytest.mark.django_db(transaction=True)

#: The rows of a plain hand of Asszorti in their order.
PLAIN = (("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts"), ("Tricks", "7"))
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
#: Hands touched in on a phone's whole screen, on two in a browser with its bars, and on the smallest.
WALKS = [
    ("asszorti", HANDS["asszorti"], (360, 640), "hu"),
    ("tarokk", HANDS["tarokk"], (320, 568), "en"),
    ("preference", OF_THREE["preference"], (390, 664), "hu"),
    ("asszorti", OF_THREE["asszorti"], (360, 640), "en"),
    ("tarokk", HANDS["tarokk"], (390, 844), "hu"),
    ("preference", HANDS["preference"], (320, 568), "hu"),
]
NAMES = ("Anna", "Béla", "Cili", "Dani", "Edit")


@pytest.fixture
def page(page: Page, sign_in: Callable[..., None], owner: User) -> Page:
    sign_in(page, owner)
    return page


@pytest.fixture
def form(page: Page, evening: Evening) -> Page:
    """The open form of hand 1."""
    page.goto(url(evening, "hands/new/"))
    return page


def is_saved(page: Page, number: int) -> None:
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {number} is saved.")


def deals(evening: Evening) -> list[str]:
    return [deal for _number, deal, _declarer in phones.recorded(evening)]


def test_form_asks_for_what_is_missing_and_counts_anew_with_each_tap(form: Page) -> None:
    count, split = form.locator("#count"), form.get_by_role("group", name=re.compile("^Split"))
    expect(count).to_contain_text("Still to tap: declarer, contract, trumps and tricks.")
    thumb.choose(form, PLAIN[:2])
    expect(count).to_contain_text("Still to tap: trumps and tricks.")
    expect(count).to_contain_text("Anna leads.")
    expect(thumb.save(form)).to_have_class(re.compile("unready"))
    thumb.save(form).tap()
    expect(form.locator("#field-trump")).to_have_class(re.compile("wanted"))
    expect(thumb.choice(form, "Trumps", "hearts")).to_be_focused()
    expect(form.locator("#hand-news")).to_contain_text("Still to tap: trumps, tricks")
    thumb.choose(form, PLAIN[2:])
    expect(form.locator(".wanted")).to_have_count(0)
    expect(thumb.save(form)).not_to_have_class(re.compile("unready"))
    expect(count).to_contain_text("7 tricks: 4 + 2 = 6")
    expect(count).to_contain_text("Béla +12 · Anna −6 · Cili −6")
    # The split is asked for at six tricks, or when it is noted.
    expect(split).to_be_hidden()
    thumb.choose(form, [("Tricks", "6")])
    expect(count).to_contain_text("Still to tap: split.")
    expect(split.get_by_text("Cili : Anna")).to_be_visible()
    expect(split.get_by_role("radio")).to_have_count(6)
    thumb.choose(form, [("Split", "5 : 0")])
    expect(count.locator("[data-points]")).to_have_attribute("data-points", "0")
    thumb.choose(form, [("Tricks", "9")])
    expect(split).to_be_hidden()


def test_row_that_goes_leaves_nothing_behind_unseen_and_going_back_makes_no_second_hand(
    form: Page, evening: Evening, expected: set[str]
) -> None:
    expected.update(("409", "422"))
    thumb.choose(form, PLAIN)
    # The arrivázs has kontras only once it is announced; what was tapped before does not stay behind, unseen.
    count, row = form.locator("#count"), form.get_by_role("group", name="Arrivázs kontra")
    expect(row).to_be_hidden()
    thumb.choose(form, [("Arrivázs", "lost"), ("Arrivázs kontra", "mord")])
    expect(row.get_by_role("radio")).to_have_count(6)
    form.get_by_role("radio", name="not announced").tap()
    expect(row).to_be_hidden()
    expect(count.locator("[data-points]")).to_have_attribute("data-points", "6")
    thumb.save(form).tap()
    is_saved(form, 1)
    # To go back and save again makes no second hand.
    form.go_back()
    expect(thumb.save(form)).to_be_visible()
    thumb.choice(form, "Declarer", "Béla").focus()
    with form.expect_response("**/hands/new/"):
        form.keyboard.press("Enter")
    assert deals(evening) == ["2H 7"]
    # A line that is typed asks for no split.
    form.goto(url(evening, "hands/new/"))
    thumb.choose(form, [("Declarer", "Béla"), ("Tricks", "6")])
    phones.type_line(form, "2H 7")
    expect(count.locator("[data-points]")).to_have_attribute("data-points", "6")
    thumb.save(form).tap()
    is_saved(form, 2)
    assert deals(evening)[1:] == ["2H 7"]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_double_tap_on_save_on_the_side_of_the_thumb_makes_one_hand(
    phone_of: Phones, owner: User, evening: Evening, scripts: bool
) -> None:
    def is_left(way: Locator) -> bool:
        return thumb.middle_of(thumb.box_of(way))[0] < WIDTH / 2

    side = "left" if scripts else ""
    User.objects.filter(pk=owner.pk).update(thumb=side)
    page = phone_of(owner, url(evening, "hands/new/"), java_script_enabled=scripts)
    assert is_left(thumb.save(page)) == (side == "left")
    for hidden in ("#sign", "#waiting", "#plain-http"):
        expect(page.locator(hidden)).to_be_visible(visible=scripts and hidden == "#sign")
    thumb.choose(page, PLAIN)
    thumb.save(page).dblclick(no_wait_after=True)
    is_saved(page, 1)
    assert deals(evening) == ["2H 7"]
    for way in (page.get_by_role("button", name="Undo"), page.get_by_role("link", name="Referee")):
        assert is_left(way) == (side == "left")


def test_tricks_stay_their_player_s_when_another_deals_and_are_asked_anew_when_the_players_change(
    page: Page, owner: User
) -> None:
    page.goto(url(begun(owner, "preference", names=NAMES[:4], first_dealer=3), "hands/new/"))
    row, news = page.locator("#field-first_tricks"), page.locator("#hand-news")
    page.locator(".deal-head > summary").tap()
    phones.tap(page, declarer=0, level=6, answers="ww", tricks=6, first_tricks=3)
    expect(row).to_contain_text("Béla")
    expect(page.locator("#count [data-points]")).to_be_visible()
    phones.tap(page, dealer=2)  # Béla is still the first
    expect(row.locator(":checked")).to_have_value("3")
    phones.tap(page, dealer=1)
    expect(row).to_contain_text("Cili")
    expect(row.locator(":checked")).to_have_count(0)
    expect(news).to_contain_text("The players have changed: tap again what Cili took.")
    phones.tap(page, first_tricks=1)
    expect(news).to_be_empty()
    expect(page.locator("#count [data-points]")).to_contain_text("Cili")
    phones.tap(page, declarer=3)
    expect(row).to_contain_text("Anna")
    expect(row.locator(":checked")).to_have_count(0)
    # A lone whister has no row of first tricks: nothing is said of it.
    phones.tap(page, first_tricks=2, answers="w0", declarer=2)
    expect(news).to_be_empty()
    phones.tap(page, answers="ww")
    expect(row).to_contain_text("Dani")
    expect(row.locator(":checked")).to_have_count(0)


def test_fullest_hand_of_tarokk_takes_two_screens_and_what_cannot_be_is_said_before_it_is_sent(
    page: Page, owner: User, expected: set[str]
) -> None:
    expected.add("422")  # by the live count
    evening, points, news = gallery_tarokk.evening_of(owner, NAMES[:4]), page.locator("[name=points]"), "#hand-news"
    page.goto(url(evening, "hands/new/"))
    expect(page.locator("[name=game_kontra][value='5']").locator("..")).to_be_in_viewport(ratio=1)
    expect(page.locator(".bonuses > summary")).to_be_in_viewport(ratio=1)
    fill_fullest(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * HEIGHT
    for typed in ("95", "x", "-1"):
        points.fill(typed)
        phones.save(page, 1)
        expect(page.locator(news)).to_have_text("There are 94 card points: a number from 0 to 94.")
        expect(points).to_be_focused()
    assert phones.outbox(page) == []
    for typed, counted in (("70", "10"), ("72", "58")):  # with 70 the dupla is missed
        points.fill(typed)
        expect(page.locator("#count [data-points]")).to_have_attribute("data-points", counted)
    phones.save(page, 1)
    thumb.expect_balances(page, (-55, 57, -59, 57))
    assert deals(evening) == [FULLEST]


@pytest.mark.parametrize(("game", "hand", "size", "language"), first_rows(1, WALKS))
def test_a_plain_hand_is_touched_in_from_the_first_paint_on_by_one_touch_a_row_without_a_scroll(
    phone_of: Phones, owner: User, game: str, hand: tuple[str, str], size: tuple[int, int], language: str
) -> None:
    evening = begun(owner, game, names=NAMES[: min(GAMES[game].seat_counts)])
    phone = {"viewport": phones.viewport(size), "locale": LOCALES[language]}
    form = url(evening, "hands/new/")
    page = phone_of(owner, form, waits_for_scripts=False, reduced_motion="no-preference", **phone)
    touches, places = thumb.Touches(page), []
    for name, value in (field.split("=") for field in hand[0].split()):
        key = page.locator(f"#hand-form [name={name}][value='{value}']")
        places.append(thumb.place_of(key))
        touches.at(*places[-1])
        expect(key).to_be_checked()
    expect(page.locator("#count [data-points]")).to_be_visible()
    places.append(thumb.place_of(page.locator(".save")))
    if hand == HANDS["asszorti"]:  # kontra is seen too, where the count has come
        thumb.place_of(page.locator("[name=game_kontra][value='1']"))
    page.goto(url(evening))
    touches.at(*thumb.place_of(page.locator("[data-next-hand]")))
    page.wait_for_url("**/hands/new/", wait_until="commit")
    thumb.wait_for_first_paint(page)
    for place in places:
        touches.at(*place)
    expect(page.locator("#hand-1")).to_be_visible()
    assert deals(evening) == [hand[1]]


# --- The script enables the same keys of a hand form as `tests/tapping.py` by the form's attributes, tap after tap ---


TAPS = 24
HOUSES = [("tarokk", 5, "tie_47=kontra_needs_48"), ("asszorti", 4, ""), ("preference", 4, "stalingrad=yes")]
STATE = """form => [...form.elements].filter(one => one.matches("input:not([type=hidden])")).map(one =>
    [one.name, one.value, one.checked, one.disabled, one.required, one.validity.customError])"""
#: A tap as the script sees it; that a thumb reaches each key other tests show.
TAP = """(form, [name, value]) => [...form.elements].find(one => one.name === name && one.value === value).click()"""
TYPE = """(form, [name, value]) => { form.elements[name].value = value;
    form.elements[name].dispatchEvent(new Event("change", { bubbles: true })); }"""


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(1, HOUSES))
def test_script_offers_what_the_attributes_say(page: Page, owner: User, game: str, players: int, rules: str) -> None:
    chance = Random(18)  # noqa: S311  cards, not keys
    page.route("**/hands/preview/", lambda route: route.fulfill(status=204))
    page.goto(url(begun(owner, game, rules, NAMES[:players]), "hands/new/"))
    form = page.locator("#hand-form")
    tapped = Tapped(Html(page.request.get(page.url).text()).one("form", id="hand-form"))
    for turn in range(TAPS):
        if turn % 8 == 7 and "points" in tapped.named and not tapped.named["points"][0].is_disabled:
            tapped.type("points", "73")
            form.evaluate(TYPE, ["points", "73"])
        else:
            key = chance.choice([key for key in tapped.enabled if key.name not in ("redeal", "announced")])
            tapped.tap(key)
            form.evaluate(TAP, [key.name, key.value])
        for name, value, *state in form.evaluate(STATE):
            key = next(key for key in tapped.named[name] if not key.is_key or key.value == value)
            if not key.is_key:
                assert value == key.value
                continue
            is_sitting_out = name == "declarer" and key.is_checked and key.is_clashing
            expected = [key.is_checked, key.is_disabled, key.is_required, key.is_clashing or is_sitting_out]
            assert state == expected, (turn, name, value)
