"""Tally marks, read back from the path of their drawing."""

import re

import pytest

from sessions_app.drawing.svg_parts import MOST_STROKES, tally


@pytest.mark.parametrize("count", range(1, MOST_STROKES + 1))
def test_it_has_as_many_strokes_as_it_counts_within_its_width(count: int) -> None:
    drawn = tally(count)
    assert drawn
    upright = [int(left) for left in re.findall(r"M(\d+) 2v12", drawn.path)]
    across = [int(left) for left in re.findall(r"M(\d+) 12l16-8", drawn.path)]
    assert (len(upright), len(across)) == (count - count // 5, count // 5)
    assert upright == sorted(set(upright))
    assert max(*upright, *(left + 16 for left in across), 0) < drawn.width


@pytest.mark.parametrize("count", [0, MOST_STROKES + 1, 300])
def test_tally_of_none_or_of_too_many_is_empty(count: int) -> None:
    assert tally(count) is None
