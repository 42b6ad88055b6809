"""A game's rules page, and the worth of a hand: in both languages, without a query."""

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from scorekeeper.games.payment_game import PAID
from sessions_app.faces import FACES
from sessions_app.models import Evening, User
from sessions_app.words.wording import signed
from tests.factories import begun
from tests.games.vectors import lines
from tests.toy.playing import toy_evening
from tests.views.page import ENGLISH, HTMX_COUNT, HUNGARIAN, Node, Page, filled

EXPLAINED = [key for key, face in FACES.items() if face.rules_page]
LANGUAGES = {"en": ENGLISH, "hu": HUNGARIAN}
SHEETS = Path(__file__).parents[1] / "games"


def at(game_key: str, part: str = "rules", query: str = "") -> str:
    return f"/games/{game_key}/{part}/{query}"


def worked_by_the_sheet(game_key: str) -> Iterator[tuple[str, str]]:
    """Each worked hand of docs/rules that is by the book: its line, and the figures that stand there."""
    for _at, line in lines(SHEETS / game_key / "vectors" / "worked.txt"):
        given, figures = line.split(" = ")
        *before, deal = given.split("| ")
        if not before or before[0].startswith("book"):
            yield deal, figures


def figures_by_the_sheet(game_key: str, figures: str) -> tuple[str, str]:
    """The figures, and their kind: each place's points, the declarer's points, or the entries."""
    if GAMES[game_key].accounts != (PAID,):
        return "data-entries", figures
    if game_key == "asszorti":
        points = int(figures.split()[-1])
        return "data-amounts", f"{2 * points} {-points} {-points}"
    return "data-amounts", figures.replace("+", "")


def worked(page: Page) -> list[Node]:
    return page.of_class("worked-hand")


@pytest.mark.parametrize(("game_key", "language"), [*zip_longest(EXPLAINED, LANGUAGES, fillvalue="en")])
def test_every_worked_hand_of_the_rule_sheet_is_there_and_counted_as_it_is_there(
    game_key: str, language: str, strangers: Client
):
    page = Page.of(strangers.get(at(game_key), headers=LANGUAGES[language]))
    assert page.language == language
    sheet = list(worked_by_the_sheet(game_key))
    assert [hand.attrs["data-line"] for hand in worked(page)] == [line for line, _figures in sheet]
    for hand, (line, said) in zip(worked(page), sheet, strict=True):
        attribute, figures = figures_by_the_sheet(game_key, said)
        assert hand.attrs[attribute] == figures, line
        shown = [node.text for node in hand.of_class("worked-amounts")[0].all("b")]
        wanted = [signed(int(each)) for each in re.findall(r"[+-]?\d+(?!\S)", figures)]
        # Players are named in the order of play; the entries, in that of the count.
        in_order = list if attribute == "data-amounts" else sorted
        assert in_order(shown) == in_order(wanted), line
        assert hand.one("code").text == line
        assert len(hand.of_class("count-table")[0].all("tr")) > 1
        assert all(node.text for node in hand.of_class("worked-why"))


def test_house_rules_hold_on_it_but_for_the_worked_hands(strangers: Client):
    line = "six_five_nil=no no_trump_arrivazs=no ladder=1"
    page = Page.of(strangers.get(at("asszorti", query=f"?rules={quote(line)}&evening=7")))
    assert "House rules: no 6:5:0, no arrivázs at no trumps, kontra only" in page.text
    assert "deducted from what the declarer's six earn" not in page.text
    _contracts, arrivazs, kontras = ([row.text for row in table.all("tr")] for table in page.of_class("worth-table"))
    assert arrivazs[1:] == ["won +8 –", "idegen +16 –", "lost −8 –"]
    assert kontras == ["kontra ×2 either opponent"]
    assert len(worked(page)) == len(list(worked_by_the_sheet("asszorti")))
    assert page.links["The session"] == "/sessions/7/"
    assert page.links["What would it be worth?"] == at(
        "asszorti", "worth", "?rules=six_five_nil%3Dno+no_trump_arrivazs%3Dno+ladder%3D1"
    )
    assert "There is no kontra" in Page.of(strangers.get(at("asszorti", query="?rules=ladder%3D0"))).text


