"""The toy at other tables than its own: the dealer sits out, and all others play."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from scorekeeper.games.base import Count, Entry, Seats
from tests.toy.game import GAME, MARKS


@contextmanager
def seated(*counts: int) -> Iterator[None]:
    """It is played by so many."""

    def playing_seats(seats: Seats, dealer: int) -> tuple[int, ...]:
        sitting = tuple(range(seats)) if isinstance(seats, int) else seats
        if len(sitting) not in counts or dealer not in sitting:
            raise ValueError(f"{counts} sit at this table")
        at = sitting.index(dealer)
        return tuple(sitting[at - step] for step in range(1, len(sitting)))

    with patch.object(GAME, "seat_counts", counts), patch.object(GAME, "playing_seats", playing_seats):
        yield


@contextmanager
def dealer_marks(*marks: int) -> Iterator[None]:
    """In each hand the dealer writes these marks as well, without playing."""
    plain = GAME.count

    def count(deal: Any, place: Any, standing: Any, rules: Any) -> Count[int]:
        counted = plain(deal, place, standing, rules)
        written = (Entry(MARKS, place.dealer, None, each, f"{each} marks") for each in marks)
        return Count((*counted.entries, *written), counted.lines, counted.standing)

    with patch.object(GAME, "count", count):
        yield
