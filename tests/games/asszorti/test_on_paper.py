"""docs/rules/asszorti.md §9: one column of declarer's points each, settled by the differences."""

from hypothesis import given

from scorekeeper.games.asszorti import Deal, deal_from_text, opponents, payments, playing_seats, score
from scorekeeper.games.base import Payment
from tests.games.payment_sheets import balances, pairwise
from tests.strategies import evenings

type Hands = list[tuple[int, int, Deal]]


def all_payments(seats: int, hands: Hands) -> list[Payment]:
    return [
        payment
        for dealer, declarer, deal in hands
        for payment in payments(deal, declarer=declarer, opponents=opponents(seats, dealer, declarer))
    ]


def columns(seats: int, hands: Hands) -> list[int]:
    return [sum(score(deal).points for _, declarer, deal in hands if declarer == seat) for seat in range(seats)]


def owed(seats: int, hands: Hands) -> dict[tuple[int, int], int]:
    debts = pairwise(seats, all_payments(seats, hands))
    return {(payee, payer): points for (payer, payee), points in debts.items()}


@given(evenings(seats=3))
def test_with_three_the_columns_give_the_balances(hands: Hands) -> None:
    column = columns(3, hands)
    assert balances(3, all_payments(3, hands)) == tuple(3 * points - sum(column) for points in column)


@given(evenings(seats=3))
def test_with_three_each_owes_the_difference_of_the_columns(hands: Hands) -> None:
    column = columns(3, hands)
    differences = {(i, j): column[i] - column[j] for i in range(3) for j in range(3) if column[i] > column[j]}
    assert owed(3, hands) == differences


@given(evenings(seats=4))
def test_with_four_only_those_who_played_the_hand_pay(hands: Hands) -> None:
    expected = {}
    for i in range(4):
        for j in range(4):
            points = sum(score(deal).points for dealer, declarer, deal in hands if declarer == i and dealer != j)
            points -= sum(score(deal).points for dealer, declarer, deal in hands if declarer == j and dealer != i)
            if points > 0:
                expected[i, j] = points
    assert owed(4, hands) == expected


@given(evenings(seats=4))
def test_with_four_the_dealer_neither_pays_nor_receives(hands: Hands) -> None:
    for dealer, declarer, deal in hands:
        paid = all_payments(4, [(dealer, declarer, deal)])
        assert {seat for payment in paid for seat in (payment.payer, payment.payee)} <= set(playing_seats(4, dealer))


def test_with_four_the_columns_do_not_give_the_balances() -> None:
    hands = [(3, 0, deal_from_text("2H 7"))]
    assert columns(4, hands) == [6, 0, 0, 0]
    assert balances(4, all_payments(4, hands)) == (12, -6, -6, 0)