def test_figures_of_tarokk_are_those_of_the_house_rules(strangers: Client):
    house = "kings=4 ultimo=12 xxi=60 ladder=3 lost_silent_ultimo=nothing proba=3 tarokks_paid_by=opponents"
    page = Page.of(strangers.get(at("tarokk", query=f"?rules={quote(house)}")))
    bodies = [table.one("tbody") for table in page.of_class("worth-table")]
    games, items, kontras = ([row.text for row in body.all("tr")] for body in bodies)
    assert games[0] == "hármas draws 3 1 2 / 4 3 / 6"
    assert [item.split()[-2:] for item in items] == [["2", "1"], ["4", "2"], ["12", "6"], ["60", "30"]]
    assert len(kontras) == 3
    assert "lost at once: each of the other three gets 3" in page.text
    assert "It counts for the side, like a bonus." in page.text
    assert "costs its side" not in page.text


def counted(client: Client, game_key: str, **fields: str) -> Page:
    return Page.of(client.get(at(game_key, "worth"), fields, headers=HTMX_COUNT))


HAND = {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7", "game_kontra": "1"}


def test_hand_is_counted_while_it_is_tapped_and_without_scripts_when_it_is_sent(strangers: Client):
    page = counted(strangers, "asszorti", **HAND)
    assert "<html" not in page.html
    assert "<form" not in page.html
    assert "2 hearts, 7 tricks: (4 + 2) × 2 = 12" in page.text
    assert "B +24 · A −12 · C −12" in page.text
    assert "Still to tap: contract, trumps and tricks." in counted(strangers, "asszorti").text
    page = Page.of(strangers.get(at("asszorti", "worth"), HAND))
    form = filled(page.one("form", id="hand-form"))
    assert (page.is_whole, page.points, "Save" in page.text) == (True, 12, False)
    assert form.items() >= HAND.items()
    assert Page.of(strangers.get(at("asszorti", "worth"), form)).points == 12


def test_worth_is_counted_by_the_house_rules_of_the_address(strangers: Client):
    bare_six = HAND | {"tricks": "6", "opponent_tricks": "5", "game_kontra": "0"}
    assert counted(strangers, "asszorti", **bare_six).points == 0
    assert counted(strangers, "asszorti", **bare_six, rules="six_five_nil=no").points == 4
    page = Page.of(strangers.get(at("asszorti", "worth"), {"rules": "six_five_nil=no"}))
    assert filled(page.one("form", id="hand-form"))["rules"] == "six_five_nil=no"
    assert "no 6:5:0" in page.text


def test_impossible_hand_of_the_worth_page_is_explained(strangers: Client):
    for fields, sentence in (
        ({"line": "2H 17"}, "There are eleven tricks: a number from 0 to 11."),
        ({"declarer": "9"}, "Nobody sits there."),
        ({"arrivazs": "idegen", "trump": "none"}, "There is no idegen arrivázs at no trumps"),
    ):
        for headers in ({}, HTMX_COUNT):
            answer = strangers.get(at("asszorti", "worth"), HAND | fields, headers=headers)
            assert (answer.status_code, sentence in Page.of(answer).text) == (200, True), fields


@pytest.mark.parametrize("game_key", EXPLAINED)
def test_worked_hand_links_to_a_form_that_counts_it(strangers: Client, game_key: str):
    """A próba too, which is for the fourth to speak alone."""
    links = [a.attrs["href"] for a in Page.of(strangers.get(at(game_key))).all("a") if "line=" in a.attrs["href"]]
    assert links
    for address in links:
        page = Page.of(strangers.get(address))
        assert not page.one(id="count").of_class("error"), address
        assert "Still to tap" not in page.one(id="count").text, address


@pytest.mark.usefixtures("toy")
def test_a_game_that_does_not_explain_itself_is_counted_all_the_same(owners: Client, owner: User):
    assert owners.get(at("toy")).status_code == 404
    page = counted(owners, "toy", way="won", points="3", declarer="1")
    assert "B +6 · A −3 · C −3" in page.text
    whole = Page.of(owners.get(at("toy", "worth")))
    assert "Home" in whole.links
    evening = toy_evening(owner)
    for path in ("", "hands/new/"):
        page = Page.of(owners.get(f"/sessions/{evening.pk}/{path}"))
        assert "Rules" not in page.links
        assert not page.all("dialog")
    assert "Toy: rules" not in Page.of(owners.get("/")).links


def test_the_ways_to_it(owners: Client, owner: User, play: Callable[..., Evening]):
    evening = play(begun(owner, rules="ladder=2"), 1)
    address = at("asszorti", query=f"?evening={evening.pk}&rules=ladder%3D2")
    for path, is_over in (("", False), ("hands/new/", True), ("hands/1/", True), ("hands/1/edit/", True)):
        page = Page.of(owners.get(f"/sessions/{evening.pk}/{path}"))
        assert page.links["Rules"] == address
        assert [link.attrs.get("target") for link in page.all("a", data_rules="")] == ["_blank"] * is_over
        assert len(page.all("dialog", id="rules-sheet")) == is_over
    home = Page.of(owners.get("/")).links
    assert {f"{FACES[key].name}: rules": at(key) for key in EXPLAINED}.items() <= home.items()


# --- Blank sheets: a column or a side for each player, what everything is worth, and the ways there ---


DRAWN = [key for key, face in FACES.items() if face.has_blank_sheet]
TABLES = [(key, players) for key in DRAWN for players in GAMES[key].seat_counts]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_blank_sheet_has_room_for_each_player(strangers: Client, game: str, players: int) -> None:
    page = Page.of(strangers.get(f"/games/{game}/blank-sheet/?players={players}"))
    if page.of_class("blank-columns"):
        heads = page.of_class("blank-columns")[0].one("thead").all("th")
        assert len(heads) == 2 + players
        [*_hands, balance] = page.of_class("blank-columns")[0].one("tbody").all("tr")
        assert len(balance.all("td")) == players
    else:
        assert len(page.of_class("to-write-on")) == players


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("asszorti", ["Arrivázs: won +8 (no trumps +16)", "mordkontra ×32"]),
        ("tarokk", ["XXI-fogás 21 / 42", "mordkontra ×32", "from 48 card points on; dupla is 71"]),
        ("preference", ["in a row: 1, 2, 3, 4, 5 …", "10 for each point of dump below the mean"]),
    ],
)
def test_blank_sheet_with_the_book_s_values_is_found_from_the_rules_and_a_new_session(
    strangers: Client, game: str, said: list[str]
) -> None:
    sheet = f"/games/{game}/blank-sheet/"
    key = Page.of(strangers.get(sheet)).of_class("blank-key")[0].text
    assert [words for words in said if words not in key] == []
    assert Page.of(strangers.get(f"/games/{game}/rules/")).links["Blank sheet to print"] == sheet
    new = Page.of(strangers.post("/sessions/new/", {"arrange": "game", "game": game}))
    assert new.links["No phone at the table? A blank sheet to print"] == sheet


