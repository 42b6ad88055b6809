"""The declarer and his opponents, as all parts of the referee share them."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.state_text import MalformedState, seat_from_text, seats_of_text, seats_to_text

__all__ = ["IllegalMove", "MalformedState", "Sides", "seat_from_text", "seats_from_text", "seats_to_text"]


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
        """Return the sides of the three playing seats, clockwise. Raise IllegalMove `not_playing` (seat)."""
        if declarer not in playing:
            raise IllegalMove("not_playing", seat=declarer)
        place = playing.index(declarer)
        return cls(declarer, playing[(place + 1) % 3], playing[(place + 2) % 3])


def seats_from_text(text: str) -> tuple[int, int, int]:
    """Read three different seats. Raise MalformedState."""
    first, second, third = seats_of_text(text, 3)
    return first, second, third
