"""Paper, by the text of a page's PDF: all hands, names on each sheet, no keys or links of actions; and dark ink."""

import re
import unicodedata
from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.writers import demo, evenings
from tests.browser.phones import url
from tests.factories import record, repeat
from tests.selection import first, first_rows
from tests.statistics.generate import generate

pytestmark = pytest.mark.django_db(transaction=True)

LIGHTNESS = "(one) => Math.max(...getComputedStyle(one).color.match(/[0-9]+/g).slice(0, 3).map(Number))"
HANDS = 44


def printed(page: Page, address: str, size: str = "A4") -> list[str]:
    """Return the text of each sheet of paper, ligatures taken apart."""
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    reader = PdfReader(BytesIO(page.pdf(format=size, prefer_css_page_size=True)))
    return [" ".join(unicodedata.normalize("NFKC", sheet.extract_text()).split()) for sheet in reader.pages]


@pytest.fixture
def phone(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User) -> Page:
    page = new_phone()
    sign_in(page, owner)
    return page


@pytest.fixture
def long(evening: Evening, owner: User) -> Evening:
    for declarer in range(3):
        record(evening, owner, "2H 7", declarer=declarer)
    evening.refresh_from_db()
    repeat(evening, HANDS)
    return evening


def test_printed_sheet_has_every_hand_and_names_on_each_page(phone: Page, long: Evening) -> None:
    phone.goto(url(long))
    phone.get_by_role("link", name=f"All {HANDS} hands").tap()
    phone.wait_for_url("**/?all=1")
    sheets = printed(phone, phone.url)
    assert len(sheets) > 1
    for sheet in sheets:
        assert "Anna Béla Cili" in sheet
    numbers = re.findall(r"\b(\d+) (?:Anna|Béla|Cili) 2", " ".join(sheets))
    assert [int(number) for number in numbers] == list(range(HANDS, 0, -1))
    assert f"of {HANDS}" not in " ".join(sheets)


def test_printed_latest_hands_say_which_are_missing_and_how_to_print_them(phone: Page, long: Evening) -> None:
    for address, hands in (("", "33–44"), ("?before=33", "21–32")):
        paper = " ".join(printed(phone, url(long, address)))
        assert f"Hands {hands} of {HANDS}. To print them all, open “All {HANDS} hands” below the sheet." in paper
        expect(phone.locator(".on-paper")).to_be_hidden()


