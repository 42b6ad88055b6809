"""The part of a new evening's form that chooses the game and its house rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest
from django.utils import translation

from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.house_rules import HouseRules
from sessions_app.faces import _FACES
from sessions_app.forms.evening_new import NewEveningForm
from tests.forms.errors import sentences_of
from tests.forms.test_evening_new import posted
from tests.toy import game
from tests.toy.face import FACE

pytestmark = pytest.mark.usefixtures("english")
CONTROLS = {
    "rules_six_five_nil": "no",
    "rules_no_trump_arrivazs": "no",
    "rules_ladder": "2",
    "rules_hands": "20",
    "rules_points": "100",
}
NO_HANDS = "End after this many hands: a whole number from 0 to 999."
LINE = "six_five_nil=no no_trump_arrivazs=no ladder=2 hands=20 points=100"


def shown(form: NewEveningForm) -> dict[str, str]:
    return {control.name: control.value for control in form.controls}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, ""),
        (CONTROLS, LINE),
        ({"rules": LINE}, LINE),
        ({"rules": "  points=100   hands=20 ladder=2 six_five_nil=no no_trump_arrivazs=no "}, LINE),
        ({"rules": "book"}, ""),
        ({"rules": "book ladder=2"}, "ladder=2"),
        ({"rules": "ladder=5 six_five_nil=yes hands=0"}, ""),
        # the line wins, and all of it: switches that it does not name are as in the book
        (CONTROLS | {"rules": "ladder=3"}, "ladder=3"),
        (CONTROLS | {"rules": "book"}, ""),
        (CONTROLS | {"rules": "   "}, LINE),
        ({"rules": "ladder=3", "rules_hands": "x"}, "ladder=3"),
        # missing and empty switches are as in the book
        ({"rules_ladder": "1"}, "ladder=1"),
        (dict.fromkeys(CONTROLS, ""), ""),
        ({"rules_hands": "0", "rules_ladder": "5"}, ""),
        # those chosen while another game was shown are not this one's, but a typed line is
        ({"shown_game": "toy", "rules_ladder": "1"}, ""),
        ({"shown_game": "toy", "rules": "ladder=1"}, "ladder=1"),
        # people put noughts and spaces round a number
        ({"rules_hands": " 020 ", "rules_points": "00"}, "hands=20"),
    ],
)
def test_posted_rules_are_stored_in_one_spelling(fields: dict[str, str], line: str) -> None:
    form = posted(**fields)
    assert form.is_valid(), form.errors
    assert (form.opening.game_key, form.opening.rules) == ("asszorti", line)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"rules": "x=1"}, {"rules": ["There is no house rule x."]}),
        ({"rules": "ladder=1 ladder=1"}, {"rules": ["Highest kontra: listed twice."]}),
        (
            {"rules": "ladder=6 six_five_nil=maybe hands=-1"},
            {"rules": ["Highest kontra: a whole number from 0 to 5.", "6:5:0: one of yes, no.", NO_HANDS]},
        ),
        ({"rules": "x" * 600}, {"rules": [f"There are no house rules by the name of {'x' * 30}…."]}),
        ({"rules": "x" * 601}, {"rules": ["A line of house rules has at most 600 characters."]}),
        *(({"rules_hands": bad}, {"rules_hands": [NO_HANDS]}) for bad in ("1000", "-1", "٥", "20 ladder=0")),
        ({"rules_six_five_nil": "yes ladder=0"}, {"rules_six_five_nil": ["6:5:0: one of yes, no."]}),
        (
            {"rules_ladder": "6", "rules_points": "10000", "rules_hands": "3"},
            {
                "rules_ladder": ["Highest kontra: a whole number from 0 to 5."],
                "rules_points": ["End when somebody has this many points: a whole number from 0 to 9999."],
            },
        ),
        # one thing wrong is said once: the line wins, be it wrong or not
        ({"rules": "x=1", "rules_hands": "1000"}, {"rules": ["There is no house rule x."]}),
    ],
)
def test_wrong_rule_is_refused_beside_its_field_in_both_languages(
    fields: dict[str, str], wrong: dict[str, list[str]]
) -> None:
    form = posted(**fields)
    assert not form.is_valid()
    assert sentences_of(form) == wrong
    assert form.has_house_errors
    with translation.override("hu"):
        said = sentences_of(posted(**fields))
    assert said.keys() == wrong.keys()
    assert not {sentence for each in said.values() for sentence in each} & {
        sentence for each in wrong.values() for sentence in each
    }


def test_readable_line_fills_the_controls() -> None:
    form = posted(rules=LINE, player_1="")
    assert form.typed == ""
    assert shown(form) == CONTROLS
    assert form.differing == (
        "no 6:5:0",
        "no arrivázs at no trumps",
        "kontra up to rekontra",
        "20 hands",
        "to 100 points",
    )


def test_wrong_rule_is_kept_as_typed() -> None:
    form = posted(rules="x=1", **CONTROLS | {"rules_hands": "1000"})
    assert form.typed == "x=1"
    assert shown(form) == CONTROLS | {"rules_hands": "1000"}
    assert "20 hands" not in form.differing
    form = posted(**CONTROLS | {"rules_hands": "1 000", "rules_ladder": "x"})
    assert shown(form) == CONTROLS | {"rules_hands": "1 000", "rules_ladder": "5"}


def test_a_game_that_is_none_is_refused() -> None:
    for name in ("poker", "Asszorti", "x" * 1999, "asszorti asszorti"):
        assert sentences_of(posted(game=name)) == {"game": ["Choose one of the games offered."]}


# --- Rules that hang on each other ---


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
def clashing(toy: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    house = HouseRules({"book": Rules()})
    monkeypatch.setattr(game.GAME, "house_rules", house)
    words = replace(FACE.house_words, refusal=lambda message: {"clash": CLASH, "needs": NEEDS}[message.code])
    # Taken back before the toy is: `monkeypatch`, which is older, would put its face back into the registry.
    with patch.dict(_FACES, {FACE.key: replace(FACE, house_words=words)}):
        yield


@pytest.mark.usefixtures("clashing")
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
    form = posted(game="toy", rules_doubled=doubled, rules_most=most)
    assert sentences_of(form) == errors
    assert shown(form) == {"rules_doubled": doubled if doubled in ("yes", "no") else "yes", "rules_most": most}
    assert form.differing == differing


@pytest.mark.usefixtures("clashing")
@pytest.mark.parametrize("fields", [{"rules_doubled": "no", "rules_most": "2"}, {"rules": "most=2 doubled=no"}])
def test_a_value_that_needs_another_is_taken_with_it(fields: dict[str, str]):
    form = posted(game="toy", **fields)
    assert form.is_valid(), form.errors
    assert form.opening.rules == "doubled=no most=2"
    assert shown(form) == {"rules_doubled": "no", "rules_most": "2"}
    assert form.differing == ("never twice", "up to 2")
