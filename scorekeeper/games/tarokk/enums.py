"""The values of the fields of a deal of Hungarian Tarokk, and its seats.

The authority is docs/rules/tarokk.md, also for the sections named below. There are two sides: the declarers (felvevők)
and the opponents (ellenfelek). Places are counted in the order of play; the declarer's is 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from scorekeeper.games.base import Seating
from scorekeeper.games.payment_game import KONTRAS, Kontra, letter_of


class Contract(StrEnum):
    """The declarer's bid, lowest first, by the cards he draws: három, kettő, egy, szóló."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    SOLO = "s"

    @property
    def value_of_game(self) -> int:
        """The game's value, 1 to 4."""
        return 1 + list(Contract).index(self)

    @property
    def drawn(self) -> int:
        """The number of cards that the declarer draws from the talon, and lays away."""
        return 4 - self.value_of_game


class Side(StrEnum):
    """The declarers and the opponents, by the letters of the rules (§1)."""

    DECLARERS = "D"
    OPPONENTS = "O"

    @property
    def other(self) -> "Side":
        return Side.OPPONENTS if self is Side.DECLARERS else Side.DECLARERS


class Bonus(StrEnum):
    """The bonuses that can be announced, in the order of the table of items (§6)."""

    DOUBLE = "double"
    VOLAT = "volat"
    TRULL = "trull"
    KINGS = "kings"
    ULTIMO = "ultimo"
    XXI = "xxi"


#: The sides and bonuses by their letters in the notation.
SIDES: Final[Mapping[str, Side]] = {"": Side.DECLARERS, "-": Side.OPPONENTS}
BONUSES: Final[Mapping[str, Bonus]] = dict(zip("DVTNUX", Bonus, strict=True))


class Pagat(StrEnum):
    """The side whose pagát came to the last trick, and whether it won the trick."""

    NONE = "none"
    DECLARERS_WON = "d_won"
    DECLARERS_LOST = "d_lost"
    OPPONENTS_WON = "o_won"
    OPPONENTS_LOST = "o_lost"

    @property
    def side(self) -> Side | None:
        """The side whose pagát it was; None if it was not in the last trick."""
        return None if self is Pagat.NONE else Side(self.value[0].upper())

    @property
    def won(self) -> bool:
        return self in (Pagat.DECLARERS_WON, Pagat.OPPONENTS_WON)


class Band(StrEnum):
    """A band of the declarers' card points, for points not counted exactly, by its notation."""

    TO_23 = "--"
    FROM_24 = "-"
    FROM_48 = "+"
    FROM_71 = "++"

    @property
    def points(self) -> range:
        return BANDS[self]

    @classmethod
    def of(cls, points: int) -> Self:
        """Return the band that contains these points."""
        return next(band for band in cls if points in band.points)


#: The fewest card points with which the declarers win the game, and with which a side has a dupla.
TO_WIN: Final = 48
DOUBLE: Final = 71
BANDS: Final = {
    Band.TO_23: range(24),
    Band.FROM_24: range(24, TO_WIN),
    Band.FROM_48: range(TO_WIN, DOUBLE),
    Band.FROM_71: range(DOUBLE, 95),
}
PLACES: Final = range(4)
OTHERS: Final = range(1, 4)


@dataclass(frozen=True, slots=True)
class Announced:
    """A bonus that a side announced, and its kontra."""

    side: Side
    bonus: Bonus
    kontra: Kontra = Kontra.NONE

    @property
    def order(self) -> tuple[int, int]:
        """The sort key of the notation: the declarers' before the opponents', in the order of the items."""
        return list(Side).index(self.side), list(Bonus).index(self.bonus)

    def to_text(self) -> str:
        """Write `T`, `-UK`."""
        return letter_of(SIDES, self.side) + letter_of(BONUSES, self.bonus) + letter_of(KONTRAS, self.kontra)


type Tarokks = tuple[int, int, int, int]
NO_TAROKKS: Final[Tarokks] = (0, 0, 0, 0)


def declared_by(numbers: Mapping[int, int]) -> Tarokks:
    """Return the declared tarokks of all four, by the places of those who declared any."""
    return numbers.get(0, 0), numbers.get(1, 0), numbers.get(2, 0), numbers.get(3, 0)


def has_double(points: range, side: Side) -> bool:
    """Return whether a side has 71 card points or more; `points` are the declarers'."""
    return points[0] >= DOUBLE if side is Side.DECLARERS else points[-1] <= BANDS[Band.TO_23][-1]


TALON: Final = 6


def drawn(contract: Contract) -> tuple[int, int, int, int]:
    """Return the number of cards that each of the four draws and lays away, by place.

    The declarer draws 3, 2, 1 or 0, the others the rest evenly; the extra cards go to the places that come first.
    """
    rest = TALON - contract.drawn
    one, two, three = (rest // len(OTHERS) + (place <= rest % len(OTHERS)) for place in OTHERS)
    return contract.drawn, one, two, three


# --- The seats, counter-clockwise: from each to the one at its right ---


PLAYERS: Final = 4
#: Induló, the dealer's right, speaks and leads first (§2).
SEATING: Final = Seating((4, 5), PLAYERS, clockwise=False)
playing_seats = SEATING.playing_seats
places = SEATING.places
