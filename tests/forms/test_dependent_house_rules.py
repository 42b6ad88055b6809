"""House rules that hang on each other: the toy's, where a hand of two at most never counts twice.

A switch that can be chosen only with another, or not with it, is judged by all that is chosen, beside those it names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from django.utils import translation

from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.house_rules import HouseRules
from sessions_app.faces import _FACES
from sessions_app.forms.evening_new import NewEveningForm
from tests.forms.errors import sentences_of
from tests.toy import game
from tests.toy.face import FACE

pytestmark = pytest.mark.usefixtures("toy", "clashing")

PLAYERS = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili"}
CLASH = "Eight is not for those who never count twice."
NEEDS = "So few are for those who never count twice."


@dataclass(frozen=True, slots=True)
class Rules(game.Rules):
    """Up to two only where nothing counts twice, and up to seven or eight only where it does."""

    def __post_init__(self) -> None:
        if self.most <= 2 and self.doubled:
            raise InvalidRules({"most": Message("needs", {})})
        if self.most == 8 and not self.doubled:
            raise InvalidRules({"most": Message("clash", {}), "doubled": Message("clash", {})})
        if self.most == 7 and not self.doubled:
            raise InvalidRules({"": Message("clash", {})})


@pytest.fixture
def clashing(monkeypatch: pytest.MonkeyPatch) -> None:
    house = HouseRules({"book": Rules()})
    monkeypatch.setattr(game.GAME, "house_rules", house)
    words = replace(FACE.house_words, refusal=lambda message: {"clash": CLASH, "needs": NEEDS}[message.code])
    monkeypatch.setitem(_FACES, FACE.key, replace(FACE, house_words=words))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def posted(**said: str) -> NewEveningForm:
    return NewEveningForm({**PLAYERS, "first_dealer": "1", "stake": "", "currency": "HUF", "game": "toy", **said})


def shown(form: NewEveningForm) -> dict[str, str]:
    return {control.name: control.value for control in form.controls}


@pytest.mark.parametrize(
    ("doubled", "most", "errors", "differing"),
    [
        ("no", "8", {"rules_doubled": [CLASH], "rules_most": [CLASH]}, ()),
        ("no", "7", {"rules": [CLASH]}, ()),
        ("yes", "2", {"rules_most": [NEEDS]}, ()),
        ("", "2", {"rules_most": [NEEDS]}, ()),
        ("no", "10", {"rules_most": ["Highest: a whole number from 1 to 9."]}, ("never twice",)),
        ("maybe", "2", {"rules_doubled": ["Twice: one of yes, no."]}, ()),
    ],
)
def test_rules_that_exclude_each_other_are_refused_beside_both_and_stay_chosen(
    doubled: str, most: str, errors: dict[str, list[str]], differing: tuple[str, ...]
):
    form = posted(rules_doubled=doubled, rules_most=most)
    assert sentences_of(form) == errors
    assert shown(form) == {"rules_doubled": doubled if doubled in ("yes", "no") else "yes", "rules_most": most}
    assert form.differing == differing


@pytest.mark.parametrize("fields", [{"rules_doubled": "no", "rules_most": "2"}, {"rules": "most=2 doubled=no"}])
def test_a_value_that_needs_another_is_taken_with_it(fields: dict[str, str]):
    form = posted(**fields)
    assert form.is_valid(), form.errors
    assert form.opening.rules == "doubled=no most=2"
    assert shown(form) == {"rules_doubled": "no", "rules_most": "2"}
    assert form.differing == ("never twice", "up to 2")
