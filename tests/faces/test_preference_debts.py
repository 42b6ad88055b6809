"""The terms of a debt between two players: docs/rules/preference.md §13.2 and §13.3, worked out by hand."""

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils import translation

from scorekeeper.games.preference import GAME, pairwise, sheet_from_text
from sessions_app.faces.preference.pulka import debt_terms, reckoned
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.settlements import TransferView
from sessions_app.words.formatting import signed
from tests.views.page import Page
from tests.views.test_preference import begin, recorded

SEATS = (0, 1, 2)
#: §13.2: the pools are full.
OVER = "P0+8 P1+8 P2+8 D0-2 D1+46 D2+18 B0>1+38 B0>2+2 B1>0+4 B1>2+32 B2>1+68"
#: And 3, broken off.
BROKEN_OFF = "P0+6 P1+2 D0+4 D2+7 B1>0+12 B2>1+4"


def why(sheet: str, pair: tuple[int, int], rules: str = "") -> list[str]:
    """The terms of the first's debt to the second, as they are written."""
    found = debt_terms(sheet_from_text(sheet), pair, SEATS, GAME.rules_from_text(rules))
    return [f"{term.account} {reckoned(term)} = {signed(term.amount)}" for term in found]


def test_debt_of_a_finished_game_is_explained_by_whists_and_dumps() -> None:
    assert why(OVER, (1, 0), "target=8") == ["bank 38 − 4 = +34", "dump 10 × (46 − (−2)) ÷ 3 = +160"]
    assert why(OVER, (1, 2), "target=8") == ["bank 68 − 32 = +36", "dump 10 × (46 − 18) ÷ 3 = +93⅓"]
    assert why(OVER, (2, 0), "target=8") == ["bank 2 − 0 = +2", "dump 10 × (18 − (−2)) ÷ 3 = +66⅔"]


def test_debt_of_a_broken_off_game_is_explained_by_pools_too() -> None:
    assert why(BROKEN_OFF, (2, 0)) == ["bank 0 − 0 = 0", "dump 10 × (7 − 4) ÷ 3 = +10", "pool 10 × (6 − 0) ÷ 3 = +20"]
    assert why(BROKEN_OFF, (0, 1)) == [
        "bank 12 − 0 = +12",
        "dump 10 × (4 − 0) ÷ 3 = +13⅓",
        "pool 10 × (2 − 6) ÷ 3 = −13⅓",
    ]


def test_the_prices_are_the_house_s() -> None:
    assert why(BROKEN_OFF, (2, 0), "leningrad dump_point=5")[1:] == [
        "dump 5 × (7 − 4) ÷ 3 = +5",
        "pool 20 × (6 − 0) ÷ 3 = +40",
    ]


def test_debt_terms_of_amount_zero_are_left_out() -> None:
    assert why("P0+2 P1+2 P2+2 D0+1 D1+1 D2+1 B0>1+6", (1, 0)) == ["bank 6 − 0 = +6"]
    assert why("D0+3 B0>1+6 B1>0+6", (0, 1)) == ["dump 10 × (3 − 0) ÷ 3 = +10"]


@pytest.mark.parametrize("sheet", [OVER, BROKEN_OFF])
def test_the_terms_come_to_what_is_owed(sheet: str) -> None:
    rules, written = GAME.rules_from_text(""), sheet_from_text(sheet)
    for pair, points in pairwise(written, SEATS, rules).items():
        assert sum(term.amount for term in debt_terms(written, pair, SEATS, rules)) == points


SAID = {
    "en": "What Béla gets from Anna: whists 12 − 0 = +12 dump 10 × (4 − 0) ÷ 3 = +13⅓ pool 10 × (2 − 6) ÷ 3 = −13⅓"
    " together 12",
    "hu": "Amit Anna fizet, és Béla kap: viszt 12 − 0 = +12 hegy 10 × (4 − 0) ÷ 3 = +13⅓ pulya 10 × (2 − 6) ÷ 3 = −13⅓"
    " összesen 12",
}


@pytest.mark.parametrize("language", ["en", "hu"])
def test_debt_is_explained_in_both_languages(language: str) -> None:
    anna, bela = SeatView(0, "Anna", 0, 0), SeatView(1, "Béla", 0, 0)
    explained = debt_terms(sheet_from_text(BROKEN_OFF), (0, 1), SEATS, GAME.rules_from_text(""))
    context = Context({"transfer": TransferView(anna, bela, 12, None, why=explained)})
    with translation.override(language):
        assert (
            Page(Engine.get_default().get_template("games/preference/face.html#debt").render(context)).text
            == SAID[language]
        )


@pytest.mark.django_db
def test_every_pair_s_debt_is_explained_term_by_term(owners: Client) -> None:
    evening = begin(owners)
    recorded(owners, evening, ("= P0+6 P1+2 D0+4 D2+7 B1>0+12 B2>1+4", "", 0))
    page = Page.of(owners.get(f"/sessions/{evening.pk}/settle/"))
    pair, *_rest = page.one("section", aria_labelledby="pairwise").all("details")
    assert pair.one("summary").text == "Anna →pays Béla 12"
    assert pair.of_class("why")[0].text == (
        "What Béla gets from Anna: "
        "whists 12 − 0 = +12 dump 10 × (4 − 0) ÷ 3 = +13⅓ pool 10 × (2 − 6) ÷ 3 = −13⅓ together 12"
    )
    assert "By the whole sheet" not in page.text
