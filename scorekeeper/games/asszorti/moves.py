"""What every part of the referee shares: who is on which side, and how a move is refused.

The referee's states (auction, doubling, play) are small values that nobody changes: a move gives the next
state. Each has one short text, from which it is read back by replaying the moves, so no illegal state can be
read.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

from scorekeeper.games.base import GameError, IllegalMove

__all__ = ["IllegalMove", "MalformedState", "Sides", "seats_from_text", "seats_to_text"]


class MalformedState(GameError):
    """Text that is not the text of any state."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not the text of a state: {text!r}")


class Sides(NamedTuple):
    """The seats of one hand: the declarer, his left-hand opponent, his right-hand opponent."""

    declarer: int
    left: int
    right: int

    @property
    def opponents(self) -> tuple[int, int]:
        return self.left, self.right

    @classmethod
    def of(cls, playing: Sequence[int], declarer: int) -> Self:
        """From the three playing seats, clockwise. Raises IllegalMove `not_playing` (seat)."""
        if declarer not in playing:
            raise IllegalMove("not_playing", seat=declarer)
        place = playing.index(declarer)
        return cls(declarer, playing[(place + 1) % 3], playing[(place + 2) % 3])


def seats_to_text(seats: Sequence[int]) -> str:
    return "-".join(map(str, seats))


def seats_from_text(text: str) -> tuple[int, int, int]:
    """Three different seats. Raises MalformedState."""
    seats = [seat_from_text(word) for word in text.split("-")]
    if len(seats) != 3 or len(set(seats)) != 3:
        raise MalformedState(text)
    return seats[0], seats[1], seats[2]


def seat_from_text(text: str) -> int:
    """One seat. Raises MalformedState."""
    if not text.isdecimal() or text != str(int(text)):
        raise MalformedState(text)
    return int(text)
