"""The dealer, the order of speaking, the places, the leader; all clockwise (docs/rules/preference.md §2)."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.games.base import Seats, seats_that_play
from scorekeeper.games.errors import NotPlaying

PLAYERS: Final = 3
seat_counts: Final = (3, 4)
#: Dumps and pools are settled against the mean of all seats, so a change of players needs a new sheet.
seats_may_change: Final = False
#: "A misdeal is thrown in: no entries, the same dealer again".
redeals: Final = ("stays",)


def playing_seats(seats: Seats, dealer: int) -> tuple[int, ...]:
    """Return the three seats that play, in order of speaking: eldest, the dealer's left, first.

    With three at the table the dealer speaks last; with four the dealer sits out. Raise ValueError for a number of
    seats that the game is not played with, or a dealer who is not among them.
    """
    return seats_that_play(seats, dealer, seat_counts, PLAYERS)


def next_dealer(seats: Seats, dealer: int) -> int:
    """Return the dealer's left-hand neighbour: the deal passes on after every hand, raspasovka included."""
    return playing_seats(seats, dealer)[0]


def participants(seats: Seats, dealer: int, *, talon: bool = True) -> tuple[int, ...]:
    """Return the seats of a raspasovka: the three in order of speaking, and of four the dealer with the talon, last."""
    playing = playing_seats(seats, dealer)
    return playing if dealer in playing or not talon else (*playing, dealer)


def places(seats: Seats, dealer: int, declarer: int) -> tuple[int, int, int]:
    """Return the seats by place in a hand: the declarer's, the first's, the second's.

    Raise NotPlaying if the declarer does not play.
    """
    playing = playing_seats(seats, dealer)
    if declarer not in playing:
        raise NotPlaying(f"seat {declarer} does not play when seat {dealer} of {seats} deals")
    at = playing.index(declarer)
    zero, one, two = (playing[(at + step) % PLAYERS] for step in range(PLAYERS))
    return zero, one, two


def leaders(seats: Seats, dealer: int) -> Mapping[int, int]:
    """Return the leader's seat by declarer: always eldest."""
    playing = playing_seats(seats, dealer)
    return dict.fromkeys(sorted(playing), playing[0])
