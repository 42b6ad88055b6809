import pytest

from sessions_app.models import GameSession, User
from sessions_app.readers import turns
from tests.factories import evening_of
from tests.ledger.reading import NAMES


@pytest.mark.parametrize("first_dealer", range(4))
def test_the_first_turn_is_as_the_evening_was_opened(owner: User, first_dealer: int) -> None:
    evening = evening_of(owner, (*NAMES, "Dóra"), first_dealer)
    turn = turns.turn(evening)
    assert (turn.number, turn.dealer, turn.speaks_first) == (1, first_dealer, (first_dealer + 1) % 4)


@pytest.mark.parametrize(
    ("seats", "dealer", "speaks_first", "leaders"),
    [
        (3, 0, 1, ((0, 2), (1, 0), (2, 1))),
        (3, 2, 0, ((0, 2), (1, 0), (2, 1))),
        (4, 0, 1, ((1, 3), (2, 1), (3, 2))),
        (4, 2, 3, ((0, 3), (1, 0), (3, 1))),
    ],
)
def test_a_turn_says_who_speaks_first_and_who_leads_to_whom(
    evening: GameSession, seats: int, dealer: int, speaks_first: int, leaders: tuple[tuple[int, int], ...]
) -> None:
    sitting = tuple(range(seats))
    assert turns.turn_of(evening.game, sitting, dealer, 7) == turns.Turn(7, dealer, speaks_first, leaders)
