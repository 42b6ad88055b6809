"""An auction, as all games with one share it: players call in turn, and each call leads to the next state.

The game defines the legal calls of a state and the result of the end. Shared are the turn, the calls by seat, making
and undoing a call, and the text. So is the storing of a hand in play whose parts begin with an auction.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.referee import seats_of_text, seats_to_text, without_latest


class Spoken[Call](NamedTuple):
    """One call and the seat that made it."""

    seat: int
    call: Call


class AuctionState[Call](Protocol):
    """The state of an auction. Players are places in the order of speaking, from 0."""

    @property
    def bid(self) -> Call | None:
        """The latest bid; None before the first."""

    @property
    def turn(self) -> int | None:
        """The place whose turn it is; None once the auction is over."""

    @property
    def out(self) -> frozenset[int]:
        """The places that have left the auction."""

    def options(self, place: int) -> tuple[Call, ...]:
        """Return the calls that the player may make on his turn."""

    def after(self, place: int, call: Call) -> Self:
        """Return the state after the player's call."""


@dataclass(frozen=True)
class Calling[Call: StrEnum, At: AuctionState[Any]]:
    """An auction at some point. `seats` are the players', in order of speaking."""

    seats: tuple[int, ...]
    calls: tuple[Call, ...] = ()

    #: All calls, the first state, and the number of players: set by the game.
    CALLS: ClassVar[Any]
    BEGINNING: ClassVar[Any]
    PLAYERS: ClassVar[int]

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
        auction = cls(seats_of_text(seats, cls.PLAYERS), tuple(map(cls.CALLS, words)))
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
class AuctionedHand[Called: Calling[Any, Any]]:
    """A hand in play at some point; a part that has not begun, or was skipped, is None."""

    dealer: int
    declarer: int | None = None
    auction: Called | None = None

    #: The parts that have a text of their own, and the readers of the other ones: set by the game.
    PARTS: ClassVar[Mapping[str, Any]]
    PLAIN: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"declarer": int}

    @classmethod
    def from_state(cls, dealer: int, state: Mapping[str, Any]) -> Self:
        """Return the hand that `to_state` wrote."""
        readers = {**cls.PLAIN, **{name: part.from_text for name, part in cls.PARTS.items()}}
        return cls(dealer, **{name: read(state[name]) for name, read in readers.items() if name in state})

    def to_state(self) -> dict[str, int | str]:
        """Return the hand as the database stores it, without the dealer: each part as its own text."""
        parts = {name: part.to_text() for name in self.PARTS if (part := getattr(self, name))}
        plain = {name: getattr(self, name) for name in self.PLAIN}
        return {name: value for name, value in plain.items() if value is not None and value is not False} | parts

    @property
    def has_begun(self) -> bool:
        """True if anything is noted but the dealer."""
        return bool(self.auction and self.auction.calls) or self.declarer is not None

    @property
    def summary(self) -> Any:
        """The announcements so far; None before the first."""
        raise NotImplementedError

    def passed_over(self, declarer: int | None) -> Self:
        """Return the hand with a declarer and no auction; None: with neither. Raise IllegalMove `later_first`."""
        if self.summary is not None:
            raise IllegalMove("later_first")
        return replace(self, auction=None, declarer=declarer)
