"""Bars as a drawing: as long as their values, within its edges, and none over its figures; and tally marks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.drawing.charts import BAR_ROW, WIDTH, Amounts, bar_chart, label_width
from sessions_app.drawing.svg_parts import MOST_STROKES, tally


@st.composite
def rows(draw: st.DrawFn) -> Amounts:
    whole = draw(st.integers(0, 100_000))
    return Amounts(draw(st.text(max_size=40)), whole, draw(st.none() | st.integers(0, whole)))


@given(st.lists(rows(), min_size=1, max_size=20))
def test_bars_are_as_long_as_their_values_and_all_is_within_the_drawing(given_rows: list[Amounts]) -> None:
    chart = bar_chart(given_rows)
    assert (chart.width, chart.height) == (WIDTH, len(given_rows) * BAR_ROW)
    longest, most = max(bar.whole for bar in chart.bars), max(row.whole for row in given_rows)
    for row, bar in zip(given_rows, chart.bars, strict=True):
        assert abs(bar.whole * max(most, 1) - longest * row.whole) < 2 * max(most, 1)
        assert 0 <= bar.part <= bar.whole
        assert label_width(bar.label) <= chart.left
        assert bar.figures_x >= chart.left + bar.whole
        assert bar.figures_x + label_width(bar.figures) <= WIDTH + 1
        assert 0 <= bar.top < bar.baseline < bar.top + BAR_ROW <= chart.height + BAR_ROW


def test_the_figures_are_written_beside_the_bars() -> None:
    chart = bar_chart([Amounts("3 ♥", 12, 7), Amounts("hand", 4, 0), Amounts("kontra", 3)])
    assert [(bar.label, bar.figures) for bar in chart.bars] == [("3 ♥", "7 / 12"), ("hand", "0 / 4"), ("kontra", "3")]
    assert [bar.part for bar in chart.bars][1:] == [0, 0]
    assert chart.bars[0].whole // 3 == chart.bars[1].whole


def test_bar_chart_refuses_no_rows_negative_amounts_and_parts_beyond_the_whole() -> None:
    for wrong in ([], [Amounts("x", -1)], [Amounts("x", 3, 4)], [Amounts("x", 3, -1)]):
        with pytest.raises(ValueError, match="cannot be drawn"):
            bar_chart(wrong)


# --- Tally marks, read back from the path of their drawing ---


def test_tally_has_as_many_strokes_as_it_counts_within_its_width() -> None:
    for count in range(1, MOST_STROKES + 1):
        drawn = tally(count)
        assert drawn
        upright = [int(left) for left in re.findall(r"M(\d+) 2v12", drawn.path)]
        across = [int(left) for left in re.findall(r"M(\d+) 12l16-8", drawn.path)]
        assert (len(upright), len(across)) == (count - count // 5, count // 5)
        assert upright == sorted(set(upright))
        assert max(*upright, *(left + 16 for left in across), 0) < drawn.width
    assert [tally(count) for count in (0, MOST_STROKES + 1, 300)] == [None] * 3
