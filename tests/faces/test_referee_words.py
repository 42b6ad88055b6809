"""The words of each game's referee. Every refusal has its sentence: the codes are collected from the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games.asszorti import Arrivazs, Contract, Kontra, Trump
from scorekeeper.games.asszorti.announcing import Auction as AsszortiAuction
from scorekeeper.games.asszorti.announcing import Call as AsszortiCall
from scorekeeper.games.asszorti.announcing import Item
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.errors import Message
from scorekeeper.games.preference.announcing import MIZER, Answer, Named
from scorekeeper.games.preference.auction import BIDS, Auction, Call
from scorekeeper.games.tarokk.auction import Auction as TarokkAuction
from scorekeeper.games.tarokk.auction import Call as TarokkCall
from scorekeeper.games.tarokk.auction import Card
from scorekeeper.games.tarokk.hand_in_play import HandState as TarokkHand
from sessions_app.faces import FACES
from sessions_app.faces.asszorti import referee_words as asszorti
from sessions_app.faces.asszorti.words import ARRIVAZS, CONTRACTS, TRUMPS
from sessions_app.faces.hand_words import KONTRAS, SHORT_KONTRAS
from sessions_app.faces.preference import referee_words as words
from sessions_app.faces.preference.referee import Referee
from sessions_app.faces.tarokk import referee_words as tarokk
from tests.games.preference.played import THREE

ROOT = Path(__file__).parents[2]
#: The modules of a game that refuse moves, as far as it has them, and those that all games share.
OF_A_GAME = ("auction", "announcing", "hand_in_play", "referee", "play")
SHARED = (ROOT / "scorekeeper/games/auction.py", ROOT / "sessions_app/writers/hand_in_play.py")
#: The variables that hold a code before IllegalMove is made with it.
VARIABLES = ("code", "codes", "not_bid", "CLOSED")
CODE = re.compile(r"[a-z]+(?:_[a-z]+)+")
NAMES = ["Anna", "Béla", "Cili", "Dóra"]
#: By game, a value for every parameter that a code may have.
PARAMS: dict[str, dict[str, int | str]] = {
    "asszorti": {
        **{"seat": 1, "turn": 2, "kontra": 3, "item": "game", "tricks": 4, "sum": 6, "highest": 2, "needed": 5},
        **{"calls": "3 3", "call": "1", "bid": "2", "next": "hand", "contract": "3", "least": "hand"},
    },
    "tarokk": {"seat": 1, "turn": 2, "kontra": 3, "item": "-T", "highest": 2, "calls": "3 3", "call": "1", "bid": "2"},
    "preference": {
        **{"seat": 1, "turn": 2, "call": "here", "bid": "6S", "contract": "7", "least": "M", "due": "second"},
        **{"level": 8, "calls": "6S 6S", "answers": "half", "count": 3},
    },
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])
EVERY_GAME = pytest.mark.parametrize("key", PARAMS)


def codes(key: str) -> set[str]:
    """Return the codes of a game's refusals: the texts that its modules make IllegalMove or Message with."""
    found: set[str] = set()
    files = [path for name in OF_A_GAME if (path := ROOT / f"scorekeeper/games/{key}/{name}.py").exists()]
    for path in (*files, *SHARED):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found.update(*map(texts, made_with(node)))
    return found


def made_with(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call():
            if ast.unparse(node.func) in ("IllegalMove", "Message"):
                yield node.args[0]
            yield from (each.value for each in node.keywords if each.arg == "otherwise")
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Dict):
            yield value
        case ast.Assign(targets=[target]) if ast.unparse(target) in VARIABLES:
            yield node.value
        case ast.AnnAssign(value=ast.expr() as value) if ast.unparse(node.target) in VARIABLES:
            yield value


def texts(node: ast.expr) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and CODE.fullmatch(str(each.value))}


def said(key: str, code: str, language: str = "en", **params: int | str) -> str:
    referee: Any = FACES[key].referee
    with translation.override(language):
        return plain(referee.refusal(Message(code, PARAMS[key] | params), NAMES))


def plain(sentence: str) -> str:
    return sentence.replace("\u2068", "").replace("\u2069", "")


