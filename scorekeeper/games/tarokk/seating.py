"""Dealing, speaking, playing and leading. The order is counter-clockwise, from each seat to the one at its right."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.games.base import Seats, seats_that_play
from scorekeeper.games.errors import NotPlaying

PLAYERS: Final = 4
seat_counts: Final = (4, 5)
seats_may_change: Final = True
#: After a hand that is thrown in, the same dealer deals again (§2): a house may double the next hands, not pass the
#: deal on.
redeals: Final = ("stays",)


def playing_seats(seats: Seats, dealer: int) -> tuple[int, ...]:
    """Return the four seats that play, in order of speaking: induló, the dealer's right, first.

    With four at the table the dealer speaks last; with five he sits out (§2). Raise ValueError for any other number
    of seats, and for a dealer who is not seated.
    """
    return seats_that_play(seats, dealer, seat_counts, PLAYERS, clockwise=False)


def next_dealer(seats: Seats, dealer: int) -> int:
    """Return the dealer's right-hand neighbour: the deal passes to the right after every hand that was played."""
    return playing_seats(seats, dealer)[0]


def places(seats: Seats, dealer: int, declarer: int) -> tuple[int, int, int, int]:
    """Return the seats by place: the declarer is 0, those after him in the order of play are 1, 2, 3.

    Raise NotPlaying if the declarer does not play.
    """
    playing = playing_seats(seats, dealer)
    if declarer not in playing:
        raise NotPlaying(f"seat {declarer} does not play when seat {dealer} of {seats} deals")
    at = playing.index(declarer)
    first, second, third, fourth = (playing[(at + step) % PLAYERS] for step in range(PLAYERS))
    return first, second, third, fourth


def leaders(seats: Seats, dealer: int) -> Mapping[int, int]:
    """Return the seat that leads, by the seat that declares: always induló."""
    playing = playing_seats(seats, dealer)
    return dict.fromkeys(sorted(playing), playing[0])
