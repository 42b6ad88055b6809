"""What pages, forms and writers tell each other about a hand."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.games.base import Account

#: So many columns a sheet has at most; a phone is narrow.
MOST_SEATS: Final = 8


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table says of one deal: seats as numbers, the deal in its game's notation; '' if it was thrown in."""

    dealer: int
    declarer: int | None = None
    deal: str = ""
    deal_stays: bool = False


class Rewritten(NamedTuple):
    """An account in which a hand would write something else, and what it has written there."""

    account: Account
    was: int
    will_be: int


class Seen(NamedTuple):
    """What the writer's page showed: the hand's number, and the open hand's version (0: there was none)."""

    number: int
    version: int


class Knows(NamedTuple):
    """What the writer of a form knows of the others.

    The open hand's version that it has `seen` (0: none), which number the hand was `meant` to have when it was begun,
    whether it is said to be `another` than what they recorded, and the evening's `seating` (None: as it is).
    """

    seen: int = 0
    meant: int | None = None
    another: bool = False
    seating: int | None = None
