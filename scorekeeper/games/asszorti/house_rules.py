"""What a house may play otherwise than the book (docs/rules/asszorti.md §10), and how rules are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scorekeeper.games.house_rules import House, number, yes_no


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of an evening; by default those of the book.

    `six_five_nil` is the deduction of a bare six; without it nobody needs to know how the opponents share.
    `no_trump_arrivazs` lets an arrivázs be announced at no trumps. `ladder` is the highest kontra, 0 … 5. After so many
    `hands`, and as soon as somebody has so many `points`, the evening is to end (0: it is not said); that only reminds.
    """

    six_five_nil: bool = yes_no(True)
    no_trump_arrivazs: bool = yes_no(True)
    ladder: int = number(5, 0, 5)
    hands: int = number(0, 0, 999)
    points: int = number(0, 0, 9999)


BOOK: Final = Rules()
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType({"book": BOOK})
HOUSE: Final = House(PROFILES)
