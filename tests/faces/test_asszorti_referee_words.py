"""Every refusal of Asszorti's referee has its sentence. The codes are collected from the code by its syntax tree."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

from scorekeeper.games.asszorti.announcing import Item
from scorekeeper.games.asszorti.auction import Auction, Call
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.errors import Message
from sessions_app.faces.asszorti.referee_words import (
    CALLS,
    ITEMS,
    auction_ended,
    item_kontras,
    refusal,
    tricks_ended,
    turn,
)

ROOT = Path(__file__).parents[2]
RULES = (path for path in (ROOT / "scorekeeper/games/asszorti").glob("*.py") if path.name != "deal.py")
SOURCES = [*RULES, ROOT / "scorekeeper/games/auction.py", ROOT / "sessions_app/writers/hand_in_play.py"]
NAMES = ["Anna", "Béla", "Cili"]
#: A value for every parameter that a code may have.
PARAMS = {
    **{
        "seat": 1,
        "turn": 2,
        "kontra": 3,
        "item": "game",
        "tricks": 4,
        "sum": 6,
        "highest": 2,
        "needed": 5,
        "calls": "3 3",
    },
    **{"call": "1", "bid": "2", "next": "hand", "contract": "3", "least": "hand"},
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])


def texts(node: ast.expr) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def codes() -> set[str]:
    """Every text that IllegalMove is made with, or that a variable `code` or `codes` is given beside it."""
    found: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalMove":
                found |= texts(node.args[0])
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("code", "codes"):
                found |= texts(node.value)
    return found


def said(code: str, language: str = "en") -> str:
    with translation.override(language):
        return refusal(Message(code, PARAMS), NAMES).replace("\u2068", "").replace("\u2069", "")


def test_the_codes_are_found() -> None:
    assert {"not_your_turn", "szubkontra_same_opponent", "claim_open", "no_claim", "later_first"} <= codes()
    assert len(codes()) > 25


@LANGUAGES
def test_every_code_is_a_sentence(language: str) -> None:
    sentences = {code: said(code, language) for code in codes()}
    assert all(sentence.endswith((".", "?")) and "%" not in sentence for sentence in sentences.values())


def test_a_refusal_names_who_and_what() -> None:
    assert said("not_your_turn") == "It is Cili's turn to call, not Béla's."
    assert said("contract_too_low") == "The contract is the final bid (from hand) or higher."
    assert said("not_his_kontra") == "Béla cannot say szubkontra."
    assert said("split_sum") == "The opponents share 5 tricks, not 6."


def test_a_seat_that_is_none_is_named_by_a_question_mark() -> None:
    with translation.override("en"):
        assert refusal(Message("not_playing", {"seat": 7}), NAMES) == "? does not play this hand."


@LANGUAGES
def test_every_call_and_item_has_words_of_its_own(language: str) -> None:
    with translation.override(language):
        assert len({str(CALLS[call]) for call in Call}) == len(Call)
        assert len({str(ITEMS[item]) for item in Item}) == len(Item)


def plain(sentence: str) -> str:
    return sentence.replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(
    ("auction", "sentence"),
    [
        ("1-2-0", ""),
        ("1-2-0 pass", ""),
        ("1-2-0 3", "Cili speaks after Béla: bid the next one up, or pass."),
        ("1-2-0 3 2 pass", "Béla speaks before Cili: hold the bid (2) or pass."),
    ],
)
def test_it_says_why_who_is_to_call_may_say_what_he_may(auction: str, sentence: str) -> None:
    with translation.override("en"):
        assert plain(turn(Auction.from_text(auction), NAMES)) == sentence


@pytest.mark.parametrize(
    ("auction", "sentence"),
    [
        ("1-2-0 3", ""),
        ("1-2-0 3 pass pass", "Béla plays: 3 or higher."),
        ("1-2-0 3 2 1 pass pass", "Anna plays: 1 or higher."),
        ("1-2-0 3 2 1 hold hand pass", "Cili plays: the contract is from hand."),
        ("1-2-0 pass pass", "Béla and Cili passed without a bid: Anna must play and can name any contract."),
    ],
)
def test_it_says_how_the_auction_ended(auction: str, sentence: str) -> None:
    with translation.override("en"):
        assert plain(auction_ended(Auction.from_text(auction), NAMES)) == sentence


@pytest.mark.parametrize(
    ("play", "sentence"),
    [
        ("1-2-0 1 1 1 1 1 1 1 1 1 1 2", "All eleven tricks are played."),
        ("1-2-0 1 claim stands", "Béla claimed the rest, and the claim was accepted."),
        ("1-2-0 1 1 1 1 1 1 1 1 1 claim disputed 1 1", "The claim was disputed, and Béla lost no trick after it."),
        ("1-2-0 1 2 concede", "Béla conceded the rest. They go to Cili, the only opponent with a trick."),
        ("1-2-0 1 0 2 concede", "Béla conceded the rest. It does not matter how the opponents share them."),
        ("1-2-0 1 concede", "Béla conceded the rest. It does not matter how the opponents share them."),
        (
            "1-2-0 1 1 1 1 1 1 concede",
            "Béla conceded the rest. "
            "Neither opponent had one, and the rules do not say who gets them: agree among yourselves.",
        ),
        (
            "1-2-0 1 0 claim disputed 1 concede",
            "Béla claimed and then gave up: all tricks after the claim go to the opponents. "
            "They go to Anna, the only opponent with a trick.",
        ),
        (
            "1-2-0 1 0 claim disputed 1 2",
            "Béla lost a trick after the claim: all tricks after it go to the opponents. "
            "They go to Anna, the only opponent with a trick.",
        ),
        (
            "1-2-0 1 1 1 1 1 1 2 2 2 2 claim disputed 2",
            "Béla lost a trick after the claim: all tricks after it go to the opponents. "
            "They go to Cili, the only opponent with a trick.",
        ),
        (
            "1-2-0 1 1 1 1 1 1 2 2 2 0 claim disputed 2",
            "Béla lost a trick after the claim: all tricks after it go to the opponents. "
            "It does not matter how the opponents share them.",
        ),
    ],
)
def test_it_says_how_the_tricks_ended_and_by_which_rule(play: str, sentence: str) -> None:
    with translation.override("en"):
        assert plain(tricks_ended(Play.from_text(play), NAMES)) == sentence


def test_it_says_who_said_what() -> None:
    with translation.override("en"):
        assert plain(item_kontras([(2, 1), (1, 2)], NAMES)) == "Cili kontra, Béla rekontra"  # type: ignore[list-item]
