"""What an auction is in every game that has one: players call in turn, and every call makes the next standing.

A game says what may be called where (its standing) and what the end comes to; here is what is the same: whose turn it
is, what was said by whom, a call and its undoing, and the text.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from scorekeeper.games.base import IllegalMove
from scorekeeper.games.state_text import MalformedState, seats_of_text, seats_to_text


class Spoken[Call](NamedTuple):
    """One call and who made it."""

    seat: int
    call: Call


class Standing[Call](Protocol):
    """Where an auction stands. Players are places in the order of speaking, from 0."""

    @property
    def bid(self) -> Call | None:
        """The latest bid; None before the first."""

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None once the auction is over."""

    @property
    def out(self) -> frozenset[int]:
        """Who has nothing more to say."""

    def options(self, place: int) -> tuple[Call, ...]:
        """What the player may say when it is his turn."""

    def after(self, place: int, call: Call) -> Self:
        """The standing after his call."""


@dataclass(frozen=True)
class Calling[Call: StrEnum, At: Standing[Any]]:
    """An auction at some point. `seats` are those who play, in order of speaking."""

    seats: tuple[int, ...]
    calls: tuple[Call, ...] = ()

    #: All that can be said, where an auction begins, and how many play: set by the game.
    CALLS: ClassVar[Any]
    BEGINNING: ClassVar[Any]
    PLAYERS: ClassVar[int]

    @property
    def to_call(self) -> int | None:
        """The seat whose turn it is, or None once the auction is over."""
        return self._seat(self._standing.turn)

    @property
    def legal_calls(self) -> tuple[Call, ...]:
        """What the seat to call may say; empty once the auction is over."""
        turn = self._standing.turn
        return () if turn is None else self._standing.options(turn)

    @property
    def is_over(self) -> bool:
        return self._standing.turn is None

    @property
    def bid(self) -> Call | None:
        """The latest bid, whoever has it by now; None before the first."""
        found: Call | None = self._standing.bid
        return found

    @property
    def passed(self) -> tuple[int, ...]:
        """The seats that have nothing more to say, in order of speaking."""
        return tuple(self.seats[place] for place in sorted(self._standing.out))

    @property
    def spoken(self) -> tuple[Spoken[Call], ...]:
        """Every call with the seat that made it, in order."""
        return tuple(
            Spoken(self.seats[self._caller(standing)[0]], call)
            for standing, call in zip(self._standings, self.calls, strict=False)
        )

    def call(self, seat: int, call: Call) -> Self:
        """The auction after this call.

        Raises IllegalMove: `auction_over`; `not_your_turn` (seat, turn); and what the game says of a call that cannot
        be made.
        """
        place, allowed = self._caller(self._standing)
        if not allowed:
            raise IllegalMove("auction_over")
        if seat != self.seats[place]:
            raise IllegalMove("not_your_turn", seat=seat, turn=self.seats[place])
        if call not in allowed:
            raise self._refused(place, call)
        return replace(self, calls=(*self.calls, call))

    def undo(self) -> Self:
        """The auction before the latest call. Raises IllegalMove `nothing_to_undo`."""
        if not self.calls:
            raise IllegalMove("nothing_to_undo")
        return replace(self, calls=self.calls[:-1])

    def to_text(self) -> str:
        """`1-2-0 3 pass 2 hold`: the seats in order of speaking, then the calls."""
        return " ".join((seats_to_text(self.seats), *self.calls))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Raises MalformedState, or IllegalMove `calls_impossible` (calls) for calls that could not be made."""
        seats, *words = text.split(" ")
        if any(word not in cls.CALLS for word in words):
            raise MalformedState(text)
        auction = cls(seats_of_text(seats, cls.PLAYERS), tuple(map(cls.CALLS, words)))
        _ = auction._standings
        return auction

    def _refused(self, place: int, call: Call) -> IllegalMove:
        """Why the player whose turn it is may not say it."""
        raise NotImplementedError

    def _caller(self, standing: At) -> tuple[int, tuple[Call, ...]]:
        """Who may say something, by his place, and what; nothing, whoever he is, once all is said."""
        turn = standing.turn
        return (0, ()) if turn is None else (turn, standing.options(turn))

    def _seat(self, place: int | None) -> int | None:
        return None if place is None else self.seats[place]

    @property
    def _standing(self) -> At:
        return self._standings[-1]

    @cached_property
    def _standings(self) -> tuple[At, ...]:
        """Where the auction stood before each call, and where it stands. Raises IllegalMove `calls_impossible`."""
        standing: At = self.BEGINNING
        found = [standing]
        for call in self.calls:
            place, allowed = self._caller(standing)
            if call not in allowed:
                raise IllegalMove("calls_impossible", calls=" ".join(self.calls))
            standing = standing.after(place, call)
            found.append(standing)
        return tuple(found)
