"""The auction: whose turn it is, what he may call, and what it ends with (docs/rules/preference.md §3).

Everyone speaks in turn, eldest first, but for the one whose bid stands and for those who are out: who passed, who bid
mizer and was outbid (he must play mizer or nothing), and who, when his turn comes, could only pass. The last is not
asked; it happens over 10NT alone.

The page excepts 6♠ from "here", and nothing here has to: who says it has bid before the bid that he takes over. Of the
mizer the same cannot be said: after a bid of tricks there is none, so it is not taken over either.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.games.auction import Calling
from scorekeeper.games.base import IllegalMove
from scorekeeper.games.preference.seating import PLAYERS


class Call(StrEnum):
    """What can be said: the 26 bids, lowest first, then here and pass."""

    S6, C6, D6, H6, N6 = "6S", "6C", "6D", "6H", "6N"
    S7, C7, D7, H7, N7 = "7S", "7C", "7D", "7H", "7N"
    S8, C8, D8, H8, N8 = "8S", "8C", "8D", "8H", "8N"
    MIZER = "M"
    S9, C9, D9, H9, N9 = "9S", "9C", "9D", "9H", "9N"
    S10, C10, D10, H10, N10 = "10S", "10C", "10D", "10H", "10N"
    HERE = "here"
    PASS = "pass"  # noqa: S105 (a call, not a password)


#: The ladder of the bids, lowest first.
BIDS: Final = tuple(call for call in Call if call not in (Call.HERE, Call.PASS))


class _State(NamedTuple):
    """Where an auction stands. Players are places in the order of speaking, 0 … 2."""

    bid: Call | None = None
    bidder: int | None = None
    have_bid: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()
    latest: int = -1

    @property
    def turn(self) -> int | None:
        """The next from the latest to speak who is not out and does not hold the bid."""
        places = ((self.latest + step) % PLAYERS for step in range(1, PLAYERS))
        return next((place for place in places if place != self.bidder and place not in self.out), None)

    def options(self, place: int) -> tuple[Call, ...]:
        """What the player may say when it is his turn; nothing, if he then could only pass."""
        here = () if self.no_here(place) else (Call.HERE,)
        calls = (*here, *(bid for bid in self.higher if bid is not Call.MIZER or place not in self.have_bid))
        return (*calls, Call.PASS) if calls else ()

    @property
    def higher(self) -> tuple[Call, ...]:
        return BIDS if self.bid is None else BIDS[BIDS.index(self.bid) + 1 :]

    def no_here(self, place: int) -> str:
        """Why the player may not take over the bid, or '' if he may."""
        if self.bid is None or self.bidder is None:
            return "nothing_to_take"
        if len(self.out) < PLAYERS - 2:
            return "here_of_two"
        if place > self.bidder:
            return "here_by_earlier"
        return "here_over_mizer" if self.bid is Call.MIZER else ""

    def after(self, place: int, call: Call) -> "_State":
        if call is Call.PASS:
            return self._replace(out=self.out | {place}, latest=place).at_a_choice()
        bid = self.bid if call is Call.HERE else call
        outbid = frozenset({self.bidder} if self.bidder is not None and self.bid is Call.MIZER else ())
        return _State(bid, place, self.have_bid | {place}, self.out | outbid, latest=place).at_a_choice()

    def at_a_choice(self) -> "_State":
        """The auction where the next has something to choose, or is over."""
        turn = self.turn
        return self if turn is None or self.options(turn) else self.after(turn, Call.PASS)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the three who play, in order of speaking: eldest first.

    `lowest` is the level below which the exit ladder warns; it stands in no text, as it is of the evening. A call is
    refused, besides what is refused in every game, with the call and, if there is one, the bid: `not_higher`,
    `mizer_first` (mizer is a first word), `nothing_to_take`, `here_of_two` (three are left), `here_by_earlier` (he
    speaks after the bidder), `here_over_mizer`.
    """

    seats: tuple[int, int, int]
    lowest: int = 6

    CALLS = Call
    BEGINNING = _State()
    PLAYERS = PLAYERS

    @property
    def bidder(self) -> int | None:
        """The seat that bid it, or took it over."""
        return self._seat(self._state.bidder)

    @property
    def is_passed_out(self) -> bool:
        """All three passed: a raspasovka is played."""
        return self.is_over and self.bid is None

    @property
    def declarer(self) -> int | None:
        """The seat that plays the hand; None until the auction is over, and where nobody bid."""
        return self.bidder if self.is_over else None

    @property
    def contracts_allowed(self) -> tuple[Call, ...]:
        """What the declarer may name, lowest first: his bid or higher. Who bid mizer plays mizer, and nobody else does.

        Empty until the auction is over, and where nobody bid.
        """
        if not self.is_over or self.bid is None:
            return ()
        if self.bid is Call.MIZER:
            return (Call.MIZER,)
        return tuple(bid for bid in (self.bid, *self._state.higher) if bid is not Call.MIZER)

    def may_name(self, contract: Call) -> bool:
        """Whether the declarer may name it."""
        return contract in self.contracts_allowed

    def check(self, contract: Call) -> None:
        """Raises IllegalMove, with the contract, for one that the declarer may not name.

        `auction_not_over`, `nobody_declares`, `mizer_bid` (he bid mizer), `mizer_not_bid` (he did not), and
        `contract_too_low` (least).
        """
        if not self.may_name(contract):
            raise self._not_his(contract)

    def is_below_ladder(self, bid: Call) -> bool:
        """Whether the exit ladder warns of this bid or contract. It only warns: nothing is refused for it."""
        return BIDS.index(bid) < BIDS.index(Call(f"{self.lowest}S"))

    def _refused(self, place: int, call: Call) -> IllegalMove:
        state = self._state
        not_bid = "mizer_first" if call in state.higher else "not_higher"
        code = state.no_here(place) if call is Call.HERE else not_bid
        said = {"call": call.value} if state.bid is None else {"call": call.value, "bid": state.bid.value}
        return IllegalMove(code, **said)

    def _not_his(self, contract: Call) -> IllegalMove:
        said = {"contract": contract.value}
        if not self.contracts_allowed:
            return IllegalMove("nobody_declares" if self.is_over else "auction_not_over", **said)
        if self.bid is Call.MIZER:
            return IllegalMove("mizer_bid", **said)
        if contract is Call.MIZER:
            return IllegalMove("mizer_not_bid", **said)
        return IllegalMove("contract_too_low", **said, least=self.contracts_allowed[0].value)
