"""Dealing, speaking, playing and leading. The order is counter-clockwise, from each seat to the one at its right."""

from typing import Final

from scorekeeper.games.base import Seating

PLAYERS: Final = 4
#: Induló, the dealer's right, speaks and leads first (§2).
SEATING: Final = Seating((4, 5), PLAYERS, clockwise=False)
playing_seats = SEATING.playing_seats
places = SEATING.places
