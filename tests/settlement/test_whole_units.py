"""Payments are whole: docs/rules/preference.md §7, for any game that shares points out."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Equal, in_whole_units, left_to_the_cut

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("amounts", "cut", "whole"),
    [
        ((262 + 2 * THIRD, -323 - THIRD, 60 + 2 * THIRD), (), (263, -323, 60)),
        ((262 + 2 * THIRD, -323 - THIRD, 60 + 2 * THIRD), (2, 1), (262, -323, 61)),
        ((262 + 2 * THIRD, -323 - THIRD, 60 + 2 * THIRD), (2,), (263, -324, 61)),
        ((THIRD, THIRD, -2 * THIRD), (), (1, 0, -1)),
        ((THIRD, THIRD, -2 * THIRD), (2, 1, 0), (0, 0, 0)),
        ((-2 * THIRD, THIRD, THIRD), (0, 2), (0, 0, 0)),
        ((Fraction(1, 4), Fraction(3, 4), Fraction(-1, 2), Fraction(-1, 2)), (), (0, 1, 0, -1)),
        ((5, -3, -2), (2, 1, 0), (5, -3, -2)),
        ((), (), ()),
    ],
)
def test_the_missing_units_go_to_the_largest_fractions(
    amounts: tuple[Fraction, ...], cut: tuple[int, ...], whole: tuple[int, ...]
) -> None:
    assert in_whole_units(amounts, cut) == whole


@given(st.lists(st.fractions(-1000, 1000, max_denominator=4), min_size=1, max_size=4), st.permutations(range(5)))
def test_the_sum_holds_and_nobody_moves_by_a_unit(some: list[Fraction], cut: list[int]) -> None:
    amounts = [*some, -sum(some, Fraction())]
    whole = in_whole_units(amounts, cut)
    assert sum(whole) == 0
    assert all(abs(units - amount) < 1 for units, amount in zip(whole, amounts, strict=True))


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@pytest.mark.parametrize(
    ("amounts", "left"),
    [
        ((262 + 2 * THIRD, -323 - THIRD, 60 + 2 * THIRD), Equal(2, (0, 1, 2))),
        ((THIRD, THIRD, -2 * THIRD), Equal(1, (0, 1, 2))),
        ((2 * THIRD, -THIRD, -THIRD), Equal(2, (0, 1, 2))),
        ((HALF, HALF, -1, 0), Equal(1, (0, 1))),
        ((HALF, -HALF, HALF, -HALF), Equal(2, (0, 1, 2, 3))),
        ((3 * QUARTER, -QUARTER, -HALF, 0), None),
        ((-QUARTER, HALF, -HALF, QUARTER), Equal(1, (1, 2))),
        ((5, -3, -2), None),
        ((), None),
    ],
)
def test_cut_decides_between_equal_fractions_when_units_are_short(
    amounts: tuple[Fraction, ...], left: Equal | None
) -> None:
    assert left_to_the_cut(amounts) == left


@given(st.lists(st.fractions(-9, 9, max_denominator=4), min_size=1, max_size=3))
def test_seats_told_are_those_that_another_cut_would_move(some: list[Fraction]) -> None:
    amounts = [*some, -sum(some, Fraction())]
    left = left_to_the_cut(amounts)
    whole = [in_whole_units(amounts, cut) for cut in permutations(range(len(amounts)))]
    moved = tuple(seat for seat, units in enumerate(zip(*whole, strict=True)) if len(set(units)) > 1)
    assert moved == (left.seats if left else ())
    if left:
        assert {sum(units[seat] - amounts[seat] // 1 for seat in left.seats) for units in whole} == {left.units}


@pytest.mark.parametrize("ask", [in_whole_units, left_to_the_cut])
def test_amounts_that_sum_to_no_whole_number_are_refused(ask: Callable[[Sequence[Amount]], object]) -> None:
    with pytest.raises(ValueError, match="1/2"):
        ask((Fraction(1, 2), 0))
