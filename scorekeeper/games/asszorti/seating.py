"""Dealing, speaking, playing and leading. The order is clockwise, from each seat to the one at its left."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

from scorekeeper.games.base import Seats, seats_that_play
from scorekeeper.games.errors import IllegalMove, NotPlaying
from scorekeeper.games.referee import seats_of_text

PLAYERS: Final = 3
seat_counts: Final = (3, 4)
seats_may_change: Final = True
redeals: Final = ("stays", "passes")


def playing_seats(seats: Seats, dealer: int) -> tuple[int, ...]:
    """Return the three seats that play, in order of speaking: the dealer's left first.

    With three at the table the dealer speaks last; with four the dealer sits out (§1). Raise ValueError for any other
    number of seats, and for a dealer who is not seated.
    """
    return seats_that_play(seats, dealer, seat_counts, PLAYERS)


def next_dealer(seats: Seats, dealer: int) -> int:
    """Return the dealer's left-hand neighbour: the deal passes to the left after every hand."""
    return playing_seats(seats, dealer)[0]


def opponents(seats: Seats, dealer: int, declarer: int) -> tuple[int, int]:
    """Return the declarer's (left, right) neighbours among the players. Raise NotPlaying if he does not play."""
    playing = playing_seats(seats, dealer)
    if declarer not in playing:
        raise NotPlaying(f"seat {declarer} does not play when seat {dealer} of {seats} deals")
    place = playing.index(declarer)
    return playing[(place + 1) % PLAYERS], playing[(place + 2) % PLAYERS]


def leader(seats: Seats, dealer: int, declarer: int) -> int:
    """Return the seat that leads to the first trick: the declarer's right-hand neighbour, so that he plays second."""
    _left, right = opponents(seats, dealer, declarer)
    return right


def leaders(seats: Seats, dealer: int) -> Mapping[int, int]:
    """Return the leader by declarer."""
    return {declarer: leader(seats, dealer, declarer) for declarer in sorted(playing_seats(seats, dealer))}


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
