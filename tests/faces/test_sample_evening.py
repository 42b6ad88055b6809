"""The evening that home draws for a first visit: its figures are those of the ledger."""

import pytest

from scorekeeper.games.base import Place
from sessions_app.faces import FACES, sample_evening
from sessions_app.models import Evening, User
from sessions_app.readers.evening import next_deal, seating
from tests.factories import evening_of, record

FACE = next(face for face in FACES.values() if face.sample_hands)


@pytest.fixture
def recorded(owner: User, db: None) -> Evening:
    """The same hands, recorded by the ledger."""
    assert FACE.sample_hands
    evening = evening_of(owner, sample_evening().names, FACE.sample_hands.first_dealer)
    for declarer, deal in FACE.sample_hands.hands:
        record(evening, owner, deal, declarer=declarer)
    return Evening.objects.get(pk=evening.pk)


def test_its_balances_are_those_of_the_same_evening_in_the_ledger(recorded: Evening) -> None:
    assert sample_evening().seats == tuple((seat.name, seat.balance) for seat in seating.seats_of(recorded))


def test_its_dealer_is_that_of_the_next_hand_in_the_ledger(recorded: Evening) -> None:
    sample, turn = sample_evening(), next_deal.turn(recorded)
    assert (sample.number + 1, sample.dealer) == (turn.number, turn.dealer)


def test_the_amounts_of_its_last_hand_are_counted_by_the_rules(recorded: Evening) -> None:
    sample, hand = sample_evening(), recorded.hands.get(number=recorded.last_number)
    game, rules = recorded.game, recorded.house
    counted = game.count(sample.deal, Place((0, 1, 2), hand.dealer, hand.declarer), game.start(rules), rules)
    won = game.balances({entry.of: entry.amount for entry in counted.entries}, (0, 1, 2), rules)
    assert sample.amounts == tuple(won[seat] for seat in range(3))
    assert (hand.declarer, hand.deal) == (sample.declarer, game.deal_to_text(sample.deal))


def test_it_is_counted_once_in_a_process_and_can_be_a_cache_key() -> None:
    assert sample_evening() is sample_evening()
    assert hash(sample_evening())
