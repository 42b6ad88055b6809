"""The referee's moves as one writer each, for tests: the calls behind a phone's taps."""

from collections.abc import Callable
from functools import partial
from typing import Any

from scorekeeper.games.asszorti import referee
from scorekeeper.games.asszorti.announcing import Auction
from scorekeeper.games.asszorti.hand_in_play import HandState
from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, HandInPlay
from sessions_app.readers.evening.seating import row_in_play
from sessions_app.writers.hand_in_play import announce, change, finish, let_deal, take_back

__all__ = [
    "Auction",
    "HandInPlay",
    "Seen",
    "announce",
    "finish",
    "let_deal",
    "row_in_play",
    "take_back",
]


def read(row: HandInPlay) -> HandState:
    return HandState.from_state(row.dealer, row.state)


def seen(evening: Evening) -> Seen:
    """Return the number of the next hand and the version of the hand in play, as a phone has just read them."""
    evening.refresh_from_db()
    row = row_in_play(evening)
    return Seen(evening.last_number + 1, row.version if row else 0)


def _tap(noted: Callable[..., Any], /, evening_id: int, *args: Any, seen: Seen, by: Any, **kwargs: Any) -> None:
    change(evening_id, noted(*args, **kwargs), seen=seen, by=by)


bid = partial(_tap, referee.bid)
let_play = partial(_tap, referee.let_play)
name = partial(_tap, referee.name)
unname = partial(_tap, lambda: referee.unname)
double = partial(_tap, referee.double)
play = partial(_tap, referee.play)
