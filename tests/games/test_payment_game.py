"""Balances and debts between two of a game whose hands write payments."""

from hypothesis import given

from scorekeeper.games.base import Payment
from tests.games.payment_sheets import balances, pairwise
from tests.strategies import payment_lists

SEATS = 4


def test_a_balance_is_all_received_less_all_paid() -> None:
    assert balances(3, [Payment(0, 1, 5), Payment(2, 1, 3), Payment(1, 2, 1)]) == (-5, 7, -2)
    assert balances(3, []) == (0, 0, 0)


def test_pairwise_nets_each_pair_and_leaves_out_the_even() -> None:
    paid = [Payment(2, 0, 4), Payment(0, 1, 5), Payment(1, 0, 2), Payment(1, 2, 3), Payment(2, 1, 3), Payment(2, 0, 1)]
    assert pairwise(3, paid) == {(0, 1): 3, (2, 0): 5}
    assert pairwise(3, []) == {}


@given(payment_lists(SEATS))
def test_pairwise_keeps_the_balances(payments: list[Payment]) -> None:
    owed = pairwise(SEATS, payments)
    assert balances(SEATS, [Payment(*pair, points) for pair, points in owed.items()]) == balances(SEATS, payments)
    assert list(owed) == sorted(owed)
    assert len({frozenset(pair) for pair in owed}) == len(owed)
