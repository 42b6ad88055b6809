"""The fewest payments of up to 12 people and of more: against a search of all ways, and at the limit itself."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Transfer
from scorekeeper.money.suggested_payments import EXACT_UP_TO, fewest_payments
from tests.selection import first

BOOKS_OF_A_SEED = 250

type Balances = tuple[Amount, ...]


def fewest_by_search(balances: tuple[int, ...]) -> int:
    """Let the first who is not even pay all that he owes to each other in turn, or be paid it, and go on."""
    owed = [balance for balance in balances if balance]
    if not owed:
        return 0
    one, others = owed[0], owed[1:]
    if -one in others:  # one of the two has to pay or be paid, and this clears both
        others.remove(-one)
        return 1 + fewest_by_search(tuple(others))
    tried = {other: at for at, other in enumerate(others) if one * other < 0}
    return 1 + min(fewest_by_search((*others[:at], other + one, *others[at + 1 :])) for other, at in tried.items())


def random_books(seed: int) -> Iterator[tuple[int, ...]]:
    """Books of up to 8 people: a few points, whose sums are often equal, or thousands of forints."""
    chance = Random(seed)  # noqa: S311 -- the same books each time
    for _ in range(BOOKS_OF_A_SEED):
        most = chance.choice([2, 5, 20, 20_000])
        drawn = [chance.randint(-most, most) for _ in range(chance.randint(0, 7))]
        yield (*drawn, -sum(drawn))


def after(balances: Balances, transfers: tuple[Transfer, ...]) -> Balances:
    left = list(balances)
    for transfer in transfers:
        left[transfer.payer] += transfer.points
        left[transfer.payee] -= transfer.points
    return tuple(left)


# 40 seeds are 10,000 books.
@pytest.mark.parametrize("seed", first(2, range(40)))
def test_no_way_of_paying_is_shorter_for_random_books_of_up_to_eight_people(seed: int) -> None:
    for book in random_books(seed):
        transfers = fewest_payments(book)
        assert len(transfers) == fewest_by_search(book), book
        assert not any(after(book, transfers)), book


@st.composite
def many_balances(draw: st.DrawFn) -> Balances:
    """Balances of up to 20 people, whole or in thirds, small so that parts of them often sum to zero."""
    parts = draw(st.sampled_from([1, 3]))
    drawn = draw(st.lists(st.integers(-9, 9), max_size=19))
    balances = [Fraction(part, parts) for part in (*drawn, -sum(drawn))]
    return tuple(draw(st.permutations([int(each) if each.denominator == 1 else each for each in balances])))


@given(many_balances())
def test_any_number_of_people_is_brought_to_zero(balances: Balances) -> None:
    transfers = fewest_payments(balances)
    assert not any(after(balances, transfers))
    assert len(transfers) <= max(sum(map(bool, balances)) - 1, 0)
    assert all(balances[each.payer] < 0 < balances[each.payee] and each.points > 0 for each in transfers)
    assert list(transfers) == sorted(transfers)


@given(many_balances())
def test_a_fraction_of_a_point_changes_no_payment_but_its_size(balances: Balances) -> None:
    third = Fraction(1, 3)
    assert fewest_payments([balance * third for balance in balances]) == tuple(
        Transfer(each.payer, each.payee, each.points * third) for each in fewest_payments(balances)
    )


def without_a_part_of_zero(people: int) -> tuple[int, ...]:
    """Powers of two, so that nobody's balances sum to zero but all people's."""
    return (*(1 << place for place in range(people - 1)), 1 - (1 << people - 1))


def in_threes(people: int) -> tuple[int, ...]:
    """People of whom every three sum to zero and no pair does, so that each three need two payments."""
    threes = [(1 << 4 * at, 2 << 4 * at, -3 << 4 * at) for at in range(people // 3)]
    return tuple(balance for place in zip(*threes, strict=True) for balance in place)


def test_twelve_people_are_exact() -> None:
    assert EXACT_UP_TO == 12
    assert len(fewest_payments(in_threes(12))) == 8
    assert len(fewest_payments(without_a_part_of_zero(12))) == 11


def test_thirteen_are_not_unless_some_of_them_are_pairs() -> None:
    assert len(fewest_payments(without_a_part_of_zero(13))) == 12
    assert len(fewest_payments((*without_a_part_of_zero(12), 10_000, -10_000))) == 12


def test_more_than_twelve_balances_are_paired_then_the_largest_pay_each_other() -> None:
    pairs = (7, -7, 7, -7)
    balances = (*pairs, *without_a_part_of_zero(13), 0)
    transfers = fewest_payments(balances)
    assert set(transfers) > {Transfer(1, 0, 7), Transfer(3, 2, 7)}
    # The largest debtor of the thirteen, their only one, pays the largest creditor before the rest is divided.
    assert Transfer(16, 15, 2048) in transfers
    assert len(transfers) == 2 + 12


def test_the_greedy_way_may_need_more_than_the_least() -> None:
    balances = in_threes(15)
    assert len(fewest_payments(balances)) >= 10


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_pair_that_owes_the_same_is_always_part_of_some_fewest_payments(size: int) -> None:
    """So taking out such pairs first never makes more payments."""
    for others in combinations(range(-4, 5), size):
        balances = (*others, -sum(others))
        assert len(fewest_payments((*balances, 3, -3))) == len(fewest_payments(balances)) + 1


@pytest.mark.parametrize("balances", [(Fraction(1, 3), 0), (1 << 80, -(1 << 80), 1)])
def test_balances_that_do_not_sum_to_zero_are_refused(balances: Balances) -> None:
    with pytest.raises(ValueError, match="not to zero"):
        fewest_payments(balances)


def test_large_and_fractional_balances_stay_exact() -> None:
    third = Fraction(10**30, 3)
    assert fewest_payments((third, 2 * third, -(10**30))) == (Transfer(2, 0, third), Transfer(2, 1, 2 * third))
    assert fewest_payments((Fraction(6, 3), -2)) == (Transfer(1, 0, 2),)
    assert type(fewest_payments((Fraction(6, 3), -2))[0].points) is int