def test_codes_of_every_way_to_refuse_are_found() -> None:
    assert {"not_your_turn", "szubkontra_same_opponent", "claim_open", "no_claim", "later_first"} <= codes("asszorti")
    assert {"not_his_side", "held_once", "double_after_volat", "points_unanswered"} <= codes("tarokk")
    assert {"mizer_first", "must_whist", "nobody_asked", "split_unanswered", "not_his_answer"} <= codes("preference")
    assert {key: len(codes(key)) >= 25 for key in PARAMS} == dict.fromkeys(PARAMS, True)


@LANGUAGES
@EVERY_GAME
def test_every_refusal_is_a_sentence_without_open_parameters(key: str, language: str) -> None:
    sentences = {code: said(key, code, language) for code in codes(key)}
    assert not {code for code, text in sentences.items() if not text.endswith((".", "?")) or "%" in text}


@pytest.mark.parametrize(
    ("key", "code", "params", "sentence"),
    [
        ("asszorti", "not_your_turn", {}, "It is Cili's turn to call, not Béla's."),
        ("asszorti", "not_his_kontra", {}, "Béla cannot say szubkontra."),
        ("asszorti", "not_playing", {"seat": 7}, "? does not play this hand."),
        ("preference", "not_higher", {"bid": "7H"}, "Bid higher than 7♥︎."),
        ("preference", "contract_too_low", {"least": "9N"}, "The contract is the final bid (9 NT) or higher."),
    ],
)
def test_a_refusal_names_players_calls_and_figures(
    key: str, code: str, params: dict[str, int | str], sentence: str
) -> None:
    assert said(key, code, **params) == sentence


@LANGUAGES
def test_every_value_of_the_rules_has_words_of_its_own(language: str) -> None:
    tables: tuple[tuple[Any, Any], ...] = (
        *((CONTRACTS, Contract), (TRUMPS, Trump), (ARRIVAZS, Arrivazs), (KONTRAS, Kontra), (SHORT_KONTRAS, Kontra)),
        (asszorti.CALLS, AsszortiCall),
        (asszorti.ITEMS, Item),
        (tarokk.CALLS, TarokkCall),
        (words.CALLS, Call),
        (words.ANSWERS, Answer),
    )
    with translation.override(language):
        for table, members in tables:
            assert len({str(table[member]) for member in members} - {""}) == len(members)
        assert [str(words.CALLS[bid])[0] for bid in BIDS[:5]] == ["6"] * 5


# --- Asszorti ---


@pytest.mark.parametrize(
    ("auction", "turn", "ended"),
    [
        ("", "", ""),
        ("3", "Cili speaks after Béla: bid the next one up, or pass.", ""),
        ("3 2 pass", "Béla speaks before Cili: hold the bid (2) or pass.", ""),
        ("3 pass pass", "", "Béla plays: 3 or higher."),
        ("3 2 1 hold hand pass", "", "Cili plays: the contract is from hand."),
        ("pass pass", "", "Béla and Cili passed without a bid: Anna must play and can name any contract."),
    ],
)
def test_legal_calls_and_the_end_of_an_auction_are_explained(auction: str, turn: str, ended: str) -> None:
    found = AsszortiAuction.from_text(f"1-2-0 {auction}".strip())
    with translation.override("en"):
        assert (plain(asszorti.auction_ended(found, NAMES)), "" if ended else plain(asszorti.turn(found, NAMES))) == (
            ended,
            turn,
        )


CONCEDED, LOST = "Béla conceded", "Béla lost a trick after the claim"


