"""Tally marks: four strokes and one across, as the path of a drawing 16 units high."""

from typing import Final, NamedTuple

#: Up to this number of strokes can be counted at a glance.
MOST: Final = 30
_FIVE: Final = 20
_STROKE: Final = 4


class Tally(NamedTuple):
    """The path of an SVG and the width of its view box."""

    path: str
    width: int


def tally(count: int) -> Tally | None:
    """Return so many strokes in groups of five; None for no stroke and for more than `MOST`."""
    if not 0 < count <= MOST:
        return None
    fives, rest = divmod(count, 5)
    path = "".join(f"{_strokes(4, _FIVE * five)}M{1 + _FIVE * five} 12l16-8" for five in range(fives))
    left = _FIVE * fives
    return Tally(path + _strokes(rest, left), left + _STROKE * rest + (2 if rest else 0))


def _strokes(count: int, left: int) -> str:
    return "".join(f"M{left + 3 + _STROKE * each} 2v12" for each in range(count))
