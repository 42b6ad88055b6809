"""Labels of the charts that the server draws: their size, their width before any font is known, and a shorter form."""

import unicodedata
from collections.abc import Callable
from typing import Final

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
