"""A hand that is being played: all that is noted of it, and what an announcement makes of that."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from scorekeeper.games.base import IllegalMove
from scorekeeper.games.tarokk.announcement_text import NOTHING, Facts
from scorekeeper.games.tarokk.announcing import ALONE, Announcing
from scorekeeper.games.tarokk.auction import Auction, Card
from scorekeeper.games.tarokk.captured_honours import Taken
from scorekeeper.games.tarokk.enums import Contract

_PARTS: Final[Mapping[str, Any]] = {"auction": Auction, "announcing": Announcing, "taken": Taken}


@dataclass(frozen=True, slots=True)
class Summary:
    """What the table says of a hand before it is played; not who the partner is, which nobody says."""

    dealer: int
    declarer: int
    contract: Contract
    facts: Facts = NOTHING


@dataclass(frozen=True, slots=True)
class InPlay:
    """A hand at some point; None is what has not begun, or was passed over.

    There is a declarer before there is a contract only where the auction was left out, and announcements as soon as
    there is a contract. `called` is the partner's place (ALONE: there is none) as the table has told it; `partner`
    follows from that or from what was said. `honour` is whether a próba is told to have found one in the talon.
    """

    dealer: int
    declarer: int | None = None
    auction: Auction | None = None
    contract: Contract | None = None
    announcing: Announcing | None = None
    called: int | None = None
    taken: Taken | None = None
    honour: bool = False

    @classmethod
    def from_state(cls, dealer: int, state: Mapping[str, Any]) -> Self:
        """The hand as `to_state` wrote it."""
        return cls(
            dealer,
            state.get("declarer"),
            contract=Contract(state["contract"]) if "contract" in state else None,
            called=state.get("called"),
            honour=bool(state.get("honour")),
            **{name: part.from_text(state[name]) for name, part in _PARTS.items() if name in state},
        )

    def to_state(self) -> dict[str, int | str]:
        """The hand as the database keeps it: what is noted but who deals, each part as its own text."""
        parts = {name: part.to_text() for name in _PARTS if (part := getattr(self, name))}
        plain = {name: getattr(self, name) for name in ("declarer", "contract", "called")}
        found = {"honour": 1} if self.honour else {}
        return {name: value for name, value in plain.items() if value is not None} | found | parts

    @property
    def has_begun(self) -> bool:
        """Whether anything is noted but who deals."""
        return bool(self.auction and self.auction.calls) or self.declarer is not None

    @property
    def is_thrown_in(self) -> bool:
        return self.auction is not None and self.auction.is_thrown_in

    @property
    def summary(self) -> Summary | None:
        """What was announced so far, kontras included; None while nothing is."""
        if self.declarer is None or self.contract is None or self.announcing is None:
            return None
        return Summary(self.dealer, self.declarer, self.contract, self.announcing.facts)

    @property
    def must_call(self) -> Card | None:
        return self.auction.must_call if self.auction else None

    @property
    def partner(self) -> int | None:
        """The partner's place as far as everybody may know it, ALONE if there is none; None: not known.

        It is what was told, or follows from an invitation, or from who said what.
        """
        if self.called is not None or self.announcing is None:
            return self.called
        if self.announcing.partner is not None:
            return self.announcing.partner
        inviter = self.auction.partner if self.auction else None
        return None if inviter is None else self.announcing.seats.index(inviter)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing is noted of the hand after its contract."""
        return self.nothing_said and not self.honour

    @property
    def nothing_said(self) -> bool:
        """Whether nothing is noted of the hand after the talon was drawn."""
        nothing_said = self.announcing is None or not (self.announcing.said or self.announcing.is_closed)
        nothing_noted = self.announcing is None or self.announcing.noted == NOTHING
        return nothing_said and nothing_noted and self.taken is None and self.called is None

    @property
    def awaits_honour(self) -> bool:
        """Whether the talon must tell now if a próba goes on: nothing else is said of it before."""
        return self.auction is not None and self.auction.is_proba and self.announcing is not None and self.is_untouched

    def after_auction(self, auction: Auction) -> Self:
        """The hand with its auction at this point; with its end it is known who plays what.

        Raises IllegalMove `later_first`: something is noted already that comes after it.
        """
        if not self.is_untouched or (self.declarer is not None and self.auction is None):
            raise IllegalMove("later_first")
        kept = auction if auction.calls else None
        found = replace(self, auction=kept, declarer=auction.declarer, contract=auction.contract, announcing=None)
        return found.started(auction.seats)

    def with_honour(self, *, found: bool) -> Self:
        """The hand of a próba that has found an honour in the talon; False: that is taken back.

        Raises IllegalMove: `no_proba`, `later_first`.
        """
        if not (self.auction and self.auction.is_proba and self.announcing):
            raise IllegalMove("no_proba")
        if not self.nothing_said:
            raise IllegalMove("later_first")
        return replace(self, honour=found)

    def passed_over(self, declarer: int | None) -> Self:
        """The hand with a declarer and no auction, or, with None, with neither. Raises IllegalMove `later_first`."""
        if self.contract is not None:
            raise IllegalMove("later_first")
        return replace(self, auction=None, declarer=declarer)

    def named(self, contract: Contract | None, playing: tuple[int, int, int, int]) -> Self:
        """The hand with what its declarer plays, where the auction was left out; None: that is taken back.

        Raises IllegalMove: `auction_not_over`, `later_first`.
        """
        if self.declarer is None:
            raise IllegalMove("auction_not_over")
        if self.auction is not None or not self.is_untouched or (self.contract is None) == (contract is None):
            raise IllegalMove("later_first")
        return replace(self, contract=contract, announcing=None).started(playing)

    def started(self, playing: tuple[int, int, int, int]) -> Self:
        """The hand with its announcements begun, if it is known who plays what."""
        if self.declarer is None or self.contract is None:
            return self
        return replace(self, announcing=Announcing(by_place(playing, self.declarer)))

    def after_announcing(self, announcing: Announcing) -> Self:
        """The hand with its announcements at this point; whoever was known, a called card in a skart leaves nobody."""
        return replace(self, announcing=announcing, called=None if announcing.partner == ALONE else self.called)

    def known(self, partner: int | None) -> Self:
        """The hand with its partner known to all, ALONE if there is none; None: that is taken back.

        Raises IllegalMove `not_announced`.
        """
        if self.announcing is None:
            raise IllegalMove("not_announced")
        return replace(self, called=partner)

    def after_play(self, taken: Taken) -> Self:
        """The hand with what is known of honours and kings. Raises IllegalMove `not_announced`."""
        if self.announcing is None:
            raise IllegalMove("not_announced")
        return replace(self, taken=None if taken == Taken() else taken)

    def announced(self, said: Summary, playing: tuple[int, int, int, int]) -> Self:
        """The hand once this was announced or corrected: what it contradicts goes, and all else stays.

        `playing` are the four who play when that dealer deals. Raises IllegalMove `not_playing`.
        """
        seats = by_place(playing, said.declarer)
        auction = self.auction
        if auction and (auction.seats, auction.declarer, auction.contract) != (playing, said.declarer, said.contract):
            auction = None
        same = self.announcing is not None and self.announcing.seats == seats
        before = self.announcing if self.announcing and same else Announcing(seats)
        # Who has shown by a kontra that nobody helps has shown it to all.
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


def by_place(playing: tuple[int, int, int, int], declarer: int) -> tuple[int, int, int, int]:
    """The four by place, from those in order of speaking. Raises IllegalMove `not_playing` (seat)."""
    if declarer not in playing:
        raise IllegalMove("not_playing", seat=declarer)
    at = playing.index(declarer)
    zero, one, two, three = playing[at:] + playing[:at]
    return zero, one, two, three
