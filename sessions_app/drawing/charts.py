"""Charts as the numbers of an SVG drawing: lines over steps, bars, and their labels, which do not overlap.

Coordinates are whole numbers, about half a pixel on a phone. Parts are told apart without colours, which are the style
sheet's. The meaning of the values is the caller's.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.games.amounts import Amount

# --- Labels: their size, their width before any font is known, and a shorter form ---

#: The width of every chart; its labels are FONT high, and none of a line is wider than WIDEST.
WIDTH: Final = 640
FONT: Final = 28
WIDEST: Final = 190


def label_width(label: str) -> float:
    """Return the width of a label as wide fonts draw it."""
    return sum(map(_width_of, label))


def shortened(label: str, widest: float = WIDEST, width_of: Callable[[str], float] = label_width) -> str:
    """Return the label, or as much of it as there is room for, with an ellipsis."""
    if width_of(label) <= widest:
        return label
    while label and width_of(f"{label}…") > widest:
        label = label[:-1]
    return f"{label.rstrip()}…"


def _width_of(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return FONT * 1.0
    base = unicodedata.normalize("NFD", letter)[0]
    if base in "ijl.,' ":
        return FONT * 0.34
    if base in "mwMW@":
        return FONT * 1.0
    return FONT * (0.76 if base.isupper() else 0.64)


# --- Lines: paths, marks and dashes, by the number of the line ---

#: Height of the smallest drawing, and of each label.
HEIGHT: Final = 270
LABEL_ROW: Final = 32
#: Room for half a mark and half a line at the edges.
MARGIN: Final = 12
#: Room between the end of a line and its label.
GAP: Final = 22
#: A line of more points than MANY is drawn without those nearer than this to the line through the others: a pixel on a
#: phone, less than half of the line's width.
TOLERANCE: Final = 2.0
MANY: Final = 60
#: Marks on each line besides the one at its end.
MARKS: Final = 5
DASHES: Final = ("", "16 7", "4 6", "20 6 4 6", "30 8", "10 10", "4 12", "14 5 4 5 4 5")
#: A disc, a square, a triangle, a square on its tip, a cross, a triangle on its tip, a bar lying and one standing.
SHAPES: Final = (
    "m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z",
    "m-7-7h14v14h-14z",
    "m0-10l9 16h-18z",
    "m0-10l10 10l-10 10l-10-10z",
    "m-9-3h6v-6h6v6h6v6h-6v6h-6v-6h-6z",
    "m0 10l9-16h-18z",
    "m-10-4h20v8h-20z",
    "m-4-10h8v20h-8z",
)

type Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number, its path and dashes, its marks as one path, and its label with the path that leads there.

    `values` are the values as they were given, for the table.
    """

    number: int
    path: str
    dashes: str
    marks: str
    label: str
    label_y: int
    lead: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of lines: its size, the height of zero, the column of labels, and its edges with their values.

    `top` and `bottom` are the highest and the lowest value, both 0 where all are; `labels` is where labels begin, and
    `right` where the lines end.
    """

    width: int
    height: int
    zero: int
    right: int
    labels: int
    top: Amount
    bottom: Amount
    lines: tuple[Line, ...]


def line_chart(series: Sequence[tuple[str, Sequence[Amount]]], width: int = WIDTH, least_height: int = HEIGHT) -> Chart:
    """Return the drawing of some lines, each a label and its values; all have equally many, two or more.

    It is higher than `least_height` if the labels need more; labels of '' need no room. Zero is always within the
    drawing. Raise ValueError for lines of different lengths or of less than two values.
    """
    lengths = {len(values) for _label, values in series}
    if len(lengths) != 1 or min(lengths) < 2:
        raise ValueError(f"lines of {sorted(lengths)} values cannot be drawn")
    (steps,) = (length - 1 for length in lengths)
    top = max(0, *(max(values) for _label, values in series))
    bottom = min(0, *(min(values) for _label, values in series))
    labels = [shortened(label) for label, _values in series]
    height = max(least_height, len(series) * LABEL_ROW + 2 * MARGIN if any(labels) else 0)
    right = round(width - MARGIN - GAP - max(map(label_width, labels)))

    def y(value: Amount) -> int:
        share = (top - value) / (top - bottom) if top != bottom else 0.5
        return MARGIN + round(share * (height - 2 * MARGIN))

    def heights(values: Sequence[Amount]) -> Iterator[int]:
        known, height_of_known = None, 0
        for value in values:
            # Fractions are slow, and a line is level wherever its player did not play.
            if value is not known:
                known, height_of_known = value, y(value)
            yield height_of_known

    across = [MARGIN + round(at * (right - MARGIN) / steps) for at in range(steps + 1)]
    points = [list(zip(across, heights(values), strict=True)) for _label, values in series]
    # Of ends on one height the higher value has its label above.
    order = sorted(range(len(series)), key=lambda nth: series[nth][1][-1], reverse=True)
    middles = dict(
        zip(order, spread([points[nth][-1][1] for nth in order], LABEL_ROW, MARGIN, height - MARGIN), strict=True)
    )
    lines = tuple(
        _line(number, label, line, middles[number], right)
        for number, (label, line) in enumerate(zip(labels, points, strict=True))
    )
    return Chart(width, height, y(0), right, right + GAP, top, bottom, lines)


def _line(number: int, label: str, points: Sequence[Point], middle: int, right: int) -> Line:
    kind = number % len(SHAPES)
    marked = dict.fromkeys((*_spaced(len(points), number), len(points) - 1))
    marks = "".join(f"M{points[at][0]} {points[at][1]}{SHAPES[kind]}" for at in marked)
    lead = path_of([points[-1], (right + GAP - 4, middle)])
    path = path_of(thinned(points) if len(points) > MANY else points)
    return Line(number, path, DASHES[kind], marks, label, middle + FONT // 3, lead)


def _spaced(points: int, number: int) -> Iterator[int]:
    """Yield the places of the marks between the ends of a line, at other places than its neighbours'."""
    steps = points - 1
    for nth in range(MARKS):
        at = round((nth + (number % 4 + 1) / 5) * steps / MARKS)
        if 0 < at < steps:
            yield at


