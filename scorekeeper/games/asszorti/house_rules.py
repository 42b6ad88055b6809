"""The house rules of Asszorti (docs/rules/asszorti.md §10)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scorekeeper.games.house_rules import HouseRules, number, yes_no


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of an evening; by default those of the book.

    `six_five_nil` is the deduction of a bare six; without it the split of the opponents' tricks does not matter.
    `no_trump_arrivazs` allows an arrivázs at no trumps. `ladder` is the highest kontra, 0 … 5. After this number of
    `hands`, or when a player reaches this number of `points`, a reminder says that the evening should end; 0 is none.
    """

    six_five_nil: bool = yes_no(True)
    no_trump_arrivazs: bool = yes_no(True)
    ladder: int = number(5, 0, 5)
    hands: int = number(0, 0, 999)
    points: int = number(0, 0, 9999)


BOOK: Final = Rules()
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType({"book": BOOK})
HOUSE_RULES: Final = HouseRules(PROFILES)
