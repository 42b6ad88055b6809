"""The fewest payments that settle balances: against a search of all ways, at the limit of it, and by single notes."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import EXACT_UP_TO, Transfer, fewest_payments
from tests.selection import first
from tests.settlement.test_suggested_payments import after

type Balances = tuple[Amount, ...]


@pytest.mark.parametrize("balances", [(1,), (1, 0), (2, -1), (-3, 1, 1), (Fraction(1, 3), 0), (1 << 80, -(1 << 80), 1)])
def test_balances_that_do_not_sum_to_zero_are_refused(balances: Balances) -> None:
    with pytest.raises(ValueError, match="not to zero"):
        fewest_payments(balances)


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
    for _ in range(250):
        most = chance.choice([2, 5, 20, 20_000])
        drawn = [chance.randint(-most, most) for _ in range(chance.randint(0, 7))]
        yield (*drawn, -sum(drawn))


# 40 seeds are 10,000 books.
@pytest.mark.parametrize("seed", first(2, range(40)))
def test_no_way_of_paying_is_shorter_for_random_books_of_up_to_eight_people(seed: int) -> None:
    for book in random_books(seed):
        transfers = fewest_payments(book)
        assert len(transfers) == fewest_by_search(book), book
        assert not any(after(book, *transfers)), book
        for paid in transfers[:1]:
            assert len(fewest_payments(after(book, paid))) == len(transfers) - 1, book


@st.composite
def many_balances(draw: st.DrawFn) -> Balances:
    """Balances of up to 20 people, whole or in thirds, small so that parts of them often sum to zero."""
    parts = draw(st.sampled_from([1, 3]))
    drawn = draw(st.lists(st.integers(-9, 9), max_size=19))
    balances = [Fraction(part, parts) for part in (*drawn, -sum(drawn))]
    return tuple(draw(st.permutations([int(each) if each.denominator == 1 else each for each in balances])))


@given(many_balances())
def test_any_number_of_people_is_brought_to_zero_by_debtors_in_order(balances: Balances) -> None:
    transfers = fewest_payments(balances)
    assert not any(after(balances, *transfers))
    assert len(transfers) <= max(sum(map(bool, balances)) - 1, 0)
    assert all(balances[each.payer] < 0 < balances[each.payee] and each.points > 0 for each in transfers)
    assert list(transfers) == sorted(transfers)
    third = Fraction(1, 3)
    assert fewest_payments([balance * third for balance in balances]) == tuple(
        Transfer(each.payer, each.payee, each.points * third) for each in transfers
    )


def without_a_part_of_zero(people: int) -> tuple[int, ...]:
    """Powers of two, so that nobody's balances sum to zero but all people's."""
    return (*(1 << place for place in range(people - 1)), 1 - (1 << people - 1))


def in_threes(people: int) -> tuple[int, ...]:
    """People of whom every three sum to zero and no pair does, so that each three need two payments."""
    threes = [(1 << 4 * at, 2 << 4 * at, -3 << 4 * at) for at in range(people // 3)]
    return tuple(balance for place in zip(*threes, strict=True) for balance in place)


def test_twelve_people_are_exact_and_thirteen_only_where_some_are_pairs() -> None:
    assert EXACT_UP_TO == 12
    assert len(fewest_payments(in_threes(12))) == 8
    assert len(fewest_payments(without_a_part_of_zero(12))) == 11
    assert len(fewest_payments(without_a_part_of_zero(13))) == 12
    assert len(fewest_payments((*without_a_part_of_zero(12), 10_000, -10_000))) == 12
    assert len(fewest_payments(in_threes(15))) >= 10


def test_more_than_twelve_balances_are_paired_then_the_largest_pay_each_other() -> None:
    balances = (7, -7, 7, -7, *without_a_part_of_zero(13), 0)
    transfers = fewest_payments(balances)
    assert set(transfers) > {Transfer(1, 0, 7), Transfer(3, 2, 7)}
    # The largest debtor of the thirteen, their only one, pays the largest creditor before the rest is divided.
    assert Transfer(16, 15, 2048) in transfers
    assert len(transfers) == 2 + 12


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_pair_that_owes_the_same_is_always_part_of_some_fewest_payments(size: int) -> None:
    """So taking out such pairs first never makes more payments."""
    for others in combinations(range(-4, 5), size):
        balances = (*others, -sum(others))
        assert len(fewest_payments((*balances, 3, -3))) == len(fewest_payments(balances)) + 1


def test_large_and_fractional_balances_stay_exact() -> None:
    third = Fraction(10**30, 3)
    assert fewest_payments((third, 2 * third, -(10**30))) == (Transfer(2, 0, third), Transfer(2, 1, 2 * third))
    assert fewest_payments((Fraction(6, 3), -2)) == (Transfer(1, 0, 2),)
    assert type(fewest_payments((Fraction(6, 3), -2))[0].points) is int


# --- Payments by a single note or coin are preferred among equally few ---


FORINTS = frozenset({5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000})


def single(transfers: tuple[Transfer, ...], notes: frozenset[int] = FORINTS) -> int:
    return sum(each.points in notes for each in transfers)


def test_payments_by_a_note_are_preferred_by_example() -> None:
    owed = (-3000, -1100, 2100, 2000)
    assert fewest_payments(owed) == (Transfer(0, 2, 2100), Transfer(0, 3, 900), Transfer(1, 3, 1100))
    assert fewest_payments(owed, FORINTS) == (Transfer(0, 2, 1000), Transfer(0, 3, 2000), Transfer(1, 2, 1100))
    for without_a_choice in ((700, -300, -400), (-7, 4, 3), (0, 0), ()):
        assert fewest_payments(without_a_choice, FORINTS) == fewest_payments(without_a_choice)


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=11), st.sampled_from([1, 50, 100, 500]))
def test_notes_never_make_more_payments_and_never_fewer_single_ones(some: list[int], unit: int) -> None:
    owed = tuple(unit * balance for balance in (*some, -sum(some)))
    plain, by_notes = fewest_payments(owed), fewest_payments(owed, FORINTS)
    assert len(by_notes) == len(plain)
    assert single(by_notes) >= single(plain)
    assert not any(after(owed, *by_notes))
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
