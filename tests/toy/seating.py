"""The toy at other tables than its own: the dealer sits out, and all others play."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from scorekeeper.games.base import Count, Entry, Seating, Seats
from tests.toy.game import GAME, MARKS


class DealerSitsOut(Seating):
    def playing_seats(self, seats: Seats, dealer: int) -> tuple[int, ...]:
        others = (seats if isinstance(seats, int) else len(seats)) - 1
        return Seating(self.counts, others, clockwise=False).playing_seats(seats, dealer)


@contextmanager
def seated(*counts: int) -> Iterator[None]:
    """It is played by so many."""
    with patch.object(GAME, "seating", DealerSitsOut(counts, 0)):
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
