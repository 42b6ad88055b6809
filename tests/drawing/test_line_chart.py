"""Lines as a drawing: nothing that the eye would miss is left out, and no label lies over another."""

import re
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sessions_app.drawing.charts import (
    DASHES,
    HEIGHT,
    LABEL_ROW,
    MANY,
    SHAPES,
    TOLERANCE,
    WIDEST,
    WIDTH,
    Point,
    line_chart,
    path_of,
    shortened,
    spread,
    thinned,
)
from sessions_app.drawing.charts import label_width as width

values = st.integers(-500, 500) | st.fractions(-500, 500, max_denominator=3)


def points_of(path: str) -> list[Point]:
    """The points of a path of a place and steps."""
    found = re.fullmatch(r"M(-?\d+) (-?\d+)l(.*)", path)
    assert found
    numbers = list(map(int, re.findall(r"-?\d+", found[3])))
    points = [(int(found[1]), int(found[2]))]
    for across, down in zip(numbers[::2], numbers[1::2], strict=True):
        points.append((points[-1][0] + across, points[-1][1] + down))
    return points


def walk(seed: int, steps: int) -> list[int]:
    chance, at = Random(seed), 0  # noqa: S311  cards, not keys
    return [0, *(at := at + chance.randint(-20, 20) for _step in range(steps))]


def test_two_lines_of_a_few_steps():
    chart = line_chart([("Anna", [0, 10, 5]), ("Béla", [0, -10, -5])])
    assert (chart.width, chart.height, chart.top, chart.bottom) == (WIDTH, HEIGHT, 10, -10)
    anna, bela = chart.lines
    middle, (start, peak, end) = chart.height // 2, points_of(anna.path)
    assert chart.zero == middle
    assert start[1] == middle
    assert peak[1] < end[1] < middle
    assert end[0] == chart.right < chart.labels
    assert [y - middle for _x, y in points_of(bela.path)] == [middle - y for _x, y in points_of(anna.path)]
    assert (anna.label, bela.label) == ("Anna", "Béla")
    assert anna.label_y < bela.label_y


def test_lines_are_told_apart_by_dashes_and_by_marks_and_not_by_colour_alone():
    chart = line_chart([(str(nth), [0, nth]) for nth in range(8)])
    assert len({line.dashes for line in chart.lines}) == 8 == len(DASHES)
    assert len({re.sub(r"M\d+ \d+", "", line.marks) for line in chart.lines}) == 8 == len(SHAPES)
    assert [line.number for line in chart.lines] == list(range(8))


@example([[*[0] * 8, end] for end in (0, 0, 0, 0, 1, 2, -327)])  # ends of different values on one height
@given(st.lists(st.lists(values, min_size=9, max_size=9), min_size=2, max_size=8))
def test_line_chart_stays_within_its_drawing_and_no_label_lies_over_another(lines: list[list[Fraction]]):
    chart = line_chart([(f"player {nth}", line) for nth, line in enumerate(lines)])
    for line in chart.lines:
        assert all(0 < x < chart.width and 0 < y < chart.height for x, y in points_of(line.path))
        assert points_of(line.lead)[0] == points_of(line.path)[-1]
        assert points_of(line.lead)[-1][0] < chart.labels
    heights = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= LABEL_ROW for above, below in pairwise(heights))
    assert 0 < heights[0] < heights[-1] < chart.height
    ends = [(line[-1], of.label_y) for line, of in zip(lines, chart.lines, strict=True)]
    assert [y for _end, y in sorted(ends, key=lambda each: (-each[0], each[1]))] == heights, "in the order of the ends"


def test_line_of_noughts_is_drawn_in_the_middle_and_lines_of_no_or_unequal_steps_are_refused():
    chart = line_chart([("Anna", [0, 0]), ("Béla", [0, 0])])
    assert (chart.top, chart.bottom) == (0, 0)
    assert {y for line in chart.lines for _x, y in points_of(line.path)} == {HEIGHT // 2}
    for lines in ([], [[0]], [[0, 1], [0, 1, 2]]):
        with pytest.raises(ValueError, match="cannot be drawn"):
            line_chart([("Anna", line) for line in lines])


def distance(point: Point, start: Point, end: Point) -> float:
    """The distance of a point from the line through two others."""
    across, down = end[0] - start[0], end[1] - start[1]
    length: float = (across**2 + down**2) ** 0.5
    if not length:
        return ((point[0] - start[0]) ** 2 + (point[1] - start[1]) ** 2) ** 0.5  # type: ignore[no-any-return]
    return abs(across * (point[1] - start[1]) - down * (point[0] - start[0])) / length


@given(st.lists(st.integers(0, 250), min_size=2, max_size=80))
def test_no_point_that_is_left_out_is_far_from_the_line(heights: list[int]):
    points = list(enumerate(heights))
    kept = thinned(points)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    for one, other in pairwise(kept):
        between = points[points.index(one) + 1 : points.index(other)]
        assert all(distance(point, one, other) <= TOLERANCE for point in between)


@given(st.lists(st.integers(0, 250), min_size=2, max_size=20))
def test_a_point_beside_one_that_stands_twice_is_kept(heights: list[int]):
    kept = thinned([(5, 100), *((5, height) for height in heights), (5, 100)])
    assert len(kept) > 2 or all(abs(height - 100) <= TOLERANCE for height in heights)


def test_points_in_a_row_are_left_out():
    assert thinned([(0, 0), (5, 1), (10, 2), (15, 60), (20, 2)]) == [(0, 0), (10, 2), (15, 60), (20, 2)]


def test_a_long_evening_is_small():
    long = line_chart([(name, walk(seed, 200)) for seed, name in enumerate(("Anna", "Béla", "Cili"))])
    assert all(len(line.path) < 800 for line in long.lines)
    short = line_chart([("Anna", walk(1, MANY - 1)), ("Béla", walk(2, MANY - 1))])
    assert all(len(points_of(line.path)) == MANY for line in short.lines), "an ordinary one is drawn as it is"


@given(st.lists(st.tuples(st.integers(0, 640), st.integers(0, 300)), min_size=2, max_size=30))
def test_a_path_goes_through_its_points(points: list[Point]):
    assert points_of(path_of(points)) == points


def test_labels_that_would_overlap_part_around_their_middle_and_others_stay():
    assert spread([200, 20, 100], 32, 0, 300) == [200, 20, 100]
    assert spread([100, 100, 104], 30, 0, 300) == [71, 101, 131]
    assert spread([0, 0], 30, 0, 300) == [15, 45], "within the upper edge"
    assert spread([300, 290], 30, 0, 300) == [285, 255], "within the lower edge"


def test_a_long_label_is_shortened():
    shown = {"Béla": "Béla", "Konstantyin Wilhelmine": "Konstanty…", "mmmmmmmmmm": "mmmmmm…"}
    assert {label: shortened(label) for label in shown} == shown
    assert max(map(width, shown.values())) <= WIDEST
