"""The auction: the turn, the legal calls, the promise of a call, and the end (docs/rules/tarokk.md §3).

The players speak in the order of play. Those who passed, hold the bid or could only pass are skipped: over a szóló that
a player may not hold no call is left. The referee sees no cards: a próba is a bid with a mark, on the word of its
bidder. A próba is never a szóló, even if its bidder raises himself.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from scorekeeper.games.auction import AuctionState, Calling
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.tarokk.enums import PLAYERS, Contract


class Call(StrEnum):
    """A call: the four bids, lowest first, the same as a próba, hold (tartom), pass."""

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
        """The bid without the mark of a próba."""
        return Call(self.value.removesuffix("?"))


BIDS: Final = (Call.THREE, Call.TWO, Call.ONE, Call.SOLO)
PROBAS: Final = (Call.PROBA_THREE, Call.PROBA_TWO, Call.PROBA_ONE)


class Card(StrEnum):
    """A tarokk that an invitation promises: another declarer must call it."""

    XX = "XX"
    XIX = "XIX"
    XVIII = "XVIII"


#: The card that a jump promises, by its levels over the next available call.
PROMISED: Final = {1: Card.XIX, 2: Card.XVIII}


class Invitation(NamedTuple):
    """A promise made in the auction: the inviter's seat, the index of the call, and the promised card."""

    seat: int
    call: int
    card: Card


@dataclass(frozen=True, slots=True)
class _State(AuctionState[Call]):
    is_held: bool = False
    is_proba: bool = False
    bidders: tuple[int, ...] = ()

    PLAYERS = PLAYERS
    BIDS = BIDS

    @property
    def others_passed(self) -> bool:
        return len(self.out) == PLAYERS - 1

    def options(self, place: int) -> tuple[Call, ...]:
        if place == self.holder or place in self.out:
            return ()
        hold = (Call.HOLD,) if self.may_hold(place) else ()
        tries = PROBAS if self.bid is None and self.others_passed else ()
        calls = (*hold, *self.higher, *tries)
        return (*calls, Call.PASS) if calls else ()

    def may_hold(self, place: int) -> bool:
        return place in self.bidders and not self.is_held and self.holder not in (None, place)

    @property
    def raises(self) -> tuple[Call, ...]:
        """The bids to which the only bidder may raise his három, once the others have passed."""
        if self.turn is not None or self.bid is not Call.THREE or not self.others_passed or len(self.bidders) != 1:
            return ()
        return tuple(each for each in self.higher if not (self.is_proba and each is Call.SOLO))

    def after(self, place: int, call: Call) -> Self:
        if call is Call.PASS:
            return replace(self, out=self.out | {place}, latest=place)
        if call is Call.HOLD:
            return replace(self, holder=place, is_held=True, latest=place)
        bidders = self.bidders if place in self.bidders else (*self.bidders, place)
        is_proba = self.is_proba or call in PROBAS
        return replace(
            self, bid=call.bid, holder=place, is_held=False, is_proba=is_proba, bidders=bidders, latest=place
        )

    def promise(self, place: int, call: Call) -> Card | None:
        """Return the card that such a call promises to another declarer, or None."""
        opener = self.bidders[:1] == (place,)
        if call is Call.PASS:
            # An opener who passes to kettő had bid három: no other bid is below it.
            return Card.XX if opener and self.bid is Call.TWO else None
        if call is Call.HOLD or self.others_passed or (self.bid is None and call is Call.SOLO):
            return None
        next_up = BIDS.index(self.bid) + (not self.may_hold(place)) if self.bid else 0
        return PROMISED.get(BIDS.index(call.bid) - next_up)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the four that play, in order of speaking: induló first.

    After its end the declarer may still raise his own három. Codes for an illegal call, besides those of every game,
    with the call and, if there is one, the bid: `nothing_to_hold`, `hold_bid_first` (he has not bid), `held_once`,
    `not_higher`, `proba_after_three`, `proba_solo` and `raise_or_play` (of his own három).
    """

    CALLS = Call
    BEGINNING = _State()

    @property
    def raises(self) -> tuple[Call, ...]:
        """The bids to which the declarer may raise his own before he takes the talon; usually none."""
        return self._state.raises

    @property
    def is_proba(self) -> bool:
        """True if the bid is a próba: the fourth player bid and said that he has no honour."""
        return self._state.is_proba

    @property
    def is_thrown_in(self) -> bool:
        return self.is_over and self._state.bid is None

    @property
    def contract(self) -> Contract | None:
        """The declarer's contract, unless he still raises himself; None if `declarer` is None."""
        return Contract(self._state.bid.value) if self.is_over and self._state.bid else None

    @property
    def invitation(self) -> Invitation | None:
        """The invitation that counts, which is the first; None if there is none."""
        for at, (state, call) in enumerate(zip(self._states, self.calls, strict=False)):
            card = None if state.turn is None else state.promise(state.turn, call)
            if card and state.turn is not None:
                return Invitation(self.seats[state.turn], at, card)
        return None

    @property
    def must_call(self) -> Card | None:
        """The card that the declarer must call, as another player promised it; None if he is free."""
        found = self.invitation
        return found.card if found and self.declarer not in (None, found.seat) else None

    @property
    def partner(self) -> int | None:
        """The seat that promised the card which the declarer must call; None if he is free."""
        return self.invitation.seat if self.must_call and self.invitation else None

    def promises(self, call: Call) -> Card | None:
        """Return the card that this call would promise now; None once an invitation counts."""
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
