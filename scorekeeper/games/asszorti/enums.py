"""The values in which a hand of Asszorti is recorded."""

from enum import StrEnum
from typing import Final

type Tricks = tuple[int, int | None, int | None]

ALL_TRICKS: Final = 11
TO_WIN: Final = 6


class Contract(StrEnum):
    """The declarer's contract: the four bids, lowest first."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    HAND = "hand"


class Trump(StrEnum):
    """The trump suit, or none (szanzadu)."""

    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"
    SPADES = "spades"
    NONE = "none"


class Arrivazs(StrEnum):
    """The result of an announced arrivázs, the last three tricks; `IDEGEN` is one won without a trump."""

    NONE = "none"
    LOST = "lost"
    WON = "won"
    IDEGEN = "idegen"
