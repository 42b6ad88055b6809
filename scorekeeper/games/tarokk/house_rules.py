"""The house rules of Tarokk, their text and their profiles (docs/rules/tarokk.md §12)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from scorekeeper.games.house_rules import HouseRules, number, one_of, yes_no


class Tie(StrEnum):
    """The winner of the game at 47 card points each."""

    OPPONENTS = "opponents"
    KONTRA_NEEDS_48 = "kontra_needs_48"
    LAST_KONTRA_LOSES = "last_kontra_loses"


class PaidBy(StrEnum):
    """The payers of declared tarokks: each of the other three, or the other side, as a part of the hand's points."""

    ALL = "all"
    OPPONENTS = "opponents"


class Swallows(StrEnum):
    """The volát that leaves its side without silent trull and kings."""

    MADE = "made"
    MADE_OR_ANNOUNCED = "made_or_announced"


#: The value of `proba` by which a lost próba pays the value of its bid.
VALUE_OF_BID: Final = -1


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of an evening; by default those of the book.

    `lost_silent_ultimo`: a silent pagát that is beaten in the last trick costs its side half of an ultimó. `ladder` is
    the highest kontra. `trull`, `kings`, `ultimo`, `xxi` are the points for these announced; silent, half. `proba` is
    the points that a lost próba pays to each. `alone_counts`: a lone declarer plays for the value of a szóló.
    `after_throw_in`: a round of deals counts twice. `lone_discards`: all skarts count for a lone declarer whose called
    card lay in one.
    """

    lost_silent_ultimo: bool = one_of(half=True, nothing=False)
    tarokks_paid_by: PaidBy = one_of(all=PaidBy.ALL, opponents=PaidBy.OPPONENTS)
    ladder: int = number(5, 3, 5)
    trull: int = one_of(**{"2": 2})
    kings: int = one_of(**{"2": 2, "4": 4})
    ultimo: int = one_of(**{"10": 10, "12": 12})
    xxi: int = one_of(**{"42": 42, "60": 60})
    tie_47: Tie = one_of(
        opponents=Tie.OPPONENTS, kontra_needs_48=Tie.KONTRA_NEEDS_48, last_kontra_loses=Tie.LAST_KONTRA_LOSES
    )
    proba: int = one_of(**{"value": VALUE_OF_BID, "3": 3, "2": 2, "0": 0})
    kings_beside_silent_double: bool = yes_no(True)
    alone_counts: bool = one_of(bid=False, szolo=True)
    volat_swallows: Swallows = one_of(made=Swallows.MADE, made_or_announced=Swallows.MADE_OR_ANNOUNCED)
    after_throw_in: bool = one_of(redeal=False, double=True)
    lone_discards: bool = one_of(own=False, all=True)


BOOK: Final = Rules()
#: The Hungarian competition rules (Paskievics, 2018).
PVSZ: Final = Rules(tarokks_paid_by=PaidBy.OPPONENTS, ladder=4, proba=3, lone_discards=True)
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType({"book": BOOK, "pvsz": PVSZ})
HOUSE_RULES: Final = HouseRules(PROFILES)
