"""Paper, by the text of a page's PDF: all hands, names on each sheet, no keys or links of actions; and dark ink."""

import re
import unicodedata
from io import BytesIO
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.writers import demo, evenings
from tests.browser.phones import Phones, url
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
def phone(phone_of: Phones, owner: User) -> Page:
    return phone_of(owner, "/offline/")


@pytest.fixture
def long(evening: Evening, owner: User) -> Evening:
    for declarer in range(3):
        record(evening, owner, "2H 7", declarer=declarer)
    evening.refresh_from_db()
    repeat(evening, HANDS)
    return evening


def test_printed_sheet_has_every_hand_and_names_on_each_page_or_says_which_are_missing(
    phone: Page, long: Evening
) -> None:
    for address, hands in (("?before=33", "21–32"), ("", "33–44")):
        paper = " ".join(printed(phone, url(long, address)))
        assert f"Hands {hands} of {HANDS}. To print them all, open “All {HANDS} hands” below the sheet." in paper
        expect(phone.locator(".on-paper")).to_be_hidden()
    phone.get_by_role("link", name=f"All {HANDS} hands").tap()
    phone.wait_for_url("**/?all=1")
    sheets = printed(phone, phone.url)
    assert len(sheets) > 1
    for sheet in sheets:
        assert "Anna Béla Cili" in sheet
    numbers = re.findall(r"\b(\d+) (?:Anna|Béla|Cili) 2", " ".join(sheets))
    assert [int(number) for number in numbers] == list(range(HANDS, 0, -1))
    assert f"of {HANDS}" not in " ".join(sheets)


def test_keys_arrows_and_links_of_actions_are_not_printed_and_ink_is_dark(
    phone: Page, owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 5", declarer=1)
    evenings.end(evening.pk)
    circle = f"/circles/{evening.circle_id}/"
    of_player = f"{circle}players/{evening.seats.get(position=0).player_id}/"
    phone.emulate_media(color_scheme="dark")
    for address in (url(evening), url(evening, "hands/1/"), circle, f"{of_player}statement/"):
        paper = " ".join(printed(phone, address))
        assert "Strigula" in paper
        assert "Anna" in paper
        useless = phone.locator("button, a.button, .act, form .button").all_inner_texts()
        for words in {" ".join(text.split()) for text in useless} - {""}:
            assert not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", paper), words
        assert not set(paper) & set("▾▴▸◂‹›Σ")
        phone.emulate_media(media="print", color_scheme="dark")
        for each in phone.locator("h1, .name, .figure, .amount").filter(visible=True).all():
            assert each.evaluate(LIGHTNESS) < 180, each.inner_text()
        phone.emulate_media(media="null", color_scheme="dark")


@pytest.mark.parametrize("size", first(1, ["A5", "A4"]))
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


@pytest.fixture
def hungarian(phone_of: Phones, owner: User) -> Page:
    return phone_of(owner, "/offline/", locale="hu-HU")


def test_long_pulka_is_drawn_above_its_hands_on_the_first_sheet(hungarian: Page, owner: User) -> None:
    """Its table is there where the drawing has no room for all figures."""
    circle = generate(owner, sessions=1, hands=60, players=8, games=["preference"], seed=5)
    long = circle.evenings.get()
    for size, most in (("A4", 4), ("A5", 8)):
        sheets = printed(hungarian, url(long, "print/"), size)
        assert len(sheets) <= most
        names = [seat.player.name for seat in long.seats.select_related("player")]
        assert "Pulya 999-ig" in sheets[0]
        assert all(re.search(rf"{name} [+−]", sheets[0]) for name in names)
        assert "A pulya táblázatban" in " ".join(sheets)
        with_hands = [sheet for sheet in sheets if " ".join(names) in sheet]
        assert len(with_hands) >= 2
        assert any("Egyenleg" in sheet for sheet in with_hands)


@pytest.mark.thorough
def test_year_of_three_games_is_two_sheets_and_a_short_session_one_with_its_marks(hungarian: Page, owner: User) -> None:
    circle = generate(owner, sessions=40, hands=12, players=12, seed=2)
    address = f"/circles/{circle.pk}/years/2026/print/"
    sheets = printed(hungarian, address)
    assert len(sheets) == 2
    expect(hungarian.locator(".year-game")).to_have_count(5)
    # Folds are open, and names are whole.
    for title in hungarian.locator("summary h3").all_text_contents():
        assert title in " ".join(sheets)
    small = printed(hungarian, address, "A5")
    assert len(small) <= 4
    assert all(len(sheet) > 200 for sheet in small)
    assert " ".join(small).replace(" ", "").count("Dzsenifer") >= 3
    [sheet] = printed(hungarian, url(demo.lay(owner).evenings.get(game_key="tarokk"), "print/"))
    assert sheet.index("Aláírások") < sheet.index("Mit jelentenek a jelek?")


@pytest.mark.parametrize(("language", "size"), first_rows(1, [("hu-HU", "A5"), ("en-GB", "A4")]))
def test_blank_sheet_of_every_table_is_one_page(new_phone: Phones, language: str, size: str) -> None:
    page = new_phone(locale=language)
    last_words = {
        "hu-HU": {"asszorti": "hirskontra ×16", "tarokk": "mindhárommal külön.", "preference": "fölötte van."},
        "en-GB": {"asszorti": "hirskontra ×16", "tarokk": "with each of the three.", "preference": "above it."},
    }[language]
    for game, words in last_words.items():
        for players in GAMES[game].seat_counts if size == "A5" else (max(GAMES[game].seat_counts),):
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
