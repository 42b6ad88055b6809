"""Blank sheets: a column or a side for each player, what everything is worth, and the ways there."""

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.faces import FACES
from tests.views.page import Page

DRAWN = [key for key, face in FACES.items() if face.has_blank_sheet]
TABLES = [(key, players) for key in DRAWN for players in GAMES[key].seat_counts]


def test_each_of_the_three_games_has_a_blank_sheet() -> None:
    assert DRAWN == ["asszorti", "tarokk", "preference"]


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("language", ["en", "hu"])
def test_blank_sheet_has_room_for_each_player(strangers: Client, game: str, players: int, language: str) -> None:
    asked = strangers.get(f"/games/{game}/blank-sheet/?players={players}", headers={"accept-language": language})
    page = Page.of(asked)
    assert page.language == language
    if page.of_class("blank-columns"):
        heads = page.of_class("blank-columns")[0].one("thead").all("th")
        assert len(heads) == 2 + players
        [*_hands, balance] = page.of_class("blank-columns")[0].one("tbody").all("tr")
        assert len(balance.all("td")) == players
    else:
        assert len(page.of_class("to-write-on")) == players


@pytest.mark.parametrize("asked", ["", "?players=9", "?players=x", "?players=" + "9" * 400])
def test_blank_sheet_for_a_number_that_cannot_play_is_that_of_the_fewest(strangers: Client, asked: str) -> None:
    page = Page.of(strangers.get(f"/games/tarokk/blank-sheet/{asked}"))
    assert len(page.of_class("blank-columns")[0].one("thead").all("th")) == 2 + 4


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("asszorti", ["Arrivázs: won +8 (no trumps +16)", "mordkontra ×32"]),
        ("tarokk", ["XXI-fogás 21 / 42", "mordkontra ×32", "from 48 card points on; dupla is 71"]),
        ("preference", ["in a row: 1, 2, 3, 4, 5 …", "10 for each point of dump below the mean"]),
    ],
)
def test_values_on_a_blank_sheet_are_those_of_the_book(strangers: Client, game: str, said: list[str]) -> None:
    key = Page.of(strangers.get(f"/games/{game}/blank-sheet/")).of_class("blank-key")[0].text
    assert [words for words in said if words not in key] == []


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


@pytest.mark.parametrize("game", DRAWN)
def test_blank_sheet_is_found_from_the_rules_and_from_a_new_session(strangers: Client, game: str) -> None:
    sheet = f"/games/{game}/blank-sheet/"
    rules = Page.of(strangers.get(f"/games/{game}/rules/"))
    assert rules.links["Blank sheet to print"] == sheet
    new = Page.of(strangers.post("/sessions/new/", {"arrange": "game", "game": game}))
    assert new.links["No phone at the table? A blank sheet to print"] == sheet


@pytest.mark.usefixtures("toy")
def test_blank_sheet_of_a_game_without_one_is_not_found(strangers: Client) -> None:
    for game in ("toy", "bridge", "%00"):
        assert strangers.get(f"/games/{game}/blank-sheet/").status_code == 404
    assert "Blank sheet" not in strangers.post("/sessions/new/", {"arrange": "game", "game": "toy"}).text
