"""The auction: the turn, the legal calls, and the result (docs/rules/asszorti.md §2).

Players speak in turn, clockwise, except those who have passed, who hold the bid, or who have no choice. The rules are
silent on the last case: over 'hand' there is no bid, so a player who may not hold can only pass. Such a player is
skipped and counts as having passed, and so is the forced dealer. Both worked examples of the rules do so.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from scorekeeper.games.asszorti.deal import Contract
from scorekeeper.games.asszorti.seating import PLAYERS
from scorekeeper.games.auction import Calling
from scorekeeper.games.errors import IllegalMove


class Call(StrEnum):
    """A call: the four bids, lowest first, hold (tartom), pass."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    HAND = "hand"
    HOLD = "hold"
    PASS = "pass"  # noqa: S105 (a call, not a password)


BIDS: Final = (Call.THREE, Call.TWO, Call.ONE, Call.HAND)


class _State(NamedTuple):
    """The state of an auction. Players are places in the order of speaking, 0 … 2."""

    bid: Call | None = None
    holder: int | None = None
    out: frozenset[int] = frozenset()
    latest: int = -1

    def options(self, place: int) -> tuple[Call, ...]:
        """Return the calls that the player may make on his turn; none if there is no choice."""
        if place == self.holder or place in self.out:
            return ()
        if self.bid is None or self.holder is None:
            return () if len(self.out) == 2 else (BIDS[0], Call.PASS)
        if place < self.holder:
            return (Call.HOLD, Call.PASS)
        return () if self.bid is BIDS[-1] else (BIDS[BIDS.index(self.bid) + 1], Call.PASS)

    @property
    def turn(self) -> int | None:
        """The place whose turn it is: the next with a choice, clockwise from the latest to speak."""
        places = ((self.latest + step) % 3 for step in (1, 2))
        return next((place for place in places if self.options(place)), None)

    def after(self, place: int, call: Call) -> "_State":
        if call is Call.PASS:
            return self._replace(out=self.out | {place}, latest=place)
        return self._replace(bid=self.bid if call is Call.HOLD else call, holder=place, latest=place)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the three players', in order of speaking: dealer's left first.

    With four at the table the dealer does not play, and the third to speak is the one who may be forced. The codes of
    an illegal call, with the call, the bid if there is one, and the next bid unless the player may not bid:
    `nothing_to_hold`, `hold_or_pass` (a player before the holder), `raise_or_pass` (a player after the holder),
    `not_the_next_bid`.
    """

    seats: tuple[int, int, int]

    CALLS = Call
    BEGINNING = _State()
    PLAYERS = PLAYERS

    @property
    def holder(self) -> int | None:
        """The seat that made the bid, or took it over by holding."""
        return self._seat(self._state.holder)

    @property
    def is_forced(self) -> bool:
        """True if both others passed without a bid: the last declares without speaking, and names any contract."""
        return self.is_over and self._state.bid is None

    @property
    def declarer(self) -> int | None:
        """The declarer's seat; None until the auction is over."""
        if not self.is_over:
            return None
        return self.seats[-1] if self.is_forced else self.holder

    @property
    def least_contract(self) -> Contract | None:
        """The final bid as a contract; None if any contract may be named, or the auction is not over."""
        return Contract(self._state.bid.value) if self.is_over and self._state.bid else None

    @property
    def contracts_allowed(self) -> tuple[Contract, ...]:
        """The contracts that the declarer may name: the final bid or higher, lowest first. Empty before the end."""
        if not self.is_over:
            return ()
        contracts = tuple(Contract)
        return contracts[contracts.index(self.least_contract) :] if self.least_contract else contracts

    def check(self, contract: Contract) -> None:
        """Raise IllegalMove for a contract too low: `auction_not_over`, `contract_too_low` (contract, least)."""
        if not self.is_over:
            raise IllegalMove("auction_not_over")
        if contract not in self.contracts_allowed:
            least = self.contracts_allowed[0]
            raise IllegalMove("contract_too_low", contract=contract.value, least=least.value)

    def _refused(self, place: int, call: Call) -> IllegalMove:
        bid = self._state.bid
        if bid is None:
            code = "nothing_to_hold" if call is Call.HOLD else "not_the_next_bid"
            return IllegalMove(code, call=call.value, next=BIDS[0].value)
        if Call.HOLD in self.legal_calls:
            return IllegalMove("hold_or_pass", call=call.value, bid=bid.value)
        code = "raise_or_pass" if call is Call.HOLD else "not_the_next_bid"
        return IllegalMove(code, call=call.value, bid=bid.value, next=self.legal_calls[0].value)