@pytest.mark.parametrize(
    ("play", "begins", "ends"),
    [
        ("1 1 1 1 1 1 1 1 1 1 2", "All eleven", "played."),
        ("1 claim stands", "Béla claimed the rest", "accepted."),
        ("1 1 1 1 1 1 1 1 1 claim disputed 1 1", "The claim was disputed", "lost no trick after it."),
        ("1 2 concede", CONCEDED, "They go to Cili, the only opponent with a trick."),
        ("1 0 2 concede", CONCEDED, "It does not matter how the opponents share them."),
        ("1 concede", CONCEDED, "It does not matter how the opponents share them."),
        ("1 1 1 1 1 1 concede", CONCEDED, "agree among yourselves."),
        ("1 0 claim disputed 1 concede", "Béla claimed and then gave up", "to Anna, the only opponent with a trick."),
        ("1 0 claim disputed 1 2", LOST, "They go to Anna, the only opponent with a trick."),
        ("1 1 1 1 1 1 2 2 2 2 claim disputed 2", LOST, "They go to Cili, the only opponent with a trick."),
        ("1 1 1 1 1 1 2 2 2 0 claim disputed 2", LOST, "It does not matter how the opponents share them."),
    ],
)
def test_end_of_the_tricks_names_the_rule_for_the_rest(play: str, begins: str, ends: str) -> None:
    with translation.override("en"):
        sentence = plain(asszorti.tricks_ended(Play.from_text(f"1-2-0 {play}"), NAMES))
    assert (sentence[: len(begins)], sentence[-len(ends) :]) == (begins, ends)


# --- Tarokk ---


@LANGUAGES
def test_promises_of_calls_are_told_in_words(language: str) -> None:
    with translation.override(language):
        assert all(card in tarokk.promise(card) for card in Card)
        held = TarokkAuction.from_text("3-2-1-0 3 pass 2 pass")
        assert "tartom" in tarokk.why_turn(held).lower()
        assert tarokk.why_turn(TarokkAuction.from_text("3-2-1-0 pass pass pass"))
        engedes = TarokkHand(0).after_auction(TarokkAuction.from_text("3-2-1-0 3 pass 2 pass pass"))
        assert engedes.auction
        assert engedes.auction.invitation
        assert "Dóra" in tarokk.invitation_words(engedes.auction.invitation, NAMES)
        assert "XX" in tarokk.must_call(engedes, NAMES)


# --- Preference ---


NOBODY = "Another phone is already refereeing this hand."


@pytest.mark.parametrize(
    ("noted", "short", "sentence"),
    [
        *((noted, "", NOBODY) for noted in ("", "6S pass", "6S pass pass")),
        ("pass pass pass", "raspasovka", "All have passed: a raspasovka is played."),
        ("M pass pass", "Anna, mizer", "Anna has announced mizer."),
        ("6S pass pass 6S pass half", "Anna, 6♠︎, pass, half", "Anna has announced 6♠︎."),
    ],
)
def test_notes_of_a_hand_are_told_in_short_and_as_a_sentence(noted: str, short: str, sentence: str) -> None:
    hand = THREE.noted(noted)
    with translation.override("en"):
        assert (words.announced_words(hand, NAMES), Referee().noted(hand, NAMES)) == (short, sentence)


@LANGUAGES
def test_legal_calls_and_answers_are_explained(language: str) -> None:
    with translation.override(language):
        assert [words.so_far(THREE.noted(noted), NAMES).count("Béla") for noted in ("6S pass", "6S @1", "")] == [
            1,
            1,
            0,
        ]
        assert words.why_turn(Auction((0, 1, 2))) == ""
        assert "6♠" in words.why_turn(Auction.from_text("0-1-2 6S"))
        assert str(words.CALLS[Call.HERE]) in words.why_turn(Auction.from_text("0-1-2 6S 6C pass"))
        assert "7♥" in words.why_named(THREE.noted("7H pass pass"), NAMES)
        assert "Béla" in words.why_named(THREE.noted("@1"), NAMES)
        assert "Cili" in words.why_answered(THREE.noted("@0 6S pass half"), "Cili", may_half=False)
        assert "4" in words.why_answered(THREE.noted("@0 6S"), "Cili", may_half=False)
        assert "2" in words.why_answered(THREE.noted("@0 6S pass"), "Cili", may_half=True)
        for unasked in ("@0 10S", "@0 6S", "@0 M"):
            assert words.why_unasked(THREE.noted(unasked)).endswith(".")
        assert (words.missing_words(2, MIZER)[0], "6" in words.missing_words(0, Named(6))) == ("2", True)
        prices = [words.price_words(row, price) for row, price in ((0, 1), (1, 2), (6, 7))]
        assert all(str(price) in said for price, said in zip((1, 2, 7), prices, strict=True))
