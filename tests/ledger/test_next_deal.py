from uuid import uuid4

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.evening import next_deal
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of
from tests.ledger.reading import NAMES, as_it_is


@pytest.mark.parametrize("first_dealer", range(4))
def test_the_first_turn_is_as_the_evening_was_opened(owner: User, first_dealer: int) -> None:
    evening = evening_of(owner, (*NAMES, "Dóra"), first_dealer)
    turn = next_deal.turn(evening)
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
    evening: Evening, seats: int, dealer: int, speaks_first: int, leaders: tuple[tuple[int, int], ...]
) -> None:
    sitting = tuple(range(seats))
    assert next_deal.turn_of(evening.game, sitting, dealer, 7) == next_deal.Turn(7, dealer, speaks_first, leaders)


def test_void_hands_and_agreed_entries_never_move_the_deal(owner: User) -> None:
    """Anna dealt, a penalty was agreed on; then it was Béla who had dealt, and then nobody had."""
    opening = evenings.Opening(NAMES, 0, game_key="preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for number, facts in enumerate([Facts(0, 1, "6S pp"), Facts(1, None, "= D1+5", deal_stays=True)], 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    assert next_deal.turn(as_it_is(evening)).dealer == 1
    ledger.amend(evening.pk, 1, facts=Facts(1, 2, "6S pp"), by=owner)
    assert next_deal.turn(as_it_is(evening)).dealer == 2
    ledger.void(evening.pk, 1, by=owner)
    assert next_deal.turn(as_it_is(evening)).dealer == 0
