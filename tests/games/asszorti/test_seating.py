from collections.abc import Callable

import pytest

from scorekeeper.games.asszorti import leader, next_dealer, opponents, playing_seats
from scorekeeper.games.errors import GameError, NotPlaying


@pytest.mark.parametrize(
    ("seats", "dealer", "speaking"),
    [
        (3, 0, (1, 2, 0)),
        (3, 1, (2, 0, 1)),
        (3, 2, (0, 1, 2)),
        (4, 0, (1, 2, 3)),
        (4, 1, (2, 3, 0)),
        (4, 2, (3, 0, 1)),
        (4, 3, (0, 1, 2)),
    ],
)
def test_the_dealers_left_speaks_first(seats: int, dealer: int, speaking: tuple[int, ...]) -> None:
    assert playing_seats(seats, dealer) == speaking


@pytest.mark.parametrize(("seats", "order"), [(3, [1, 2, 0]), (4, [1, 2, 3, 0])])
def test_the_deal_passes_to_the_left(seats: int, order: list[int]) -> None:
    assert [next_dealer(seats, dealer) for dealer in range(seats)] == order


@pytest.mark.parametrize(
    ("seats", "dealer", "declarer", "sides"),
    [
        (3, 0, 0, (1, 2)),
        (3, 0, 1, (2, 0)),
        (3, 0, 2, (0, 1)),
        (4, 0, 1, (2, 3)),
        (4, 0, 2, (3, 1)),
        (4, 0, 3, (1, 2)),
        (4, 2, 3, (0, 1)),
        (4, 2, 0, (1, 3)),
        (4, 2, 1, (3, 0)),
    ],
)
def test_the_opponents_are_left_and_right_among_those_who_play(
    seats: int, dealer: int, declarer: int, sides: tuple[int, int]
) -> None:
    assert opponents(seats, dealer, declarer) == sides
    assert leader(seats, dealer, declarer) == sides[1]


@pytest.mark.parametrize("ask", [opponents, leader])
def test_a_declarer_who_sits_out_is_refused(ask: Callable[[int, int, int], object]) -> None:
    for dealer in range(4):
        with pytest.raises(NotPlaying):
            ask(4, dealer, dealer)
    for stranger in (-1, 3):
        with pytest.raises(GameError):
            ask(3, 0, stranger)
