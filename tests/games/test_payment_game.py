"""Balances and debts between two of a game whose hands write payments."""

import pytest
from hypothesis import given

from scorekeeper.games.base import Payment
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.payment_game import MOST_AGREED, AgreedPayments, in_pairs
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


def test_agreed_payments_take_the_largest_debts_to_the_largest_gains() -> None:
    assert AgreedPayments(in_pairs({0: 5, 1: -7, 2: 3, 3: -1})).to_text() == "= P1>0+5 P1>2+2 P3>2+1"


@pytest.mark.parametrize(
    "text", ["=", "= ", "= P0>0+1", "= P0>1+0", "= P0>1-1", "= P1>0+1 P0>2+1", "= P0>1+1 P1>0+1", "=P0>1+1", "= D0+1"]
)
def test_agreed_payments_have_one_spelling(text: str) -> None:
    with pytest.raises(NotationError):
        AgreedPayments.from_text(text)


@pytest.mark.parametrize("text", ["= P0>3+1", f"= P0>1+{MOST_AGREED + 1}"])
def test_agreed_payments_are_between_those_at_the_table_and_bounded(text: str) -> None:
    with pytest.raises(InvalidDeal):
        AgreedPayments.from_text(text).check((0, 1, 2))
