"""Every refusal of Tarokk's referee has its sentence. The codes are collected from the code."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from scorekeeper.games.errors import Message
from scorekeeper.games.tarokk.auction import Auction, Call, Card
from scorekeeper.games.tarokk.hand_in_play import HandState
from sessions_app.faces.tarokk.referee_words import CALLS, invitation_words, must_call, promise, refusal, why_turn

ROOT = Path(__file__).parents[2]
PLAYED = ("auction", "announcing", "hand_in_play", "referee")
SOURCES = [
    *(ROOT / f"scorekeeper/games/tarokk/{name}.py" for name in PLAYED),
    ROOT / "scorekeeper/games/auction.py",
    ROOT / "sessions_app/writers/hand_in_play.py",
]
NAMES = ["Anna", "Béla", "Cili", "Dóra"]
#: A value for every parameter that a code may have.
PARAMS = {"seat": 1, "turn": 2, "kontra": 3, "item": "-T", "highest": 2, "calls": "3 3", "call": "1", "bid": "2"}
CODES = re.compile(r'(?:IllegalMove\(|return |else |code = )"([a-z_]+)"')
LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])


def codes() -> set[str]:
    """Every text that IllegalMove is made with, or that a function returns to it."""
    found = {code for path in SOURCES for code in CODES.findall(path.read_text(encoding="utf-8"))}
    return {code for code in found if "_" in code}


def test_the_codes_are_found() -> None:
    assert {
        "not_his_side",
        "not_your_turn",
        "held_once",
        "double_after_volat",
        "points_unanswered",
        "later_first",
    } <= codes()


@LANGUAGES
def test_every_refusal_has_its_sentence(language: str) -> None:
    for code in codes():
        with translation.override(language):
            said = refusal(Message(code, PARAMS), NAMES)
        assert said.endswith((".", "?")), code
        assert "%(" not in said, code


@LANGUAGES
def test_calls_and_promises_are_told_in_words(language: str) -> None:
    with translation.override(language):
        assert all(str(CALLS[call]) for call in Call)
        assert all(card in promise(card) for card in Card)
        held = Auction.from_text("3-2-1-0 3 pass 2 pass")
        assert "tartom" in why_turn(held).lower()
        assert why_turn(Auction.from_text("3-2-1-0 pass pass pass"))
        engedes = HandState(0).after_auction(Auction.from_text("3-2-1-0 3 pass 2 pass pass"))
        assert engedes.auction
        assert engedes.auction.invitation
        assert "Dóra" in invitation_words(engedes.auction.invitation, NAMES)
        assert "XX" in must_call(engedes, NAMES)
