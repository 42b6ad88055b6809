"""The words of Preference's house rules beyond those of every game: groups, exclusions, and how a game ends."""

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from django.utils import translation

from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.house_rules import Switch
from scorekeeper.games.preference import GAME
from sessions_app.faces import house_rules
from sessions_app.faces.preference.house_words import GROUPS, WORDS

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
