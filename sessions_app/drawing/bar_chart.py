"""Bars as the numbers of an SVG drawing: a row for each label, and in its bar the part of the whole.

Coordinates are whole numbers, about half a pixel on a phone. The part is filled and the whole outlined, so that they
are told apart without colours. Knows nothing of what the values mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sessions_app.drawing.labels import FONT, WIDTH, label_width, shortened

#: Height of a row, and of the bar in it.
ROW: Final = 44
BAR: Final = 28
#: Room beside a label.
GAP: Final = 14
#: The widest label: the words of the games that are shown as bars are written whole, in either language.
WIDEST: Final = 240


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
    labels, figures = [shortened(row.label, WIDEST) for row in rows], [_figures(row) for row in rows]
    left = round(max(map(label_width, labels))) + GAP
    room = WIDTH - left - GAP - round(max(map(label_width, figures)))
    most = max(row.whole for row in rows) or 1
    bars = []
    for nth, (row, label, text) in enumerate(zip(rows, labels, figures, strict=True)):
        top, whole, part = nth * ROW + (ROW - BAR) // 2, room * row.whole // most, room * (row.part or 0) // most
        bars.append(Bar(label, nth * ROW + ROW // 2 + FONT // 3, top, whole, part, text, left + whole + GAP))
    return BarChart(WIDTH, len(rows) * ROW, left, BAR, tuple(bars))


def _figures(row: Amounts) -> str:
    return f"{row.whole}" if row.part is None else f"{row.part} / {row.whole}"
