"""Every refusal of Preference's referee has its sentence. The codes are collected from the code."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from scorekeeper.games.errors import Message
from scorekeeper.games.preference import referee
from scorekeeper.games.preference.announcing import MIZER, Answer, Named
from scorekeeper.games.preference.auction import BIDS, Auction, Call
from scorekeeper.games.preference.hand_in_play import HandState
from sessions_app.faces.preference import referee_words as words
from sessions_app.faces.preference.referee import Referee
from tests.games.preference.played import THREE

ROOT = Path(__file__).parents[2]
RULES = [
    ROOT / f"scorekeeper/games/preference/{name}.py" for name in ("auction", "announcing", "hand_in_play", "referee")
]
SHARED = [ROOT / "scorekeeper/games/auction.py", ROOT / "sessions_app/writers/hand_in_play.py"]
NAMES = ["Anna", "Béla", "Cili"]
#: A value for every parameter that a code may have.
PARAMS = {
    **{"seat": 1, "turn": 2, "call": "here", "bid": "6S", "contract": "7", "least": "M", "due": "second"},
    **{"level": 8, "calls": "6S 6S", "answers": "half", "count": 3},
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])


def codes() -> set[str]:
    """Every text of more words than one in the rules of a hand in play; elsewhere the arguments of IllegalMove."""
    found = {code for path in RULES for code in re.findall(r'"([a-z]+(?:_[a-z]+)+)"', path.read_text(encoding="utf-8"))}
    return found | {code for path in SHARED for code in re.findall(r'IllegalMove\("(\w+)"', path.read_text("utf-8"))}


def test_the_codes_are_found() -> None:
    listed = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", inspect.getdoc(referee) or ""))
    assert len(listed) > 30
    assert listed <= codes()


@LANGUAGES
def test_every_refusal_has_its_sentence(language: str) -> None:
    for code in codes():
        with translation.override(language):
            said = words.refusal(Message(code, PARAMS), NAMES)
        assert said.endswith((".", "?")), code
        assert "%(" not in said, code


def said(code: str, **params: int | str) -> str:
    with translation.override("en"):
        return words.refusal(Message(code, PARAMS | params), NAMES)


def test_a_refusal_names_who_and_what() -> None:
    assert said("not_your_turn") == "It is Cili's turn, not Béla's."
    assert said("not_higher", bid="7H") == "Bid higher than 7♥︎."
    assert said("contract_too_low", least="9N") == "The contract is the final bid (9 NT) or higher."
    assert said("answers_unanswered") == "the second still has to answer."
    assert said("half_level") == "Half is possible at six and seven only."


@LANGUAGES
def test_every_call_and_answer_has_words_of_its_own(language: str) -> None:
    with translation.override(language):
        assert len({str(words.CALLS[call]) for call in Call}) == len(Call)
        assert len({str(words.ANSWERS[answer]) for answer in Answer}) == len(Answer)
        assert [str(words.CALLS[bid])[0] for bid in BIDS[:5]] == ["6"] * 5


@pytest.mark.parametrize(
    ("row", "price", "sentence"),
    [(0, 1, "1 a trick"), (1, 2, "second in a row: 2 a trick"), (2, 3, "third in a row: 3 a trick"),
     (5, 3, "sixth in a row: 3 a trick"), (6, 7, "number 7 in a row: 7 a trick")],
)  # fmt: skip
def test_a_raspasovka_has_its_price_by_the_row_before_it(row: int, price: int, sentence: str) -> None:
    with translation.override("en"):
        assert words.price_words(row, price) == sentence


def test_the_exit_ladder_only_warns() -> None:
    with translation.override("en"):
        assert words.exit_words(1, 7) == "After 1 raspasovka the lowest contract is 7. A lower one only gets a warning."
        assert "3 raspasovkas in a row" in words.exit_words(3, 8)
        below = words.below_words(Named.from_text("6S"), 8)
    assert below == "6♠︎ is below the exit ladder, which now starts at 8."


def hands() -> Iterator[tuple[str, str, str]]:
    """The notes, the result in a few words, and in one sentence."""
    yield "", "", "Another phone is already refereeing this hand."
    yield "6S pass", "", "Another phone is already refereeing this hand."
    yield "6S pass pass", "", "Another phone is already refereeing this hand."
    yield "pass pass pass", "raspasovka", "All have passed: a raspasovka is played."
    yield "M pass pass", "Anna, mizer", "Anna has announced mizer."
    yield "6S pass pass 7", "Anna, 7", "Anna has announced 7."
    yield "6S pass pass 6S pass half", "Anna, 6♠︎, pass, half", "Anna has announced 6♠︎."


@pytest.mark.parametrize(("noted", "short", "sentence"), list(hands()))
def test_what_is_noted_is_told(noted: str, short: str, sentence: str) -> None:
    hand = THREE.noted(noted)
    with translation.override("en"):
        assert (words.announced_words(hand, NAMES), Referee().noted(hand, NAMES)) == (short, sentence)


def test_what_was_said_before_anything_is_announced_is_told() -> None:
    with translation.override("en"):
        assert words.so_far(THREE.noted("6S pass"), NAMES) == "Called: Anna: 6♠︎, Béla: pass; Cili is to call."
        assert words.so_far(THREE.noted("6S @1"), NAMES) == "Béla plays."
        assert words.so_far(THREE.noted(""), NAMES) == ""


@LANGUAGES
def test_it_says_why_he_may_say_what_he_may(language: str) -> None:
    with translation.override(language):
        assert words.why_turn(Auction((0, 1, 2))) == ""
        assert "6♠" in words.why_turn(Auction.from_text("0-1-2 6S"))
        assert str(words.CALLS[Call.HERE]) in words.why_turn(Auction.from_text("0-1-2 6S 6C pass"))
        assert "7♥" in words.why_named(THREE.noted("7H pass pass"), NAMES)
        assert "Béla" in words.why_named(THREE.noted("@1"), NAMES)
        assert words.why_named(HandState(0), NAMES) == ""
        assert "Cili" in words.why_answered(THREE.noted("@0 6S pass half"), "Cili", may_half=False)
        assert "4" in words.why_answered(THREE.noted("@0 6S"), "Cili", may_half=False)
        assert "2" in words.why_answered(THREE.noted("@0 6S pass"), "Cili", may_half=True)
        assert words.why_answered(THREE.noted("@0 M"), "Cili", may_half=False) == ""
        for unasked in ("@0 10S", "@0 6S", "@0 M"):
            assert words.why_unasked(THREE.noted(unasked)).endswith(".")
        assert words.why_unasked(HandState(0)) == ""
        assert words.missing_words(2, MIZER)[0] == "2"
        assert "6" in words.missing_words(0, Named(6))
        assert words.missing_words(0, MIZER) not in words.missing_words(2, MIZER)
