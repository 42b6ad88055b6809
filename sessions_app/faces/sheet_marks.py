"""The marks of a hand on the sheet: announcements, doublings and the like, in words where its row has room for them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

#: The number of characters that fit in a row on a phone 390 px wide, beside a short deal.
ROOM: Final = 42
#: The width of the dot and the two spaces before a mark.
DOT: Final = 3


class Mark(NamedTuple):
    """A mark of a hand: as it is written in letters, in full, and in as few words as players say."""

    text: str
    words: str
    short: str = ""


class Marks(NamedTuple):
    """All marks of a hand, and whether its row is to have their words."""

    marks: Sequence[Mark] = ()
    in_words: bool = True


def marks_beside(marks: Sequence[Mark], *beside: str) -> Marks:
    """Return the marks, in words if they have room together with the names and words that stand `beside` them."""
    worded = sum(map(len, beside)) + sum(len(mark.short) + DOT for mark in marks) <= ROOM
    return Marks([mark for mark in marks if mark.text or worded], worded)
