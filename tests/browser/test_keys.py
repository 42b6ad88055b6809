"""The keys of a large screen: hands of each game, saved, left and corrected without a mouse."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser import phones
from tests.factories import evening_of
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: A large screen with a mouse.
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "is_mobile": False, "has_touch": False}
FOUR = ("Anna", "Béla", "Cili", "Dani")
#: Ten hands of Asszorti: the keys, and the deal as it is recorded.
TEN_HANDS = [
    ("22h7", "2H 7"),
    ("11s3", "1S 3"),
    ("33n64", "3N 6-4-1"),
    ("13d8", "3D 8"),
    ("20ct", "hC 10"),
    ("32hk9", "2H 9 K"),
    ("21sw8", "1S 8 A+"),
    ("13dlk5", "3D 5 A-K"),
    ("22c4", "2C 4"),
    ("30he", "hH 11"),
]
#: The names and values of the rows with an answer.
ANSWERS = """() => Object.fromEntries([...document.querySelectorAll("#hand-form [type=radio]:checked:enabled")]
    .map((input) => [input.name, input.value]))"""


@pytest.fixture
def desk(new_phone: Callable[..., Page], owner: User, sign_in: Callable[..., None]) -> Page:
    page = new_phone(**DESK)
    sign_in(page, owner)
    return page


def evening_at(owner: User, game: str, names: tuple[str, ...] = FOUR[:3]) -> Evening:
    opening = evenings.Opening(names, 0, None, "", game)
    return evenings.start(opening, token=uuid4(), by=owner)


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def save(page: Page, number: int) -> None:
    """Save by Enter, and wait for the evening's page: the sheet beside the form may show the hand before, too."""
    page.keyboard.press("Enter")
    expect(page.locator("#hand-form")).to_have_count(0)
    expect(page.locator(f"#hand-{number}")).to_be_visible()
    page.wait_for_load_state()  # its keys are loaded by then


def answers(page: Page) -> dict[str, str]:
    rows: dict[str, str] = page.evaluate(ANSWERS)
    return rows


@pytest.mark.thorough
def test_ten_hands_cost_no_more_keys_than_taps(desk: Page, owner: User) -> None:
    """A thumb taps once in each row whose answer differs from the new form's. Opening and saving are one of either."""
    evening = evening_of(owner)
    desk.goto(phones.url(evening))
    for number, (keys, _deal) in enumerate(TEN_HANDS, 1):
        desk.keyboard.press("Enter")
        expect(desk.locator(".save")).to_be_visible()
        before = answers(desk)
        press(desk, keys)
        after = answers(desk)
        assert len(keys) <= sum(before.get(name) != value for name, value in after.items())
        save(desk, number)
    assert [hand.deal for hand in evening.hands.order_by("number")] == [deal for _keys, deal in TEN_HANDS]


@pytest.mark.parametrize(
    ("game", "names", "keys", "deal"),
    first_rows(
        2,
        [
            ("tarokk", FOUR, "20a3k", "s= - K"),
            ("preference", FOUR[:3], "2710c", "7C pw 0"),
            ("tarokk", FOUR, "1134", "1+2 +"),
            ("preference", FOUR[:3], "160", "6 pp"),
            ("preference", FOUR[:3], "p325", "R 3-5-2"),
        ],
    ),
)
def test_a_hand_of_each_game_is_entered_by_keys(
    desk: Page, owner: User, game: str, names: tuple[str, ...], keys: str, deal: str
) -> None:
    evening = evening_at(owner, game, names)
    desk.goto(phones.url(evening, "hands/new/"))
    press(desk, keys)
    save(desk, 1)
    assert evening.hands.get().deal == deal