@pytest.mark.parametrize("page", first(2, ["session", "statement", "circle", "settle", "player", "hand"]))
def test_keys_arrows_and_links_of_actions_are_not_printed(
    phone: Page, owner: User, evening: Evening, page: str
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 5", declarer=1)
    evenings.end(evening.pk)
    player = evening.seats.get(position=0).player_id
    addresses = {
        "session": url(evening),
        "settle": url(evening, "settle/"),
        "hand": url(evening, "hands/1/"),
        "circle": f"/circles/{evening.circle_id}/",
        "player": f"/circles/{evening.circle_id}/players/{player}/",
        "statement": f"/circles/{evening.circle_id}/players/{player}/statement/",
    }
    paper = " ".join(printed(phone, addresses[page]))
    assert "Strigula" in paper
    assert "Anna" in paper
    useless = phone.locator("button, a.button, .act, form .button").all_inner_texts()
    for words in {" ".join(text.split()) for text in useless} - {""}:
        assert not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", paper), words
    assert not set(paper) & set("▾▴▸◂‹›Σ")


@pytest.mark.parametrize("theme", first(1, ["light", "dark"]))
@pytest.mark.parametrize("path", first(1, ["", "settle/", "hands/1/"]))
def test_ink_is_dark_in_both_themes(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, path: str, theme: str
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    page = new_phone(color_scheme=theme)
    sign_in(page, owner)
    page.emulate_media(media="print", color_scheme=theme)
    page.goto(url(evening, path))
    expect(page.locator("h1")).to_be_visible()
    for each in page.locator("h1, .name, .figure, .amount").filter(visible=True).all():
        assert each.evaluate(LIGHTNESS) < 180, each.inner_text()


@pytest.mark.parametrize("size", ["A4", "A5"])
def test_session_on_paper_has_its_hands_in_order_below_names_and_room_for_signatures(
    phone: Page, long: Evening, size: str
) -> None:
    record(long, long.circle.members.get().user, "1S 6-5-0 K", declarer=1)
    sheets = printed(phone, url(long, "print/"), size)
    assert len(sheets) > 1
    for sheet in sheets[:-1]:
        assert "Anna Béla Cili" in sheet
    paper = " ".join(sheets)
    numbers = [int(number) for number in re.findall(r"\b(\d+) (?:Anna|Béla|Cili) [12]", paper)]
    assert numbers == list(range(1, HANDS + 2))
    figure = figure_of(Evening.objects.get(pk=long.pk))
    assert re.search(rf"Balance .* Signatures Anna Béla Cili Check figure {figure} .*What do the marks mean\?", paper)
    assert "K×2 kontra" in paper
    assert "print it from the menu" not in paper


@pytest.mark.parametrize("size", ["A4", "A5"])
def test_long_pulka_is_drawn_above_its_hands_on_the_first_sheet(
    new_phone: Callable[..., Page], sign_in: Callable[..., Any], owner: User, size: str
) -> None:
    """In Hungarian; its table is there where the drawing has no room for all figures."""
    [circle] = generate(owner, sessions=1, hands=60, players=8, games=["preference"], seed=5)
    long = circle.evenings.get()
    page = new_phone(locale="hu-HU")
    sign_in(page, owner)
    sheets = printed(page, url(long, "print/"), size)
    assert len(sheets) <= {"A4": 4, "A5": 8}[size]
    names = [seat.player.name for seat in long.seats.select_related("player")]
    assert "Pulya 999-ig" in sheets[0]
    assert all(re.search(rf"{name} [+−]", sheets[0]) for name in names)
    assert "A pulya táblázatban" in " ".join(sheets)
    with_hands = [sheet for sheet in sheets if " ".join(names) in sheet]
    assert len(with_hands) >= 2
    assert any("Egyenleg" in sheet for sheet in with_hands)


def test_marks_of_a_short_session_stand_on_the_sheet_with_its_hands(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User
) -> None:
    tarokk, phone = demo.lay(owner).evenings.get(game_key="tarokk"), new_phone(locale="hu-HU")
    sign_in(phone, owner)
    [sheet] = printed(phone, url(tarokk, "print/"))
    assert sheet.index("Aláírások") < sheet.index("Mit jelentenek a jelek?")


@pytest.mark.parametrize("language", first(1, ["hu-HU", "en-GB"]))
def test_a_year_of_three_games_is_printed_on_two_sheets(
    new_phone: Callable[..., Page], sign_in: Callable[..., Any], owner: User, language: str
) -> None:
    (circle,) = generate(owner, sessions=40, hands=12, players=12, seed=2)
    page = new_phone(locale=language)
    sign_in(page, owner)
    address = f"/circles/{circle.pk}/years/2026/print/"
    sheets = printed(page, address)
    assert len(sheets) == 2
    expect(page.locator(".year-game")).to_have_count(5)
    # Folds are open, and names are whole.
    for title in page.locator("summary h3").all_text_contents():
        assert title in " ".join(sheets)
    small = printed(page, address, "A5")
    assert len(small) <= 4
    assert all(len(sheet) > 200 for sheet in small)
    assert " ".join(small).replace(" ", "").count("Dzsenifer") >= 3


@pytest.mark.parametrize(
    ("language", "size"), first_rows(2, [("hu-HU", "A5"), ("en-GB", "A4"), ("hu-HU", "A4"), ("en-GB", "A5")])
)
def test_blank_sheet_of_every_table_is_one_page(new_phone: Callable[..., Page], language: str, size: str) -> None:
    page = new_phone(locale=language)
    last_words = {
        "hu-HU": {"asszorti": "hirskontra ×16", "tarokk": "mindhárommal külön.", "preference": "fölötte van."},
        "en-GB": {"asszorti": "hirskontra ×16", "tarokk": "with each of the three.", "preference": "above it."},
    }[language]
    for game, words in last_words.items():
        for players in GAMES[game].seat_counts:
            [sheet] = printed(page, f"/games/{game}/blank-sheet/?players={players}", size)
            assert words in sheet
            if game != "preference":
                assert ("25" in sheet.split()) is (size == "A4")
                assert "15" in sheet.split()
    # As many house rules as a sheet can name, in few words and in many.
    many = (
        "rostov pool_point=30 dump_factor=2 consolation=0 mizer_bank=yes ten=checked half_whist=no stalingrad=yes "
        "give_up=3 raspasy_base=3 made_to=dump_first aid=no pool_end=sum"
    )
    for rules in ("rostov", many):
        [sheet] = printed(page, f"/games/preference/blank-sheet/?players=4&rules={quote(rules)}", size)
        assert {"hu-HU": "Házi szabályok: ", "en-GB": "House rules: "}[language] in sheet
