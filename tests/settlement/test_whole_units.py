"""What is paid is whole: rules/preference.md, Settlement, for any game that shares points out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.settlement import in_whole_units

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


def test_what_sums_to_no_whole_number_is_refused() -> None:
    with pytest.raises(ValueError, match="1/2"):
        in_whole_units((Fraction(1, 2), 0))
