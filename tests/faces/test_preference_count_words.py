"""Every line of a Preference count has its sentence, and its terms come to its amount."""

from random import Random

import pytest
from django.utils import translation

from scorekeeper.games.base import ScoreLine
from sessions_app.faces.preference.count_words import SENTENCES, besides, gain, in_places, step, terms, written
from tests.games.preference import hands
from tests.games.preference.hands import Given, counted, some_evening, some_rules

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