def test_five_tasks_by_keyboard_alone(desk: Page, owner: User) -> None:
    """Enter a hand, type one as a line, correct one, leave a form, settle up."""
    evening = evening_of(owner)
    desk.goto(phones.url(evening))
    desk.keyboard.press("Enter")
    expect(desk.locator(".save")).to_be_visible()
    press(desk, "22h7")
    save(desk, 1)

    desk.keyboard.press("Enter")
    expect(desk.locator(".save")).to_be_visible()
    press(desk, "3/")
    desk.keyboard.type("1S 3")
    save(desk, 2)

    desk.goto(phones.url(evening, "hands/2/edit/"))
    press(desk, "2")
    desk.keyboard.press("Enter")
    expect(desk).to_have_url(re.compile(r"\?saved=2#hand-2$"))

    desk.goto(phones.url(evening, "hands/new/"))
    press(desk, "1")
    desk.keyboard.press("Escape")
    expect(desk.locator("#hand-news")).to_contain_text("Esc")
    desk.keyboard.press("Escape")
    expect(desk).to_have_url(re.compile(rf"/sessions/{evening.pk}/$"))

    desk.get_by_role("link", name="Settle up").first.focus()
    desk.keyboard.press("Enter")
    expect(desk).to_have_url(re.compile(r"/settle/$"))
    assert [(hand.deal, hand.declarer) for hand in evening.hands.order_by("number")] == [("2H 7", 1), ("1S 3", 1)]


def press_all(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_modifiers_text_fields_and_repeats_do_not_choose(desk: Page, owner: User, expected: set[str]) -> None:
    expected.add("422")  # the live count of a line that is none
    evening = evening_of(owner)
    desk.goto(phones.url(evening, "hands/new/"))
    before = answers(desk)
    press_all(desk, "Control+2", "Shift+Enter", "Alt+2", "Meta+2", "Shift+H", "Control+Enter")
    press(desk, "/")
    line = desk.locator("[name=line]")
    expect(line).to_be_focused()
    press(desk, "2h7/")
    expect(line).to_have_value("2h7/")
    desk.keyboard.press("Escape")
    assert answers(desk) == before
    expect(desk).to_have_url(re.compile(r"/hands/new/$"))
    assert not evening.hands.exists()
    desk.reload()
    for _again in range(3):
        desk.keyboard.down("2")
    desk.keyboard.up("2")
    assert answers(desk).get("declarer") == "1"
    assert "contract" not in answers(desk)


def test_arrows_enter_the_rows_and_go_through_them(desk: Page, owner: User) -> None:
    desk.goto(phones.url(evening_of(owner), "hands/new/"))
    press_all(desk, "ArrowRight", "ArrowRight", "Tab")
    assert answers(desk)["declarer"] == "1"
    expect(desk.locator("[name=contract]").first).to_be_focused()


@pytest.mark.thorough
def test_enter_saves_a_hand_once(desk: Page, owner: User) -> None:
    evening = evening_of(owner)
    desk.goto(phones.url(evening, "hands/new/"))
    press(desk, "22h7")
    for _again in range(4):
        desk.keyboard.down("Enter")
    desk.keyboard.up("Enter")
    expect(desk.locator("#hand-1")).to_be_visible()
    assert evening.hands.count() == 1

    # The first answer is on its way when the second key comes.
    held = []
    desk.route(
        "**/hands/new/", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    desk.goto(phones.url(evening, "hands/new/"))
    press(desk, "11s3")
    with desk.expect_request(lambda request: request.method == "POST" and request.url.endswith("/hands/new/")):
        desk.keyboard.press("Enter")
    press_all(desk, "Enter", "Enter")
    assert len(held) == 1
    held[0].continue_()
    expect(desk.locator("#hand-2")).to_be_visible()
    assert evening.hands.count() == 2


@pytest.mark.thorough
def test_keys_can_be_switched_off(desk: Page, owner: User) -> None:
    evening = evening_of(owner)
    desk.goto(phones.url(evening, "hands/new/"))
    expect(desk.locator(".keys")).to_be_visible()
    desk.locator("#keys").uncheck()
    desk.reload()
    expect(desk.locator("#keys")).not_to_be_checked()
    desk.locator("#main").focus()
    press(desk, "2")
    assert "declarer" not in answers(desk)


def test_a_phone_shows_no_keys(page: Page, owner: User, sign_in: Callable[..., None]) -> None:
    sign_in(page, owner)
    page.goto(phones.url(evening_of(owner), "hands/new/"))
    expect(page.locator(".keys")).to_be_hidden()
