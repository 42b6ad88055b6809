"""The values about a hand that pages and forms pass to writers."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.games.base import Account

#: A sheet has at most this many columns, since a phone is narrow.
MOST_SEATS: Final = 8


@dataclass(frozen=True, slots=True)
class Facts:
    """One deal as it was entered: seats as numbers, `deal` in the game's notation, '' if it was thrown in."""

    dealer: int
    declarer: int | None = None
    deal: str = ""
    deal_stays: bool = False


class Rewritten(NamedTuple):
    """An account in which a hand's amount would change: `was` before the correction and `will_be` after it."""

    account: Account
    was: int
    will_be: int


class Seen(NamedTuple):
    """The state that the member's page showed: the hand's number, and the hand in play's version (0: there was
    none).
    """

    number: int
    version: int


class FormState(NamedTuple):
    """The state of the evening that a form was filled in with.

    `seen` is the hand in play's version (0: none; None: the form takes none in), `meant` the number that the hand was
    begun for, `seating` the evening's (None: the current one). `another` says that it is not the same hand as the one
    that somebody else recorded.
    """

    seen: int | None = None
    meant: int | None = None
    another: bool = False
    seating: int | None = None


#: The state of a caller without a form: the evening as it is.
NO_FORM: Final = FormState()
