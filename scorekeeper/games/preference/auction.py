"""The auction: the turn, the legal calls, and the result (docs/rules/preference.md §3).

Players speak in turn, eldest first, except the bidder and those who are out: a player who passed, who bid mizer and was
outbid (and may play nothing but mizer), or who could only pass. The last is skipped and counts as having passed; it
happens over 10NT alone.

The rules except 6♠ from "here". That needs no check: a player who says it made an earlier bid, so the bid taken over is
never 6♠. Mizer needs one: nobody may bid it after a bid of tricks, so nobody may take it over either.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from scorekeeper.games.auction import AuctionState, Calling
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.preference.deal import PLAYERS


class Call(StrEnum):
    """A call: the 26 bids, lowest first, then here and pass."""

    S6, C6, D6, H6, N6 = "6S", "6C", "6D", "6H", "6N"
    S7, C7, D7, H7, N7 = "7S", "7C", "7D", "7H", "7N"
    S8, C8, D8, H8, N8 = "8S", "8C", "8D", "8H", "8N"
    MIZER = "M"
    S9, C9, D9, H9, N9 = "9S", "9C", "9D", "9H", "9N"
    S10, C10, D10, H10, N10 = "10S", "10C", "10D", "10H", "10N"
    HERE = "here"
    PASS = "pass"  # noqa: S105 (a call, not a password)


#: The bids, lowest first.
BIDS: Final = tuple(call for call in Call if call not in (Call.HERE, Call.PASS))


def is_below_ladder(bid: Call, lowest: int) -> bool:
    """Return whether the exit ladder, which begins at this level, warns of this bid or contract. It refuses none."""
    return BIDS.index(bid) < BIDS.index(Call(f"{lowest}S"))


@dataclass(frozen=True, slots=True)
class _State(AuctionState[Call]):
    have_bid: frozenset[int] = frozenset()

    PLAYERS = PLAYERS
    BIDS = BIDS

    @property
    def turn(self) -> int | None:
        """The place whose turn it is: the next after the latest to speak that is not out and does not hold the bid."""
        places = ((self.latest + step) % PLAYERS for step in range(1, PLAYERS))
        return next((place for place in places if place != self.holder and place not in self.out), None)

    def options(self, place: int) -> tuple[Call, ...]:
        here = () if self.no_here(place) else (Call.HERE,)
        calls = (*here, *(bid for bid in self.higher if bid is not Call.MIZER or place not in self.have_bid))
        return (*calls, Call.PASS) if calls else ()

    def no_here(self, place: int) -> str:
        """Return the code that refuses the player's "here", or '' if it is legal."""
        if self.bid is None or self.holder is None:
            return "nothing_to_take"
        if len(self.out) < PLAYERS - 2:
            return "here_of_two"
        if place > self.holder:
            return "here_by_earlier"
        return "here_over_mizer" if self.bid is Call.MIZER else ""

    def after(self, place: int, call: Call) -> Self:
        if call is Call.PASS:
            return replace(self, out=self.out | {place}, latest=place).at_a_choice()
        bid = self.bid if call is Call.HERE else call
        outbid = frozenset({self.holder} if self.holder is not None and self.bid is Call.MIZER else ())
        return type(self)(bid, place, self.out | outbid, place, self.have_bid | {place}).at_a_choice()

    def at_a_choice(self) -> Self:
        """Return the auction at the next player with a choice, or at its end; the others pass."""
        turn = self.turn
        return self if turn is None or self.options(turn) else self.after(turn, Call.PASS)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the three players', in order of speaking: eldest first.

    The codes of an illegal call beside those of every game, with the call and, if there is one, the bid: `not_higher`,
    `mizer_first` (mizer after an earlier bid), `nothing_to_take`, `here_of_two` (three are left), `here_by_earlier`
    (a player after the bidder), `here_over_mizer`.
    """

    CALLS = Call
    BEGINNING = _State()

    @property
    def is_passed_out(self) -> bool:
        """True if all three passed: a raspasovka is played."""
        return self.is_over and self.bid is None

    @property
    def contracts_allowed(self) -> tuple[Call, ...]:
        """The contracts that the declarer may name, lowest first: the bid or higher.

        Mizer is played only by a declarer who bid it, and then nothing else is. Empty until the auction is over, and
        if nobody bid.
        """
        if not self.is_over or self.bid is None:
            return ()
        if self.bid is Call.MIZER:
            return (Call.MIZER,)
        return tuple(bid for bid in (self.bid, *self._state.higher) if bid is not Call.MIZER)

    def check(self, contract: Call) -> None:
        """Raise IllegalMove, with the contract, for one that the declarer may not name.

        The codes: `auction_not_over`, `nobody_declares`, `mizer_bid` (only mizer may be named), `mizer_not_bid` (mizer
        may not), and `contract_too_low` (least).
        """
        said = {"contract": contract.value}
        if not self.contracts_allowed:
            raise IllegalMove("nobody_declares" if self.is_over else "auction_not_over", **said)
        if contract in self.contracts_allowed:
            return
        if self.bid is Call.MIZER:
            raise IllegalMove("mizer_bid", **said)
        if contract is Call.MIZER:
            raise IllegalMove("mizer_not_bid", **said)
        raise IllegalMove("contract_too_low", **said, least=self.contracts_allowed[0].value)

    def _refused(self, place: int, call: Call) -> IllegalMove:
        state = self._state
        not_bid = "mizer_first" if call in state.higher else "not_higher"
        code = state.no_here(place) if call is Call.HERE else not_bid
        said = {"call": call.value} if state.bid is None else {"call": call.value, "bid": state.bid.value}
        return IllegalMove(code, **said)
