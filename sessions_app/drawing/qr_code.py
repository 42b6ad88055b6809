"""QR codes as SVG paths."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import segno


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
