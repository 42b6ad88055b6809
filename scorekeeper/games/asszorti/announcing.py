"""The auction, the declarer's announcement, and the kontras to it (docs/rules/asszorti.md §2, §4).

Players speak in turn, clockwise, except those who have passed, who hold the bid, or who have no choice. The rules are
silent on the last case: over 'hand' there is no bid, so a player who may not hold can only pass. Such a player is
skipped and counts as having passed, and so is the forced dealer. Both worked examples of the rules do so.

No rule closes the doubling, so the ladder stays open until the hand is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from scorekeeper.games.asszorti.deal import PLAYERS, Contract, Sides, Trump
from scorekeeper.games.auction import AuctionState, Calling
from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.referee import seat_from_text, seats_to_text, without_latest

# --- The auction (§2) ---


class Call(StrEnum):
    """A call: the four bids, lowest first, hold (tartom), pass."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    HAND = "hand"
    HOLD = "hold"
    PASS = "pass"  # noqa: S105 (a call, not a password)


BIDS: Final = (Call.THREE, Call.TWO, Call.ONE, Call.HAND)


@dataclass(frozen=True, slots=True)
class _State(AuctionState[Call]):
    PLAYERS = PLAYERS
    BIDS = BIDS

    def options(self, place: int) -> tuple[Call, ...]:
        if place == self.holder or place in self.out:
            return ()
        if self.bid is None or self.holder is None:
            return () if len(self.out) == 2 else (self.higher[0], Call.PASS)
        if place < self.holder:
            return (Call.HOLD, Call.PASS)
        return (self.higher[0], Call.PASS) if self.higher else ()

    def after(self, place: int, call: Call) -> Self:
        if call is Call.PASS:
            return replace(self, out=self.out | {place}, latest=place)
        return replace(self, bid=self.bid if call is Call.HOLD else call, holder=place, latest=place)


@dataclass(frozen=True)
class Auction(Calling[Call, _State]):
    """An auction at some point. `seats` are the three players', in order of speaking: dealer's left first.

    With four at the table the dealer does not play, and the third to speak is the one who may be forced. The codes of
    an illegal call, with the call, the bid if there is one, and the next bid unless the player may not bid:
    `nothing_to_hold`, `hold_or_pass` (a player before the holder), `raise_or_pass` (a player after the holder),
    `not_the_next_bid`.
    """

    CALLS = Call
    BEGINNING = _State()

    @property
    def is_forced(self) -> bool:
        """True if both others passed without a bid: the last declares without speaking, and names any contract."""
        return self.is_over and self._state.bid is None

    @property
    def declarer(self) -> int | None:
        """The declarer's seat; None until the auction is over."""
        return self.seats[-1] if self.is_forced else super().declarer

    @property
    def contracts_allowed(self) -> tuple[Contract, ...]:
        """The contracts that the declarer may name: the final bid or higher, lowest first. Empty before the end."""
        if not self.is_over:
            return ()
        contracts = tuple(Contract)
        return contracts[contracts.index(Contract(self.bid.value)) :] if self.bid else contracts

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


# --- The announcement, and the kontras to it (§4) ---


@dataclass(frozen=True, slots=True)
class Announcement:
    """The declarer's announcement."""

    contract: Contract
    trump: Trump
    arrivazs: bool = False

    def to_text(self) -> str:
        """Write `2 hearts announced`: contract, trumps, and whether arrivázs was announced."""
        return " ".join((self.contract, self.trump, *([ANNOUNCED] if self.arrivazs else ())))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        match text.split(" "):
            case [contract, trump, *rest] if contract in Contract and trump in Trump:
                if rest in ([], [ANNOUNCED]):
                    return cls(Contract(contract), Trump(trump), bool(rest))
        raise MalformedState(text)


class Item(StrEnum):
    """The items that can be doubled, each by itself."""

    GAME = "game"
    ARRIVAZS = "arrivazs"


class Said(NamedTuple):
    """One step of a ladder: its item, and the seat that said it."""

    item: Item
    seat: int


DECLARERS: Final = frozenset({Kontra.REKONTRA, Kontra.HIRSKONTRA})
ANNOUNCED: Final = "announced"


