"""Parts of drawings as SVG, in whole pixels: texts, paths, emblems, QR codes and tally marks."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, NamedTuple

import segno

from sessions_app.drawing.lettering import BOLD, width

#: The size of every picture, as chats show it.
WIDTH: Final = 1200
HEIGHT: Final = 630


@dataclass(frozen=True, slots=True)
class Text:
    """A text on a baseline, from `x` on, up to it or around it."""

    x: int
    y: int
    text: str
    size: int
    fill: str
    font: str = BOLD
    anchor: Literal["start", "middle", "end"] = "start"
    halo: str = ""

    @property
    def weight(self) -> int:
        return 700 if self.font == BOLD else 500

    @property
    def wide(self) -> int:
        return round(width(self.text, self.size, self.font))

    @property
    def is_measured(self) -> bool:
        """Return whether the width is that of the drawn text: joined letters are narrower than they are alone."""
        return all(unicodedata.bidirectional(char) not in ("R", "AL") for char in self.text)


@dataclass(frozen=True, slots=True)
class Path:
    """A path, moved to `x`, `y`, and enlarged."""

    path: str
    fill: str = "none"
    stroke: str = "none"
    thick: float = 0
    dashes: str = ""
    x: int = 0
    y: int = 0
    scale: float = 1


@dataclass(frozen=True, slots=True)
class Emblem:
    """A drawing of strokes, 32 × 32 units, made `size` pixels wide."""

    markup: str
    x: int
    y: int
    size: int
    colour: str
    opacity: float = 1

    @property
    def scale(self) -> float:
        return self.size / 32


type Part = Text | Path | Emblem


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its parts in the order in which they are drawn, and the words that describe it."""

    title: str
    parts: tuple[Part, ...]
    width: int = WIDTH
    height: int = HEIGHT


def rectangle(x: int, y: int, wide: int, high: int, r: int = 0) -> str:
    """Return the path of a rectangle, its corners rounded by a radius of `r`."""
    if not r:
        return f"M{x} {y}h{wide}v{high}h-{wide}z"
    corner = f"a{r} {r} 0 0 1"
    return (
        f"M{x + r} {y}h{wide - 2 * r}{corner} {r} {r}v{high - 2 * r}{corner} -{r} {r}"
        f"h-{wide - 2 * r}{corner} -{r} -{r}v-{high - 2 * r}{corner} {r} -{r}z"
    )


# --- QR codes ---


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code as one SVG path in a square of `size` units, its quiet zone included."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Draw a text for a phone's camera."""
    rows = [bytes(row) for row in segno.make(text, micro=False).matrix_iter(border=4)]
    return QrCode(len(rows), "".join(bar for y, row in enumerate(rows) for bar in _bars(row, y)))


def _bars(row: bytes, y: int) -> Iterator[str]:
    """The dark runs of a row, each as a rectangle."""
    x = 0
    for dark, run in groupby(row):
        length = len(list(run))
        if dark:
            yield f"M{x} {y}h{length}v1h-{length}z"
        x += length


# --- Tally marks: four strokes and one across, 16 units high ---

#: Up to this number of strokes can be counted at a glance.
MOST_STROKES: Final = 30
_FIVE: Final = 20
_STROKE: Final = 4


class Tally(NamedTuple):
    """The path of an SVG and the width of its view box."""

    path: str
    width: int


def tally(count: int) -> Tally | None:
    """Return so many strokes in groups of five; None for no stroke and for more than `MOST_STROKES`."""
    if not 0 < count <= MOST_STROKES:
        return None
    fives, rest = divmod(count, 5)
    path = "".join(f"{_strokes(4, _FIVE * five)}M{1 + _FIVE * five} 12l16-8" for five in range(fives))
    left = _FIVE * fives
    return Tally(path + _strokes(rest, left), left + _STROKE * rest + (2 if rest else 0))


def _strokes(count: int, left: int) -> str:
    return "".join(f"M{left + 3 + _STROKE * each} 2v12" for each in range(count))
