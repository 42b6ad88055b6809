"""The words of Preference beside its hands: the lines of a count, the terms of a debt, its house rules."""

from random import Random

import pytest
from django.test import Client
from django.utils import translation

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.preference import GAME, pairwise, sheet_from_text
from sessions_app.faces import house_rules
from sessions_app.faces.preference.count_words import SENTENCES, besides, gain, in_places, step, terms, written
from sessions_app.faces.preference.house_words import GROUPS, WORDS
from sessions_app.faces.preference.pulka import debt_terms, reckoned
from sessions_app.models import User
from sessions_app.words.wording import signed
from tests.games import vectors
from tests.games.preference.hands import VECTORS, Given, counted, some_evening, some_rules
from tests.views.agreed_entries import pulka
from tests.views.page import Page
from tests.views.test_preference import recorded

NAMES = ("Anna", "Béla", "Cili", "Dani")
KEY = "preference"
REMINDERS = ("game_over", "game_over_together")
EVENINGS = 250


@pytest.fixture(scope="module")
def lines() -> list[ScoreLine]:
    """The lines of random hands and of the vectors: some codes are rare."""
    chance = Random(10)  # noqa: S311  cards, not keys
    told = (Given.of(line.rpartition(" = ")[0]) for _at, line in vectors.lines(VECTORS / "explained.txt"))
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


def test_shared_shortfall_is_listed_once_for_both_whisters() -> None:
    for rules in ("pair_shares=yes", "pair_shares=yes short_keeps=yes"):
        with translation.override("en"):
            (said,) = besides(Given.of(f"{rules} | | 6S ww 8-1-1").count().lines, NAMES)
        assert said.startswith("The two are 2 short, half each")
        assert said.endswith(": nothing for the tricks") == ("short_keeps" not in rules)


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


@pytest.mark.parametrize(
    ("sheet", "pair", "rules", "terms"),
    [
        # By whists and dumps, and where the game was broken off by pools too.
        (OVER, (1, 0), "target=8", ["bank 38 − 4 = +34", "dump 10 × (46 − (−2)) ÷ 3 = +160"]),
        (OVER, (1, 2), "target=8", ["bank 68 − 32 = +36", "dump 10 × (46 − 18) ÷ 3 = +93⅓"]),
        (OVER, (2, 0), "target=8", ["bank 2 − 0 = +2", "dump 10 × (18 − (−2)) ÷ 3 = +66⅔"]),
        (BROKEN_OFF, (2, 0), "", ["bank 0 − 0 = 0", "dump 10 × (7 − 4) ÷ 3 = +10", "pool 10 × (6 − 0) ÷ 3 = +20"]),
        # By the prices of the house.
        (
            BROKEN_OFF,
            (2, 0),
            "leningrad dump_point=5",
            ["bank 0 − 0 = 0", "dump 5 × (7 − 4) ÷ 3 = +5", "pool 20 × (6 − 0) ÷ 3 = +40"],
        ),
        # Terms that come to nothing are left out.
        ("P0+2 P1+2 P2+2 D0+1 D1+1 D2+1 B0>1+6", (1, 0), "", ["bank 6 − 0 = +6"]),
        ("D0+3 B0>1+6 B1>0+6", (0, 1), "", ["dump 10 × (3 − 0) ÷ 3 = +10"]),
    ],
)
def test_debt_is_explained_by_its_terms(sheet: str, pair: tuple[int, int], rules: str, terms: list[str]) -> None:
    assert why(sheet, pair, rules) == terms


@pytest.mark.parametrize("sheet", [OVER, BROKEN_OFF])
def test_the_terms_come_to_what_is_owed(sheet: str) -> None:
    rules, written = GAME.rules_from_text(""), sheet_from_text(sheet)
    for pair, points in pairwise(written, SEATS, rules).items():
        assert sum(term.amount for term in debt_terms(written, pair, SEATS, rules)) == points


@pytest.mark.django_db
def test_every_pair_s_debt_is_explained_term_by_term(owners: Client, owner: User) -> None:
    evening = pulka(owner, rules="")
    recorded(owners, evening, ("= P0+6 P1+2 D0+4 D2+7 B1>0+12 B2>1+4", "", 0))
    page = Page.of(owners.get(f"/sessions/{evening.pk}/settle/"))
    pair, *_rest = page.one("section", aria_labelledby="pairwise").all("details")
    assert pair.one("summary").text == "Anna →pays Béla 12"
    assert pair.of_class("why")[0].text == (
        "What Béla gets from Anna: "
        "whists 12 − 0 = +12 dump 10 × (4 − 0) ÷ 3 = +13⅓ pool 10 × (2 − 6) ÷ 3 = −13⅓ together 12"
    )
    assert "By the whole sheet" not in page.text


# --- The words of Preference's house rules beyond those of every game: groups, exclusions, and how a game ends ---


LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])


def refusals(line: str) -> list[tuple[str, Message]]:
    try:
        GAME.rules_from_text(line)
    except InvalidRules as refused:
        return list(refused.errors.items())
    return []


def test_every_switch_has_a_heading_but_the_target_which_every_table_fixes() -> None:
    headed = [name for _heading, names in GROUPS for name in names]
    assert sorted(headed) == sorted({switch.name for switch in GAME.SWITCHES} - {"target"}), "and none has two"
    fixed = {name: words.usual for name, words in WORDS.switches.items() if words.usual}
    assert fixed == {"target": ("10", "20", "50")}
    assert [name for name, words in WORDS.switches.items() if not words.group] == ["target"]


EXCLUDING = ("rostov pair_shares=yes", "raspasy_to=bank", "rostov raspasy_amnesty=yes", "pool_point=15")


@LANGUAGES
@pytest.mark.parametrize("line", EXCLUDING)
def test_the_other_switch_and_its_value_are_named(line: str, language: str) -> None:
    with translation.override(language):
        for _name, message in refusals(line):
            words = WORDS.switches[str(message.params["switch"])]
            value = str(message.params["value"])
            assert f"{words.label}: {words.values.get(value, value)}." in WORDS.refusal(message)
    assert refusals(line)


def test_the_price_of_aid_is_not_said_where_there_is_none() -> None:
    said = {"leningrad": False, "leningrad aid=yes": True, "aid_rate=20": True, "aid_rate=20 aid=no": False}
    for line, is_said in said.items():
        rules = GAME.rules_from_text(line)
        with translation.override("en"):
            for told in (house_rules.differing(KEY, rules), house_rules.changes(KEY, rules, GAME.PROFILES["sochi"])):
                assert ("20 whists a point of aid" in told) is is_said


@pytest.mark.parametrize(
    ("line", "is_over", "begins"),
    [
        ("target=10", True, "The game is over: the pool to 10 is full."),
        ("target=10 aid=no pool_end=sum", True, "The game is over: all pools together have reached 10 a player."),
        ("leningrad", False, "Broken off before the end, settled at the current score: a pool point is worth 20, "),
        ("pool_end=never", False, "Settled at the current score: a pool point is worth 10, a dump point costs 10, "),
    ],
)
def test_settlement_sentence_follows_the_end_of_the_game(line: str, is_over: bool, begins: str) -> None:
    with translation.override("en"):
        assert WORDS.settled(GAME.rules_from_text(line), is_over).startswith(begins)
        each, together = (WORDS.reminder(Message(code, {"target": 20}), NAMES) for code in REMINDERS)
    assert each.startswith("The pool to 20 is full: the game is over.")
    assert together.startswith("All pools together have reached 20: the game is over.")
