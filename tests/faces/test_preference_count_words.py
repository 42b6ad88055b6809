"""The words of a Preference count and of a debt: every line has its sentence, and its terms come to its amount."""

from random import Random

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils import translation

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.preference import GAME, pairwise, sheet_from_text
from sessions_app.faces.preference.count_words import SENTENCES, besides, gain, in_places, step, terms, written
from sessions_app.faces.preference.pulka import debt_terms, reckoned
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.settlements import PairView
from sessions_app.words.formatting import signed
from tests.games.preference import hands
from tests.games.preference.hands import Given, counted, some_evening, some_rules
from tests.views.page import Page
from tests.views.test_preference import begin, recorded

# --- Counts ---


NAMES = ("Anna", "Béla", "Cili", "Dani")
EVENINGS = 250


@pytest.fixture(scope="module")
def lines() -> list[ScoreLine]:
    """The lines of random hands and of the vectors: some codes are rare."""
    chance = Random(10)  # noqa: S311  cards, not keys
    told = (Given.of(line.rpartition(" = ")[0]) for _at, line in hands.lines("explained.txt"))
    found = [line for each in told for line in each.count().lines]
    for _evening in range(EVENINGS):
        rules = some_rules(chance)
        found += [line for hand in counted(some_evening(chance, rules), rules) for line in hand.lines]
    return found


@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_line_of_a_count_has_a_sentence_in_both_languages(lines: list[ScoreLine], language: str) -> None:
    with translation.override(language):
        assert all(step(line, NAMES) for line in lines)
    assert {(line.item, line.code) for line in lines if line.code != "cleared"} == SENTENCES


def test_the_sum_of_a_line_comes_to_its_amount(lines: list[ScoreLine]) -> None:
    said = {(terms(line), line.amount) for line in lines if terms(line)}
    assert len(said) > 100
    for text, amount in said:
        assert eval(text.replace("×", "*").replace("÷", "/").replace("−", "-")) == amount, text  # noqa: S307


def test_points_into_a_dump_count_as_loss_and_off_it_as_gain(lines: list[ScoreLine]) -> None:
    for line in lines:
        assert gain(line) == (-line.amount if line.params.get("account") == "dump" else line.amount)
    sheet = {("pool", 0, None): 2, ("dump", 0, None): -20, ("dump", 1, None): 6, ("bank", 1, 0): 4}
    with translation.override("en"):
        assert {each.where: each.gain for each in in_places(sheet.items(), NAMES)} == {
            "Anna pool": 2,
            "Anna dump": 20,
            "Béla dump": -6,
            "Béla on Anna": 4,
        }
    for line in lines:
        assert [each.gain for each in written([line], NAMES)] == ([gain(line)] if line.amount else [])


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("pair_shares=yes", "The two are 2 short, half each: nothing for the tricks"),
        ("pair_shares=yes short_keeps=yes", "The two are 2 short, half each"),
    ],
)
def test_shared_shortfall_is_listed_once_for_both_whisters(rules: str, said: str) -> None:
    given = Given.of(f"{rules} | | 6S ww 8-1-1")
    with translation.override("en"):
        assert besides(given.count().lines, NAMES) == (said,)


# --- Debts (docs/rules/preference.md §13.2 and §13.3, worked out by hand) ---


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
    anna, bela = SeatView(0, "Anna", 0), SeatView(1, "Béla", 0)
    explained = debt_terms(sheet_from_text(BROKEN_OFF), (0, 1), SEATS, GAME.rules_from_text(""))
    context = Context({"transfer": PairView(anna, bela, 12, None, 12, (0, 0), (0, 0), explained)})
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
