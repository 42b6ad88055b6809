"""The auction: whose turn it is, what can be called, what a call promises, and its end (docs/rules/tarokk.md §3).

Everyone speaks in turn, in the order of play, but for those who passed, who hold the bid, or who could only pass: over
a szóló which they may not hold there is no call left. The referee sees no cards: a próba is what its bidder says it is,
a bid with a mark. A próba is never a szóló, also where its bidder raises himself.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.games.auction import Calling
from scorekeeper.games.base import IllegalMove
from scorekeeper.games.tarokk.enums import Contract
from scorekeeper.games.tarokk.seating import PLAYERS


class Call(StrEnum):
    """What can be said: the four bids, lowest first, the same as a próba, hold (tartom), pass."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    SOLO = "s"
    PROBA_THREE = "3?"
    PROBA_TWO = "2?"
    PROBA_ONE = "1?"
    HOLD = "hold"
    PASS = "pass"  # noqa: S105 (a call, not a password)

    @property
    def bid(self) -> "Call":
        """The bid without its mark."""
        return Call(self.value.removesuffix("?"))


BIDS: Final = (Call.THREE, Call.TWO, Call.ONE, Call.SOLO)
PROBAS: Final = (Call.PROBA_THREE, Call.PROBA_TWO, Call.PROBA_ONE)


class Card(StrEnum):
    """The tarokks that an invitation promises: the inviter's partner must call it."""

    XX = "XX"
    XIX = "XIX"
    XVIII = "XVIII"


#: What a jump of so many levels over the next available call promises.
PROMISED: Final = {1: Card.XIX, 2: Card.XVIII}


class Invitation(NamedTuple):
    """A promise that was made in the auction: who made it, by which of the calls, and the card he has."""

    seat: int
    call: int
    card: Card


