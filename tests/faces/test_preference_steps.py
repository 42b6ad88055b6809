"""Every line that a count of Preference may bring has its sentence, and its sum says what it comes to."""

from random import Random

import pytest
from django.utils import translation

from scorekeeper.games.base import ScoreLine
from sessions_app.faces.preference.steps import SENTENCES, step, terms
from tests.games.preference.hands import counted, some_evening, some_rules

NAMES = ("Anna", "Béla", "Cili", "Dani")
EVENINGS = 250


@pytest.fixture(scope="module")
def lines() -> list[ScoreLine]:
    chance = Random(10)  # noqa: S311  cards, not keys
    found = []
    for _evening in range(EVENINGS):
        rules = some_rules(chance)
        found += [line for hand in counted(some_evening(chance, rules), rules) for line in hand.lines]
    return found


@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_line_is_said(lines: list[ScoreLine], language: str) -> None:
    with translation.override(language):
        assert all(step(line, NAMES) for line in lines)
    assert {(line.item, line.code) for line in lines if line.code != "cleared"} == SENTENCES


def test_the_sum_of_a_line_comes_to_its_amount(lines: list[ScoreLine]) -> None:
    said = {(terms(line), line.amount) for line in lines if terms(line)}
    assert len(said) > 100
    for text, amount in said:
        assert eval(text.replace("×", "*").replace("÷", "/").replace("−", "-")) == amount, text  # noqa: S307
