"""The dealer, the order of speaking, the places, the leader; all clockwise (docs/rules/preference.md §2)."""

from typing import Final

from scorekeeper.games.base import Seating, Seats

PLAYERS: Final = 3
#: Eldest, the dealer's left, speaks and leads first (docs/rules/preference.md §2). The places are the declarer's, the
#: first's, the second's.
SEATING: Final = Seating((3, 4), PLAYERS)
playing_seats = SEATING.playing_seats
next_dealer = SEATING.next_dealer
places = SEATING.places


def participants(seats: Seats, dealer: int, *, talon: bool = True) -> tuple[int, ...]:
    """Return the seats of a raspasovka: the three in order of speaking, and of four the dealer with the talon, last."""
    playing = playing_seats(seats, dealer)
    return playing if dealer in playing or not talon else (*playing, dealer)
