"""An auction, as all games with one share it: players call in turn, and each call leads to the next state.

The game defines the legal calls of a state and the result of the end. Shared are the turn, the calls by seat, making
and undoing a call, and the text. So is a hand in play that begins with an auction.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.referee import HandInPlay, seats_of_text, seats_to_text, without_latest


class Spoken[Call](NamedTuple):
    """One call and the seat that made it."""

    seat: int
    call: Call


@dataclass(frozen=True, slots=True)
class AuctionState[Call](ABC):
    """The state of an auction. Players are places in the order of speaking, from 0.

    `bid` is the latest bid, None before the first, and `holder` made it or took it over. `out` have left the auction.
    """

    bid: Call | None = None
    holder: int | None = None
    out: frozenset[int] = frozenset()
    latest: int = -1

    #: The number of players, and all bids, the lowest first: set by the game.
    PLAYERS: ClassVar[int]
    BIDS: ClassVar[tuple[Any, ...]]

    @property
    def higher(self) -> tuple[Call, ...]:
        """The bids above the latest one."""
        return self.BIDS if self.bid is None else self.BIDS[self.BIDS.index(self.bid) + 1 :]

    @property
    def turn(self) -> int | None:
        """The place whose turn it is: the next after the latest to speak with a choice; None once it is over."""
        places = ((self.latest + step) % self.PLAYERS for step in range(1, self.PLAYERS + 1))
        return next((place for place in places if self.options(place)), None)

    @abstractmethod
    def options(self, place: int) -> tuple[Call, ...]:
        """Return the calls that the player may make on his turn; none if there is no choice."""

    @abstractmethod
    def after(self, place: int, call: Call) -> Self:
        """Return the state after the player's call."""


@dataclass(frozen=True)
class Calling[Call: StrEnum, At: AuctionState[Any]]:
    """An auction at some point. `seats` are the players', in order of speaking."""

    seats: tuple[int, ...]
    calls: tuple[Call, ...] = ()

    #: All calls, and the first state: set by the game.
    CALLS: ClassVar[Any]
    BEGINNING: ClassVar[Any]

    @property
    def to_call(self) -> int | None:
        """The seat whose turn it is, or None once the auction is over."""
        return self._seat(self._state.turn)

    @property
    def legal_calls(self) -> tuple[Call, ...]:
        """The legal calls of the seat whose turn it is; empty once the auction is over."""
        turn = self._state.turn
        return () if turn is None else self._state.options(turn)

    @property
    def is_over(self) -> bool:
        return self._state.turn is None

    @property
    def bid(self) -> Call | None:
        """The latest bid, by whichever seat holds it now; None before the first."""
        bid: Call | None = self._state.bid
        return bid

    @property
    def holder(self) -> int | None:
        """The seat that made the bid, or took it over; None before the first."""
        return self._seat(self._state.holder)

    @property
    def declarer(self) -> int | None:
        """The declarer's seat; None until the auction is over, and if nobody bid."""
        return self.holder if self.is_over else None

    @property
    def passed(self) -> tuple[int, ...]:
        """The seats that have left the auction, in order of speaking."""
        return tuple(self.seats[place] for place in sorted(self._state.out))

    @property
    def spoken(self) -> tuple[Spoken[Call], ...]:
        """The calls with the seats that made them, in order."""
        return tuple(
            Spoken(self.seats[self._caller(state)[0]], call)
            for state, call in zip(self._states, self.calls, strict=False)
        )

    def call(self, seat: int, call: Call) -> Self:
        """Return the auction after this call.

        Raise IllegalMove: `auction_over`, `not_your_turn` (seat, turn), and the game's codes for an illegal call.
        """
        place, allowed = self._caller(self._state)
        if not allowed:
            raise IllegalMove("auction_over")
        if seat != self.seats[place]:
            raise IllegalMove("not_your_turn", seat=seat, turn=self.seats[place])
        if call not in allowed:
            raise self._refused(place, call)
        return replace(self, calls=(*self.calls, call))

    def undo(self) -> Self:
        """Return the auction before the latest call. Raise IllegalMove `nothing_to_undo`."""
        return replace(self, calls=without_latest(self.calls))

    def to_text(self) -> str:
        """Write `1-2-0 3 pass 2 hold`: the seats in order of speaking, then the calls."""
        return " ".join((seats_to_text(self.seats), *self.calls))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState, or IllegalMove `calls_impossible` (calls) for illegal calls."""
        seats, *words = text.split(" ")
        if any(word not in cls.CALLS for word in words):
            raise MalformedState(text)
        auction = cls(seats_of_text(seats, cls.BEGINNING.PLAYERS), tuple(map(cls.CALLS, words)))
        _ = auction._states
        return auction

    def _refused(self, place: int, call: Call) -> IllegalMove:
        """Return the error for an illegal call of the player whose turn it is."""
        raise NotImplementedError

    def _caller(self, state: At) -> tuple[int, tuple[Call, ...]]:
        """Return the place to call and its legal calls; any place and no calls once the auction is over."""
        turn = state.turn
        return (0, ()) if turn is None else (turn, state.options(turn))

    def _seat(self, place: int | None) -> int | None:
        return None if place is None else self.seats[place]

    @property
    def _state(self) -> At:
        return self._states[-1]

    @cached_property
    def _states(self) -> tuple[At, ...]:
        """The states before each call, and the present one. Raise IllegalMove `calls_impossible`."""
        state: At = self.BEGINNING
        states = [state]
        for call in self.calls:
            place, allowed = self._caller(state)
            if call not in allowed:
                raise IllegalMove("calls_impossible", calls=" ".join(self.calls))
            state = state.after(place, call)
            states.append(state)
        return tuple(states)


@dataclass(frozen=True, slots=True)
class AuctionedHand[Called: Calling[Any, Any], Summary](HandInPlay[Summary]):
    """A hand in play whose declarer is noted, by an auction or without one."""

    declarer: int | None = None
    auction: Called | None = None

    @property
    def has_begun(self) -> bool:
        """True if anything is noted but the dealer."""
        return bool(self.auction and self.auction.calls) or self.declarer is not None

    def passed_over(self, declarer: int | None) -> Self:
        """Return the hand with a declarer and no auction; None: with neither. Raise IllegalMove `later_first`."""
        if self.summary is not None:
            raise IllegalMove("later_first")
        return replace(self, auction=None, declarer=declarer)
