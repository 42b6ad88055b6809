"""The fewest payments that settle an evening."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Payment
from scorekeeper.money.fewest_payments import fewest_payments
from scorekeeper.money.settlement import Transfer
from tests.games.payment_sheets import balances, pairwise
from tests.strategies import even_balances, payment_lists

SEATS = 4


def fewest_by_trying_all(owed: Sequence[int]) -> int:
    """The size of the smallest set of pairs of seats along which the balances can flow to zero."""
    pairs = list(combinations(range(len(owed)), 2))
    return next(
        size
        for size in range(len(owed) + 1)
        if any(can_be_settled_along(chosen, owed) for chosen in combinations(pairs, size))
    )


def can_be_settled_along(pairs: Sequence[tuple[int, int]], owed: Sequence[int]) -> bool:
    """Return whether every set of seats that the pairs join is even in itself."""
    joined = list(range(len(owed)))
    for one, other in pairs:
        joined = [joined[one] if group == joined[other] else group for group in joined]
    return all(
        sum(balance for balance, of in zip(owed, joined, strict=True) if of == group) == 0 for group in set(joined)
    )


def moved(owed: Sequence[int], transfers: Iterable[Transfer]) -> list[int]:
    """The balances once these transfers are paid."""
    left = list(owed)
    for transfer in transfers:
        left[transfer.payer] += int(transfer.points)
        left[transfer.payee] -= int(transfer.points)
    return left


@given(even_balances(most_seats=5), st.data())
def test_paying_one_of_the_fewest_leaves_one_fewer(owed: tuple[int, ...], data: st.DataObject) -> None:
    suggested = fewest_payments(owed)
    if not suggested:
        return
    paid = data.draw(st.sampled_from(suggested))
    assert len(fewest_payments(moved(owed, [paid]))) == len(suggested) - 1


@given(even_balances(most_seats=8))
def test_the_fewest_bring_all_to_zero_with_one_payment_less_than_seats_at_most(owed: tuple[int, ...]) -> None:
    suggested = fewest_payments(owed)
    assert not any(moved(owed, suggested))
    assert len(suggested) <= max(len(owed) - 1, 0)
    assert all(transfer.points > 0 and transfer.payer != transfer.payee for transfer in suggested)
    assert list(suggested) == sorted(suggested)
    assert all(owed[transfer.payer] < 0 < owed[transfer.payee] for transfer in suggested)


@given(payment_lists(SEATS))
def test_the_fewest_are_no_more_than_pairwise(payments: list[Payment]) -> None:
    assert len(fewest_payments(balances(SEATS, payments))) <= len(pairwise(SEATS, payments))


@given(even_balances(most_seats=5))
def test_the_fewest_are_the_fewest_there_can_be(owed: tuple[int, ...]) -> None:
    assert len(fewest_payments(owed)) == fewest_by_trying_all(owed)


@pytest.mark.parametrize(
    ("owed", "suggested"),
    [
        ((), ()),
        ((0, 0, 0), ()),
        ((12, -6, -6), (Transfer(1, 0, 6), Transfer(2, 0, 6))),
        ((-12, 6, 6), (Transfer(0, 1, 6), Transfer(0, 2, 6))),
        ((5, 0, -5), (Transfer(2, 0, 5),)),
        ((5, 3, -5, -3), (Transfer(2, 0, 5), Transfer(3, 1, 3))),
        # Always the deepest in debt to the highest in credit, 5 to 6 at first, would take four.
        ((6, 5, -5, -3, -3), (Transfer(2, 1, 5), Transfer(3, 0, 3), Transfer(4, 0, 3))),
    ],
)
def test_the_fewest_by_example(owed: tuple[int, ...], suggested: tuple[Transfer, ...]) -> None:
    assert fewest_payments(owed) == suggested


@pytest.mark.parametrize("owed", [(1,), (1, 0), (2, -1), (-3, 1, 1)])
def test_balances_that_do_not_sum_to_zero_are_refused(owed: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not to zero"):
        fewest_payments(owed)
