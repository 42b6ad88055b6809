"""The hand in play as the game reads its row, which `seating` has: what it says, and its facts once it is over."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from scorekeeper.games.referee import Referee
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandInPlay
from sessions_app.readers.evening import seating


def has_begun(evening: Evening) -> bool:
    """Return whether the hand in play says anything but its dealer: one query."""
    in_play = seating.row_in_play(evening)
    return in_play is not None and bool(in_play.has_begun)


def next_or_latest(evening: Evening) -> HandInPlay:
    """Return the evening's hand in play, or the next hand with nothing said (version 0): one query, or two."""
    row = seating.row_in_play(evening)
    if row is None:
        turn = seating.turn(evening)
        row = HandInPlay(number=turn.number, version=0, token=uuid4(), dealer=turn.dealer)
    return row


def referee_of(evening: Evening) -> Referee[Any, Any, Any, Any]:
    """Return the referee of the evening's game. Raise ValueError for a game without one."""
    if evening.game.referee is None:
        raise ValueError(f"{evening.game_key} has no hands in play")
    return evening.game.referee


def read(evening: Evening, row: HandInPlay) -> Any:
    """Return the game's own HandState, read from a row."""
    return referee_of(evening).from_state(row.dealer, row.state)


def facts_of(evening: Evening, hand: Any, answers: Mapping[str, Any]) -> Facts:
    """Return the facts of a HandState that is over, by the players' answers about its end.

    Raise IllegalMove if it is not over, and InvalidDeal.
    """
    deal = referee_of(evening).finish(hand, evening.house, **answers)
    if deal is None:
        return Facts(hand.dealer, deal_stays=evening.game.redeals[0] == "stays")
    return Facts(hand.dealer, hand.declarer, evening.game.deal_to_text(deal))