def path_of(points: Sequence[Point]) -> str:
    """Return the path through the points, with steps from point to point, which are shorter than places."""
    (x, y), *rest = points
    written = [f"M{x} {y}l"]
    for to_x, to_y in rest:
        across, down = to_x - x, to_y - y
        # A minus sign separates numbers by itself.
        before = "" if written[-1].endswith("l") or across < 0 else " "
        written.append(f"{before}{across}{'' if down < 0 else ' '}{down}")
        x, y = to_x, to_y
    return "".join(written)


def thinned(points: Sequence[Point], tolerance: float = TOLERANCE) -> list[Point]:
    """Leave out the points that lie no farther than `tolerance` from the line through the others (Ramer, Douglas and
    Peucker); the first and the last stay.
    """
    kept, open_parts = {0, len(points) - 1}, [(0, len(points) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        farthest, distance = _farthest(points, first, last)
        if distance > tolerance:
            kept.add(farthest)
            open_parts += [(first, farthest), (farthest, last)]
    return [points[at] for at in sorted(kept)]


def _farthest(points: Sequence[Point], first: int, last: int) -> tuple[int, float]:
    """Return the place of the point between two that is farthest from the line through them, and its distance.

    The points go from left to right. There are many, so they are compared by whole numbers: twice the areas of the
    triangles that they make with the two.
    """
    (x, y), (end_x, end_y) = points[first], points[last]
    across, down = end_x - x, end_y - y
    if not (across or down):
        across = 1  # one point twice, between which all others lie above or below it
    areas = [abs(across * (point[1] - y) - down * (point[0] - x)) for point in points[first + 1 : last]]
    largest = max(areas, default=0)
    return (first + 1 + areas.index(largest), largest / (across**2 + down**2) ** 0.5) if largest else (first, 0.0)


def spread(wanted: Sequence[int], apart: int, top: int, bottom: int) -> list[int]:
    """Return places as near to those wanted as such that are `apart` can be, in the same order, from `top` to `bottom`.

    Equal ones stay in their order. Each group of labels that would overlap is centred on the places that it wants.
    """
    half = apart // 2

    def first_of(group: Sequence[int]) -> int:
        """Return the place of the first of a group that stands close together, within the edges."""
        centre = sum(wanted[at] for at in group) / len(group)
        first = round(centre - apart * (len(group) - 1) / 2)
        return max(top + half, min(first, bottom - half - apart * (len(group) - 1)))

    groups: list[list[int]] = []
    for at in sorted(range(len(wanted)), key=lambda at: (wanted[at], at)):
        groups.append([at])
        while len(groups) > 1 and first_of(groups[-2]) + apart * len(groups[-2]) > first_of(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = [0] * len(wanted)
    for group in groups:
        for nth, at in enumerate(group):
            placed[at] = first_of(group) + nth * apart
    return placed


# --- Bars: a row for each label; the part of the whole is filled, the whole outlined ---

#: Height of a row, and of the bar in it.
BAR_ROW: Final = 44
BAR: Final = 28
#: Room beside a label.
BAR_GAP: Final = 14
#: The widest label: the words of the games that are shown as bars are written whole, in either language.
WIDEST_OF_BAR: Final = 240


class Amounts(NamedTuple):
    """The values of a row: so many in all, and the part of these; None where there are no parts."""

    label: str
    whole: int
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: its label, the baseline of its texts, its top, the widths of the whole and of the part, and its figures.

    `figures_x` is where the figures begin: 'part / whole', or the whole alone.
    """

    label: str
    baseline: int
    top: int
    whole: int
    part: int
    figures: str
    figures_x: int


@dataclass(frozen=True, slots=True)
class BarChart:
    """A drawing of bars that begin at `left` and are `thick` high."""

    width: int
    height: int
    left: int
    thick: int
    bars: tuple[Bar, ...]


def bar_chart(rows: Sequence[Amounts]) -> BarChart:
    """Return the drawing of some rows, one or more, by the largest whole.

    Raise ValueError for no rows, for values below 0, or for a part above its whole.
    """
    if not rows or any(not 0 <= (row.part or 0) <= row.whole for row in rows):
        raise ValueError(f"{rows} cannot be drawn")
    labels, figures = [shortened(row.label, WIDEST_OF_BAR) for row in rows], [_figures(row) for row in rows]
    left = round(max(map(label_width, labels))) + BAR_GAP
    room = WIDTH - left - BAR_GAP - round(max(map(label_width, figures)))
    most = max(row.whole for row in rows) or 1
    bars = []
    for nth, (row, label, text) in enumerate(zip(rows, labels, figures, strict=True)):
        middle, whole, part = nth * BAR_ROW + BAR_ROW // 2, room * row.whole // most, room * (row.part or 0) // most
        bars.append(Bar(label, middle + FONT // 3, middle - BAR // 2, whole, part, text, left + whole + BAR_GAP))
    return BarChart(WIDTH, len(rows) * BAR_ROW, left, BAR, tuple(bars))


def _figures(row: Amounts) -> str:
    return f"{row.whole}" if row.part is None else f"{row.part} / {row.whole}"