@dataclass(frozen=True)
class Doubling:
    """The steps said so far, in order, to the game and, if it was announced, to the arrivázs."""

    sides: Sides
    arrivazs_announced: bool = False
    said: tuple[Said, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """The items that can be doubled in this hand."""
        return tuple(Item) if self.arrivazs_announced else (Item.GAME,)

    def speakers(self, item: Item) -> tuple[int, ...]:
        """Return the seats that said kontra, rekontra, … to the item, in that order."""
        return tuple(said.seat for said in self.said if said.item is item)

    def level(self, item: Item) -> Kontra:
        """Return the latest step of the item's ladder."""
        return Kontra(len(self.speakers(item)))

    def may_say(self, item: Item) -> Mapping[int, Kontra]:
        """Return the next step to the item by the seats that may say it, left opponent before right."""
        if item not in self.items or self.level(item) is Kontra.MORDKONTRA:
            return {}
        step = Kontra(self.level(item) + 1)
        if step in DECLARERS:
            return {self.sides.declarer: step}
        silent = self.speakers(item)[:1] if step is Kontra.SZUBKONTRA else ()
        return {seat: step for seat in self.sides.opponents if seat not in silent}

    def say(self, seat: int, item: Item) -> Self:
        """Return the doubling after this seat said the next step to the item.

        Raise IllegalMove: `not_playing` (seat); `arrivazs_not_announced`; `ladder_end` (item); and with
        seat, item and kontra (the step, 1 … 5): `szubkontra_same_opponent`, `not_his_kontra`.
        """
        if seat not in self.sides:
            raise IllegalMove("not_playing", seat=seat)
        if item not in self.items:
            raise IllegalMove("arrivazs_not_announced")
        may_say = self.may_say(item)
        if not may_say:
            raise IllegalMove("ladder_end", item=item.value)
        if seat not in may_say:
            step = next(iter(may_say.values()))
            same = step is Kontra.SZUBKONTRA and seat in self.sides.opponents
            code = "szubkontra_same_opponent" if same else "not_his_kontra"
            raise IllegalMove(code, seat=seat, item=item.value, kontra=step.value)
        return replace(self, said=(*self.said, Said(item, seat)))

    def at_level(self, item: Item, level: Kontra) -> Self:
        """Return the doubling with the item at this level, if the speakers are not known.

        Surplus steps are removed from the top; a missing step is said by the first seat that may, the left opponent
        before the right. Raise IllegalMove `arrivazs_not_announced`.
        """
        doubling = self
        while doubling.level(item) > level:
            doubling = replace(doubling, said=doubling._without_latest(item))
        while doubling.level(item) < level:
            doubling = doubling.say(next(iter(doubling.may_say(item)), self.sides.declarer), item)
        return doubling

    def undo(self) -> Self:
        """Return the doubling before the latest step, of either item. Raise IllegalMove `nothing_to_undo`."""
        return replace(self, said=without_latest(self.said))

    def talon_shown(self, tricks_played: int) -> bool:
        """Return whether the talon lies open: from any kontra until the end of the first trick."""
        return bool(self.said) and tricks_played == 0

    def to_text(self) -> str:
        """Write `0-1-2 announced game:1 game:0 arrivazs:2`: the sides, whether arrivázs was announced, the steps."""
        words = [seats_to_text(self.sides)]
        if self.arrivazs_announced:
            words.append(ANNOUNCED)
        return " ".join(words + [f"{said.item}:{said.seat}" for said in self.said])

    def _without_latest(self, item: Item) -> tuple[Said, ...]:
        latest = max(place for place, said in enumerate(self.said) if said.item is item)
        return self.said[:latest] + self.said[latest + 1 :]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState, or IllegalMove for an illegal step."""
        seats, *words = text.split(" ")
        announced = words[:1] == [ANNOUNCED]
        doubling = cls(Sides.from_text(seats), announced)
        for word in words[announced:]:
            item, separator, seat = word.partition(":")
            if item not in Item or not separator:
                raise MalformedState(text)
            doubling = doubling.say(seat_from_text(seat), Item(item))
        return doubling
