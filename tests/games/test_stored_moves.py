"""The texts in which the moves of a hand in play are stored: those that no moves make are refused."""

from collections.abc import Callable

import pytest

from scorekeeper.games.asszorti import announcing as asszorti_announcing
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.errors import MalformedState
from scorekeeper.games.preference import auction as preference_auction
from scorekeeper.games.tarokk import announcing as tarokk_announcing
from scorekeeper.games.tarokk import auction as tarokk_auction
from tests.games.refusals import refusal

AUCTION, DOUBLING = asszorti_announcing.Auction.from_text, asszorti_announcing.Doubling.from_text
TAROKK, ANNOUNCING = tarokk_auction.Auction.from_text, tarokk_announcing.Announcing.from_text
PREFERENCE = preference_auction.Auction.from_text


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (AUCTION, ["", "1-2", "1-2-1", "1-2-x", "1-2-0 4", "1-2-0  3", "01-2-0", "1-2-0 PASS"]),
        (DOUBLING, ["", "2-0", "2-0-1 ", "2-0-1 games:0", "2-0-1 game", "2-0-1 game:x", "2-0-1 game:0 announced"]),
        (Play.from_text, ["", "2-0", "2-0-1 ", "2-0-1 dispute", "2-0-1 2  2", "2-0-1 claim Stands"]),
        (TAROKK, ["", "3-2-1", "3-2-1-1 3", "3-2-1-0 4", "3-2-1-0  3", "3-2-1-x 3"]),
        (ANNOUNCING, ["", "0-3-2 /", "0-3-2-1", "0-3-2-1 Q /", "0-3-2-1 / 0mehet", "0-3-2-1 / 4:K"]),
        (PREFERENCE, ["", "1-2", "1-2-1", "1-2-x", "1-2-0-3", "01-2-0", "1-2-0 5S", "1-2-0  6S", "1-2-0 6s"]),
    ],
)
def test_malformed_text_is_refused(read: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(MalformedState):
            read(text)


@pytest.mark.parametrize(
    ("read", "text", "code"),
    [
        *((AUCTION, text, "calls_impossible") for text in ("1-2-0 2", "1-2-0 pass pass 3", "1-2-0 3 hold")),
        (DOUBLING, "2-0-1 game:2", "not_his_kontra"),
        (DOUBLING, "2-0-1 arrivazs:0", "arrivazs_not_announced"),
        (DOUBLING, "2-0-1 game:0 game:2 game:0", "szubkontra_same_opponent"),
        (Play.from_text, "2-0-1 claim stands 0", "hand_over"),
        (TAROKK, "3-2-1-0 3 3", "calls_impossible"),
        *((PREFERENCE, f"1-2-0 {calls}", "calls_impossible") for calls in ("6S 6S", "here", "pass pass pass 6S")),
        (PREFERENCE, "1-2-0 6S pass 7S M", "calls_impossible"),
    ],
)
def test_text_of_moves_that_cannot_have_been_made_is_refused(
    read: Callable[[str], object], text: str, code: str
) -> None:
    assert refusal(lambda: read(text)).code == code
