"""What a game is, and the values that every game speaks in.

Seats are whole numbers, 0 … n−1 clockwise. Points are whole numbers. No text here is meant for a player:
rules answer in codes, and the web layer puts them into words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

type Params = Mapping[str, int | str]


class Message(NamedTuple):
    """What a rule says, in no language: a code, and the values that its sentence will need."""

    code: str
    params: Params


class GameError(Exception):
    """Anything that a game's rules refuse."""


class InvalidDeal(GameError):
    """A deal that is well formed but cannot be.

    `errors` maps each offending field of the deal to one message; it is never empty.
    """

    def __init__(self, errors: dict[str, Message]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return ", ".join(f"{name}: {message.code}" for name, message in self.errors.items())


class NotationError(GameError):
    """Text that is not the notation of any deal, possible or not."""


class NotPlaying(GameError):
    """A seat was asked for as one of the players of a hand in which it does not play."""


@dataclass(frozen=True, slots=True, order=True)
class Payment:
    """Who pays whom how many points for one hand: two different seats, points above zero.

    Raises ValueError for anything else. As no payment is one-sided, any set of them sums to zero.
    """

    payer: int
    payee: int
    points: int

    def __post_init__(self) -> None:
        if self.payer == self.payee:
            raise ValueError(f"seat {self.payer} cannot pay itself")
        if self.points <= 0:
            raise ValueError(f"a payment is above zero, not {self.points}")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One step of the count: the item it belongs to, why, and what it adds. The amounts sum to the points."""

    item: str
    code: str
    params: Params = field(hash=False)
    amount: int


class Scored(Protocol):
    """What any game's count gives: the points, and the steps that sum to them."""

    @property
    def points(self) -> int: ...

    @property
    def lines(self) -> tuple[ScoreLine, ...]: ...


class Game[Deal](Protocol):
    """What a game offers; a game's package, as a module, is one.

    `seats` is the number of people at the table, one of `seat_counts`; `dealer` and `declarer` are seats. The
    four questions about seats raise ValueError for a table that the game is not played at or a dealer who is
    not there, and NotPlaying for a declarer who does not play the hand.
    """

    @property
    def key(self) -> str:
        """The name under which the game is registered and stored."""

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many people may sit at the table."""

    def playing_seats(self, seats: int, dealer: int) -> tuple[int, ...]:
        """The seats that play the hand, in the order in which they speak."""

    def next_dealer(self, seats: int, dealer: int) -> int:
        """The seat that deals the following hand."""

    def opponents(self, seats: int, dealer: int, declarer: int) -> tuple[int, int]:
        """The two who play against the declarer: (left, right)."""

    def leader(self, seats: int, dealer: int, declarer: int) -> int:
        """The seat that leads to the first trick."""

    def deal_from_text(self, text: str) -> Deal:
        """Read the one-line notation; NotationError if malformed, InvalidDeal if it cannot be."""

    def deal_to_text(self, deal: Deal) -> str:
        """Write the one-line notation, from which `deal_from_text` makes an equal deal."""

    def reads_as(self, one: Deal, other: Deal) -> bool:
        """Whether both may have been noted of one hand, by two who were not equally careful."""

    def score(self, deal: Deal) -> Scored:
        """Count the hand."""

    def payments(self, deal: Deal, *, declarer: int, opponents: tuple[int, int]) -> tuple[Payment, ...]:
        """Who pays whom for the hand; empty if nobody pays."""
