"""The words of a Preference count and of a debt: every line has its sentence, and its terms come to its amount."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils import translation

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.house_rules import Switch
from scorekeeper.games.preference import GAME, pairwise, sheet_from_text
from sessions_app.faces import house_rules
from sessions_app.faces.preference.count_words import SENTENCES, besides, gain, in_places, step, terms, written
from sessions_app.faces.preference.house_words import GROUPS, WORDS
from sessions_app.faces.preference.pulka import debt_terms, reckoned
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.settling import PairView
from sessions_app.words.wording import signed
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


# --- The words of Preference's house rules beyond those of every game: groups, exclusions, and how a game ends ---


LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])


def values_of(switch: Switch) -> list[str]:
    return list(switch.values) or [str(value) for value in range(switch.low, switch.high + 1)]


def refusals(line: str) -> list[tuple[str, Message]]:
    try:
        GAME.rules_from_text(line)
    except InvalidRules as refused:
        return list(refused.errors.items())
    return []


def differing(switch: str, value: str) -> str:
    return WORDS.switches[switch].differing(value)


def test_every_switch_has_a_heading_but_the_target_which_every_table_fixes() -> None:
    headed = [name for _heading, names in GROUPS for name in names]
    assert sorted(headed) == sorted({switch.name for switch in GAME.SWITCHES} - {"target"}), "and none has two"
    fixed = {name: words.usual for name, words in WORDS.switches.items() if words.usual}
    assert fixed == {"target": ("10", "20", "50")}
    assert [name for name, words in WORDS.switches.items() if not words.group] == ["target"]


@LANGUAGES
def test_phrases_of_a_list_hold_no_comma_and_begin_with_a_small_letter(language: str) -> None:
    with translation.override(language):
        said = [differing(each.name, v) for each in GAME.SWITCHES for v in values_of(each) if v != each.book]
    assert not [phrase for phrase in said if "," in phrase or phrase[:1].isupper()]


# --- Profiles ---


def test_a_profile_is_told_by_how_it_differs_from_the_book() -> None:
    with translation.override("en"):
        said = [differing(each.switch, each.value) for each in GAME.differences(GAME.PROFILES["sochi"])]
    assert said == [
        "nothing to the opponents for a failed mizer",
        "a whister's missing tricks go into the whister's own dump",
        "a whister who is short still writes the tricks taken",
        "at six and seven each whister answers for all of their own shortfall",
        "raspasovkas cost ×3 at most",
        "the price of a trick into the pool for taking none in a raspasovka",
    ]


# --- Exclusions ---


def few_values(switch: Switch) -> list[str]:
    """The first values and the last."""
    values = values_of(switch)
    return sorted({*values[:2], values[-1]})


def excluded() -> Iterator[tuple[str, Message]]:
    """The combinations that the rules refuse: the book with two switches changed, each profile with one."""
    said = {switch.name: [f"{switch.name}={value}" for value in few_values(switch)] for switch in GAME.SWITCHES}
    for one, other in combinations(said.values(), 2):
        for pair in product(one, other):
            yield from refusals(" ".join(pair))
    for profile, switch in product(GAME.PROFILES, said.values()):
        for words in switch:
            yield from refusals(f"{profile} {words}")


def test_refused_combinations_of_switches_are_the_known_ones() -> None:
    assert {(name, message.code, message.params["switch"]) for name, message in excluded()} == {
        ("pair_shares", "not_with", "short_factor"),
        ("pool_point", "not_with", "dump_point"),
        ("raspasy_to", "not_with", "raspasy_amnesty"),
        ("raspasy_to", "not_with", "raspasy_dealer"),
    }


@LANGUAGES
def test_the_other_switch_and_its_value_are_named(language: str) -> None:
    with translation.override(language):
        for _name, message in excluded():
            words = WORDS.switches[str(message.params["switch"])]
            value = str(message.params["value"])
            said = WORDS.refusal(message)
            assert f"{words.label}: {words.values.get(value, value)}." in said


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("rostov pair_shares=yes", "Cannot be combined with Price of a missing trick: half the value."),
        ("raspasy_to=bank", "Cannot be combined with Dealer in a raspasovka of four: plays the talon."),
        ("rostov raspasy_amnesty=yes", "Cannot be combined with Amnesty: deducted from all."),
        (
            "pool_point=15",
            "Cannot be combined with Dump point: 10. A pool point taken off the dump must be worth a whole number of "
            "dump points.",
        ),
    ],
)
def test_refused_combination_names_the_other_switch_and_its_value(line: str, sentence: str) -> None:
    with translation.override("en"):
        assert [WORDS.refusal(message) for _name, message in refusals(line)] == [sentence]


# --- Values without effect ---


@pytest.mark.parametrize(
    ("line", "is_said"),
    [("leningrad", False), ("leningrad aid=yes", True), ("aid_rate=20", True), ("aid_rate=20 aid=no", False)],
)
def test_the_price_of_aid_is_not_said_where_there_is_none(line: str, is_said: bool) -> None:
    with translation.override("en"):
        said = house_rules.differing("preference", GAME.rules_from_text(line))
        changes = house_rules.changes("preference", GAME.rules_from_text(line), GAME.PROFILES["sochi"])
    assert ("20 whists a point of aid" in said) is is_said
    assert ("20 whists a point of aid" in changes) is is_said


# --- The end ---


def test_after_the_end_hands_count_for_nothing() -> None:
    with translation.override("en"):
        each, together = (
            WORDS.reminder(Message(code, {"target": 20}), ("Anna", "Béla", "Cili"))
            for code in ("game_over", "game_over_together")
        )
    after = "the game is over. Later hands do not count; agreed entries outside the pool still do."
    assert each == f"The pool to 20 is full: {after}"
    assert together == f"All pools together have reached 20: {after}"


@pytest.mark.parametrize(
    ("line", "is_over", "begins"),
    [
        ("target=10", True, "The game is over: the pool to 10 is full."),
        ("target=10 aid=no pool_end=sum", True, "The game is over: all pools together have reached 10 a player."),
        ("target=10", False, "Broken off before the end, settled at the current score: a pool point is worth 10, "),
        ("leningrad", False, "Broken off before the end, settled at the current score: a pool point is worth 20, "),
        ("pool_end=never", False, "Settled at the current score: a pool point is worth 10, a dump point costs 10, "),
    ],
)
def test_settlement_sentence_follows_the_end_of_the_game(line: str, is_over: bool, begins: str) -> None:
    with translation.override("en"):
        assert WORDS.settled(GAME.rules_from_text(line), is_over).startswith(begins)
