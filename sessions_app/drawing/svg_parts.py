"""Parts of a picture as SVG: texts, paths and emblems, in whole pixels."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

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
