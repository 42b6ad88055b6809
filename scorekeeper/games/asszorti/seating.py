"""Dealing, speaking, playing and leading. The order is clockwise, from each seat to the one at its left."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from scorekeeper.games.base import Seating, Seats
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.referee import seats_of_text

PLAYERS: Final = 3
SEATING: Final = Seating((3, 4), PLAYERS)
playing_seats = SEATING.playing_seats
next_dealer = SEATING.next_dealer


def opponents(seats: Seats, dealer: int, declarer: int) -> tuple[int, int]:
    """Return the declarer's (left, right) neighbours among the players. Raise NotPlaying if he does not play."""
    _declarer, left, right = SEATING.places(seats, dealer, declarer)
    return left, right


def leader(seats: Seats, dealer: int, declarer: int) -> int:
    """Return the seat that leads to the first trick: the declarer's right-hand neighbour, so that he plays second."""
    return opponents(seats, dealer, declarer)[1]


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

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read `0-1-2`, as `seats_to_text` writes it. Raise MalformedState."""
        return cls(*seats_of_text(text, PLAYERS))