def test_values_on_a_blank_sheet_are_those_of_the_house_rules_that_led_there(strangers: Client) -> None:
    rules = Page.of(strangers.get("/games/asszorti/rules/?rules=six_five_nil%3Dno+ladder%3D0"))
    sheet = Page.of(strangers.get(rules.links["Blank sheet to print"]))
    assert "House rules: no 6:5:0" in sheet.of_class("blank-rules")[0].text
    key = sheet.of_class("blank-key")[0].text
    assert "6:5:0" not in key
    assert "kontra" not in key
    [four] = [href for words, href in sheet.links.items() if words == "4 players"]
    assert "six_five_nil" in four
    assert strangers.get("/games/asszorti/blank-sheet/?rules=nonsense").status_code == 404


@pytest.mark.usefixtures("toy")
def test_blank_sheet_for_a_number_that_cannot_play_is_that_of_the_fewest_and_of_a_game_without_one_not_found(
    strangers: Client,
) -> None:
    for asked in ("", "?players=9", "?players=x", "?players=" + "9" * 400):
        page = Page.of(strangers.get(f"/games/tarokk/blank-sheet/{asked}"))
        assert len(page.of_class("blank-columns")[0].one("thead").all("th")) == 2 + 4
    for game in ("toy", "bridge", "%00"):
        assert strangers.get(f"/games/{game}/blank-sheet/").status_code == 404
    assert "Blank sheet" not in strangers.post("/sessions/new/", {"arrange": "game", "game": "toy"}).text