class _State(NamedTuple):
    """Where an auction stands. Players are places in the order of speaking, 0 … 3."""

    bid: Call | None = None
    holder: int | None = None
    is_held: bool = False
    is_proba: bool = False
    bidders: tuple[int, ...] = ()
    out: frozenset[int] = frozenset()
    latest: int = -1

    @property
    def others_passed(self) -> bool:
        return len(self.out) == PLAYERS - 1

    def options(self, place: int) -> tuple[Call, ...]:
        """What the player may say when it is his turn; nothing, if he then could only pass."""
        if place == self.holder or place in self.out:
            return ()
        hold = (Call.HOLD,) if self.may_hold(place) else ()
        tries = PROBAS if self.bid is None and self.others_passed else ()
        calls = (*hold, *self.higher, *tries)
        return (*calls, Call.PASS) if calls else ()

    def may_hold(self, place: int) -> bool:
        return place in self.bidders and not self.is_held and self.holder not in (None, place)

    @property
    def higher(self) -> tuple[Call, ...]:
        """The bids above the state one."""
        return BIDS if self.bid is None else BIDS[BIDS.index(self.bid) + 1 :]

    @property
    def turn(self) -> int | None:
        """Whose turn it is: the next from the latest to speak who has a choice."""
        places = ((self.latest + step) % PLAYERS for step in range(1, PLAYERS + 1))
        return next((place for place in places if self.options(place)), None)

    @property
    def raises(self) -> tuple[Call, ...]:
        """To what the only one who bid may raise his három, once the others have passed."""
        if self.turn is not None or self.bid is not Call.THREE or not self.others_passed or len(self.bidders) != 1:
            return ()
        return tuple(each for each in self.higher if not (self.is_proba and each is Call.SOLO))

    def after(self, place: int, call: Call) -> "_State":
        if call is Call.PASS:
            return self._replace(out=self.out | {place}, latest=place)
        if call is Call.HOLD:
            return self._replace(holder=place, is_held=True, latest=place)
        bidders = self.bidders if place in self.bidders else (*self.bidders, place)
        is_proba = self.is_proba or call in PROBAS
        return self._replace(
            bid=call.bid, holder=place, is_held=False, is_proba=is_proba, bidders=bidders, latest=place
        )

    def promise(self, place: int, call: Call) -> Card | None:
        """What such a call promises to whoever else should declare."""
        opener = self.bidders[:1] == (place,)
        if call is Call.PASS:
            # Whoever opened and is asked at kettő had bid három: there is nothing else below it.
            return Card.XX if opener and self.bid is Call.TWO else None
        if call is Call.HOLD or self.others_passed or (self.bid is None and call is Call.SOLO):
            return None
        next_up = BIDS.index(self.bid) + (not self.may_hold(place)) if self.bid else 0
        return PROMISED.get(BIDS.index(call.bid) - next_up)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the four who play, in order of speaking: induló first.

    After its end the declarer may still raise his own three. A call is refused, besides what is refused in every game,
    with the call and, if there is one, the bid: `nothing_to_hold`, `hold_bid_first` (he has not bid), `held_once`,
    `not_higher`, `proba_after_three`, `proba_solo` and `raise_or_play` (of his own three).
    """

    seats: tuple[int, int, int, int]

    CALLS = Call
    BEGINNING = _State()
    PLAYERS = PLAYERS

    @property
    def raises(self) -> tuple[Call, ...]:
        """To what the declarer may raise his own bid before he takes the talon; mostly nothing."""
        return self._state.raises

    @property
    def is_proba(self) -> bool:
        """Whether the bid is the fourth player's who said that he has no honour."""
        return self._state.is_proba

    @property
    def holder(self) -> int | None:
        """The seat that bid it, or took it over by holding."""
        return self._seat(self._state.holder)

    @property
    def is_thrown_in(self) -> bool:
        return self.is_over and self._state.bid is None

    @property
    def declarer(self) -> int | None:
        """The seat that plays the hand; None until the auction is over, and where nobody bid."""
        return self.holder if self.is_over else None

    @property
    def contract(self) -> Contract | None:
        """What the declarer plays, as long as he does not raise himself; None as for him."""
        return Contract(self._state.bid.value) if self.is_over and self._state.bid else None

    @property
    def invitation(self) -> Invitation | None:
        """The one that counts, the first; None where nobody has made one."""
        for at, (state, call) in enumerate(zip(self._states, self.calls, strict=False)):
            card = None if state.turn is None else state.promise(state.turn, call)
            if card and state.turn is not None:
                return Invitation(self.seats[state.turn], at, card)
        return None

    @property
    def must_call(self) -> Card | None:
        """The card that the declarer must call, as another has promised it; None where he is free."""
        found = self.invitation
        return found.card if found and self.declarer not in (None, found.seat) else None

    @property
    def partner(self) -> int | None:
        """The seat that has the card which the declarer must call; None where he is free."""
        return self.invitation.seat if self.must_call and self.invitation else None

    def promises(self, call: Call) -> Card | None:
        """What it would promise if who is to call said it: nothing where an invitation counts already."""
        turn = self._state.turn
        return None if turn is None or self.invitation else self._state.promise(turn, call)

    def _caller(self, state: _State) -> tuple[int, tuple[Call, ...]]:
        if state.turn is None and state.holder is not None:
            return state.holder, state.raises
        return super()._caller(state)

    def _refused(self, place: int, call: Call) -> IllegalMove:
        bid = self._state.bid
        if call in PROBAS and not self.raises:
            return IllegalMove("proba_after_three", call=call.value)
        if bid is None:
            return IllegalMove("nothing_to_hold", call=call.value)
        said = {"call": call.value, "bid": bid.value}
        if self.raises:
            return IllegalMove("proba_solo" if call is Call.SOLO else "raise_or_play", **said)
        if call is Call.HOLD:
            return IllegalMove("held_once" if self._state.is_held else "hold_bid_first", **said)
        return IllegalMove("not_higher", **said)
