"""The fewest payments that settle an evening."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Payment
from scorekeeper.money.settlement import Transfer
from scorekeeper.money.suggested_payments import fewest_payments
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


# --- Payments by a single note or coin are preferred among equally few ---


FORINTS = frozenset({5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000})

type Balances = tuple[Amount, ...]


def single(transfers: tuple[Transfer, ...], notes: frozenset[int] = FORINTS) -> int:
    return sum(each.points in notes for each in transfers)


@pytest.mark.parametrize(
    ("owed", "plain", "by_notes"),
    [
        # The largest to the largest pay no note; 1000 and 2000 are.
        (
            (-3000, -1100, 2100, 2000),
            (Transfer(0, 2, 2100), Transfer(0, 3, 900), Transfer(1, 3, 1100)),
            (Transfer(0, 2, 1000), Transfer(0, 3, 2000), Transfer(1, 2, 1100)),
        ),
        # Nothing to choose, nothing by a note, and nobody to pay.
        ((700, -300, -400), (Transfer(1, 0, 300), Transfer(2, 0, 400)), (Transfer(1, 0, 300), Transfer(2, 0, 400))),
        ((-7, 4, 3), (Transfer(0, 1, 4), Transfer(0, 2, 3)), (Transfer(0, 1, 4), Transfer(0, 2, 3))),
        ((0, 0), (), ()),
        ((), (), ()),
    ],
)
def test_by_example(owed: tuple[int, ...], plain: tuple[Transfer, ...], by_notes: tuple[Transfer, ...]) -> None:
    assert fewest_payments(owed) == plain
    assert fewest_payments(owed, FORINTS) == by_notes


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=11), st.sampled_from([1, 50, 100, 500]))
def test_notes_never_make_more_payments_and_never_fewer_single_ones(some: list[int], unit: int) -> None:
    owed = tuple(unit * balance for balance in (*some, -sum(some)))
    plain, by_notes = fewest_payments(owed), fewest_payments(owed, FORINTS)
    assert len(by_notes) == len(plain)
    assert single(by_notes) >= single(plain)
    assert all(owed[each.payer] < 0 < owed[each.payee] and each.points > 0 for each in by_notes)
    assert fewest_payments(owed, sorted(FORINTS)) == by_notes


def all_ways(owed: Mapping[int, int]) -> Iterator[tuple[Transfer, ...]]:
    """Every set of payments by which somebody becomes even each time, as often as there are orders of them."""
    if not owed:
        yield ()
    for payer in (seat for seat, balance in owed.items() if balance < 0):
        for payee in (seat for seat, balance in owed.items() if balance > 0):
            points = min(-owed[payer], owed[payee])
            changed = {**owed, payer: owed[payer] + points, payee: owed[payee] - points}
            left = {seat: balance for seat, balance in changed.items() if balance}
            for ways in all_ways(left):
                yield (Transfer(payer, payee, points), *ways)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.sampled_from([(1, 2, 5), (2, 7), (3,), (4, 6, 8)]))
def test_a_group_of_five_has_as_many_single_notes_as_there_can_be(some: list[int], notes: tuple[int, ...]) -> None:
    # By turns of either sign, so that there are debtors and creditors.
    drawn = [balance if at % 2 else -balance for at, balance in enumerate(some)]
    owed = (*drawn, -sum(drawn))
    fewest = fewest_payments(owed, notes)
    groups = sum(map(bool, owed)) - len(fewest)
    if groups > 1:  # which people make a group is not chosen by the notes
        return
    open_balances = {seat: balance for seat, balance in enumerate(owed) if balance}
    best = max(single(way, frozenset(notes)) for way in all_ways(open_balances) if len(way) == len(fewest))
    assert single(fewest, frozenset(notes)) == best


def test_a_large_group_is_searched_in_part_and_always_alike() -> None:
    some = tuple((-3) ** place * 37 for place in range(11))
    owed = (*some, -sum(some))
    by_notes = fewest_payments(owed, FORINTS)
    assert len(by_notes) == len(fewest_payments(owed)) == 11
    assert fewest_payments(owed, FORINTS) == by_notes
