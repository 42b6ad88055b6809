"""The state of a hand of Tarokk in play, and the moves on it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Self

from scorekeeper.games.auction import AuctionedHand
from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.referee import by_place
from scorekeeper.games.tarokk.announcing import ALONE, NOTHING, AnnouncedFacts, Announcing
from scorekeeper.games.tarokk.auction import Auction, Card
from scorekeeper.games.tarokk.enums import Contract, Pagat, Side

# --- The honours and kings that were taken ---


KINGS: Final = 4


class Honour(StrEnum):
    """The three honours, which make a trull."""

    SKIZ = "skiz"
    XXI = "xxi"
    PAGAT = "pagat"


@dataclass(frozen=True, slots=True)
class Items:
    """The items as fields of a deal: the side that made each, None for nobody."""

    trull: Side | None = None
    kings: Side | None = None
    xxi: Side | None = None
    pagat: Pagat = Pagat.NONE


@dataclass(frozen=True, slots=True)
class Taken:
    """The answers so far about honours, kings and the last trick; None: no answer yet.

    `kings` is the number that the declarers took, `last` the pagát in the last trick; `caught` is whether the side that
    took the XXI did not play it.
    """

    skiz: Side | None = None
    xxi: Side | None = None
    pagat: Side | None = None
    caught: bool = False
    kings: int | None = None
    last: Pagat = Pagat.NONE

    @property
    def items(self) -> Items:
        """The items that follow. Only the skíz beats the XXI, so one that its side did not play is a fogás."""
        holders = {self.skiz, self.xxi, self.pagat}
        return Items(
            trull=self.skiz if len(holders) == 1 else None,
            kings={KINGS: Side.DECLARERS, 0: Side.OPPONENTS}.get(-1 if self.kings is None else self.kings),
            xxi=self.xxi if self.caught else None,
            pagat=self.last,
        )

    def with_honour(self, honour: Honour, side: Side | None, *, caught: bool = False) -> Self:
        """Return the answers with the side that took an honour, without earlier ones that contradict it.

        In a fogás one side takes both the XXI and the skíz.
        """
        found = self._put(honour, side)
        if honour is Honour.XXI:
            found = replace(found, caught=caught and side is not None)
        if honour is Honour.SKIZ and found.caught and side is not found.xxi:
            found = replace(found, caught=False)
        if honour is Honour.PAGAT and found.last.won and side is not found.last.side:
            found = replace(found, last=Pagat.NONE)
        return replace(found, skiz=side) if found.caught and honour is Honour.XXI else found

    def with_kings(self, number: int | None) -> Self:
        """Return the answers with the number of kings that the declarers took, 0 to 4."""
        return replace(self, kings=number)

    def _put(self, honour: Honour, side: Side | None) -> Self:
        changed: dict[str, Any] = {honour.value: side}
        return replace(self, **changed)

    def with_last(self, last: Pagat) -> Self:
        """Return the answers with the pagát in the last trick; its own side took one that won."""
        return replace(self, last=last, pagat=last.side if last.won else self.pagat)

    def to_text(self) -> str:
        """Write the answers: `skiz=D xxi=O caught kings=3 last=d_won`."""
        honours = [f"{honour}={side}" for honour in Honour if (side := getattr(self, honour))]
        kings = [] if self.kings is None else [f"kings={self.kings}"]
        last = [] if self.last is Pagat.NONE else [f"last={self.last}"]
        return " ".join([*honours, *(["caught"] if self.caught else []), *kings, *last])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        taken = cls()
        try:
            for word in text.split():
                name, _, value = word.partition("=")
                match name:
                    case "caught":
                        taken = replace(taken, caught=True)
                    case "kings":
                        taken = replace(taken, kings=int(value))
                    case "last":
                        taken = replace(taken, last=Pagat(value))
                    case _:
                        taken = taken._put(Honour(name), Side(value))
        except ValueError as wrong:
            raise MalformedState(text) from wrong
        return taken


# --- The hand ---


@dataclass(frozen=True, slots=True)
class Summary:
    """The announcements of a hand before it is played; without the partner, whom nobody announces."""

    dealer: int
    declarer: int
    contract: Contract
    facts: AnnouncedFacts = NOTHING


@dataclass(frozen=True, slots=True)
class HandState(AuctionedHand[Auction, Summary]):
    """A hand at some point; a part that has not begun, or was skipped, is None.

    There is a declarer before there is a contract only if the auction was skipped, and announcements as soon as there
    is a contract. `called` is the partner's place (ALONE: there is none) as the players noted it; `partner` follows
    from that or from the announcements. `honour` is whether it is noted that a próba found one in the talon.
    """

    contract: Contract | None = None
    announcing: Announcing | None = None
    called: int | None = None
    taken: Taken | None = None
    honour: bool = False

    READERS = MappingProxyType(
        {
            "declarer": int,
            "auction": Auction.from_text,
            "contract": Contract,
            "announcing": Announcing.from_text,
            "called": int,
            "taken": Taken.from_text,
            "honour": bool,
        }
    )

    @property
    def is_thrown_in(self) -> bool:
        return self.auction is not None and self.auction.is_thrown_in

    @property
    def summary(self) -> Summary | None:
        """The announcements so far, kontras included; None until declarer and contract are known."""
        if self.declarer is None or self.contract is None or self.announcing is None:
            return None
        return Summary(self.dealer, self.declarer, self.contract, self.announcing.facts)

    @property
    def begun(self) -> Announcing:
        """The announcements. Raise IllegalMove `not_announced` until declarer and contract are known."""
        if self.announcing is None:
            raise IllegalMove("not_announced")
        return self.announcing

    @property
    def must_call(self) -> Card | None:
        return self.auction.must_call if self.auction else None

    @property
    def partner(self) -> int | None:
        """The partner's place if everybody may know it, ALONE if there is none; None: not known.

        It was noted, or follows from the announcements and their speakers, or from an invitation.
        """
        if self.called is not None or self.announcing is None:
            return self.called
        if self.announcing.partner is not None:
            return self.announcing.partner
        inviter = self.auction.partner if self.auction else None
        return None if inviter is None else self.announcing.seats.index(inviter)

    @property
    def is_untouched(self) -> bool:
        """True if nothing is noted of the hand after its contract."""
        return self.nothing_said and not self.honour

    @property
    def nothing_said(self) -> bool:
        """True if nothing is noted of the hand after the talon was drawn."""
        nothing_said = self.announcing is None or not (self.announcing.said or self.announcing.is_closed)
        nothing_noted = self.announcing is None or self.announcing.noted == NOTHING
        return nothing_said and nothing_noted and self.taken is None and self.called is None

    @property
    def awaits_honour(self) -> bool:
        """True if a próba waits for its talon: nothing else is noted before it is known if that has an honour."""
        return self.auction is not None and self.auction.is_proba and self.announcing is not None and self.is_untouched

    def after_auction(self, auction: Auction) -> Self:
        """Return the hand with its auction at this point; the end of the auction sets declarer and contract.

        Raise IllegalMove `later_first` if something that comes after the auction is already noted.
        """
        if not self.is_untouched or (self.declarer is not None and self.auction is None):
            raise IllegalMove("later_first")
        kept = auction if auction.calls else None
        found = replace(self, auction=kept, declarer=auction.declarer, contract=auction.contract, announcing=None)
        return found.started(auction.seats)

    def with_honour(self, *, found: bool) -> Self:
        """Return the hand of a próba that has found an honour in the talon; False takes that back.

        Raise IllegalMove: `no_proba`, `later_first`.
        """
        if not (self.auction and self.auction.is_proba and self.announcing):
            raise IllegalMove("no_proba")
        if not self.nothing_said:
            raise IllegalMove("later_first")
        return replace(self, honour=found)

    def named(self, contract: Contract | None, playing: tuple[int, ...]) -> Self:
        """Return the hand with its declarer's contract, if the auction was skipped; None takes that back.

        Raise IllegalMove: `auction_not_over`, `later_first`.
        """
        if self.declarer is None:
            raise IllegalMove("auction_not_over")
        if self.auction is not None or not self.is_untouched or (self.contract is None) == (contract is None):
            raise IllegalMove("later_first")
        return replace(self, contract=contract, announcing=None).started(playing)

    def started(self, playing: tuple[int, ...]) -> Self:
        """Return the hand with its announcements begun, if declarer and contract are known."""
        if self.declarer is None or self.contract is None:
            return self
        return replace(self, announcing=Announcing(by_place(playing, self.declarer)))

    def after_announcing(self, announcing: Announcing) -> Self:
        """Return the hand with its announcements at this point; if these show a lone declarer, `called` is dropped."""
        return replace(self, announcing=announcing, called=None if announcing.partner == ALONE else self.called)

    def known(self, partner: int | None) -> Self:
        """Return the hand with its partner known to all, ALONE if there is none; None takes that back.

        Raise IllegalMove `not_announced`.
        """
        _ = self.begun
        return replace(self, called=partner)

    def after_play(self, taken: Taken) -> Self:
        """Return the hand with the sides that took honours and kings. Raise IllegalMove `not_announced`."""
        _ = self.begun
        return replace(self, taken=None if taken == Taken() else taken)

    def announced(self, said: Summary, playing: tuple[int, ...]) -> Self:
        """Return the hand once this was announced or corrected; notes that contradict it are dropped, all others stay.

        `playing` are the four seats that play when that dealer deals. Raise IllegalMove `not_playing`.
        """
        seats = by_place(playing, said.declarer)
        auction = self.auction
        if auction and (auction.seats, auction.declarer, auction.contract) != (playing, said.declarer, said.contract):
            auction = None
        same = self.announcing is not None and self.announcing.seats == seats
        before = self.announcing if self.announcing and same else Announcing(seats)
        # A kontra that showed the declarer to be alone has shown it to all, so that stays known.
        lone = same and self.partner == ALONE and said.facts.game_kontra
        return replace(
            self,
            dealer=said.dealer,
            declarer=said.declarer,
            auction=auction,
            contract=said.contract,
            announcing=before.with_facts(said.facts),
            called=ALONE if lone else self.called if same else None,
            taken=self.taken if same else None,
            honour=self.honour and auction is not None,
        )
