"""The eleven tricks: their winners, the leader, and the result of the last three."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from scorekeeper.games.asszorti.deal import ALL_TRICKS, TO_WIN, Arrivazs, Sides
from scorekeeper.games.asszorti.deal import Tricks as Split
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.referee import seat_from_text, seats_to_text, without_latest

#: The number of tricks that an arrivázs is about.
LAST: Final = 3


class Ruling(StrEnum):
    """The state of a claim."""

    OPEN = "open"
    STANDS = "stands"
    DISPUTED = "disputed"
    GIVEN_UP = "given up"
    CONCEDED = "conceded"


class Claim(NamedTuple):
    """A claim, or with `CONCEDED` a concession, of all tricks after the first `after`."""

    after: int
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the play.

    `opponents` are the tricks of the left and the right one, or None if no rule decides (neither had won a trick).
    `arrivazs` is `WON` or `LOST`, and counts only if it was announced.
    """

    sides: Sides
    declarer: int
    opponents: tuple[int, int] | None
    arrivazs: Arrivazs

    @property
    def must_ask_split(self) -> bool:
        """True if the players must be asked for the split: no rule decides it, and it counts."""
        return self.opponents is None and self.declarer == TO_WIN

    @property
    def tricks(self) -> Split:
        """The tricks in the form of a deal."""
        return (self.declarer, *(self.opponents or (None, None)))

    @property
    def shares(self) -> range:
        """The numbers of tricks that the left opponent may have."""
        return range(ALL_TRICKS - self.declarer + 1)

    def with_left(self, left: int) -> Self:
        """Return the outcome with the tricks of the left opponent as the players gave them.

        Raise IllegalMove: `split_sum` (sum, needed), `split_not_asked`.
        """
        needed = ALL_TRICKS - self.declarer
        if left not in self.shares:
            raise IllegalMove("split_sum", sum=left, needed=needed)
        if self.opponents is not None:
            raise IllegalMove("split_not_asked")
        return replace(self, opponents=(left, needed - left))


@dataclass(frozen=True)
class Play:
    """The play of a hand at some point: the winners of the tricks so far, in order, and the claim, if there is one."""

    sides: Sides
    winners: tuple[int, ...] = ()
    claimed: Claim | None = None

    @property
    def remaining(self) -> int:
        return ALL_TRICKS - len(self.winners)

    @property
    def leader(self) -> int | None:
        """The seat that leads to the next trick: the declarer's right, then each winner.

        None after the last, and while a claim is unanswered.
        """
        if not self._may_play:
            return None
        return self.winners[-1] if self.winners else self.sides.right

    @property
    def split(self) -> tuple[int, int, int]:
        """The numbers of tricks of the declarer, the left and the right opponent so far."""
        declarer, left, right = (self.winners.count(seat) for seat in self.sides)
        return declarer, left, right

    @property
    def before_claim(self) -> Self:
        """The play when the rest was claimed or conceded; as it is if neither was."""
        return self if self.claimed is None else type(self)(self.sides, self.winners[: self.claimed.after])

    @property
    def cards_open(self) -> bool:
        """True if the declarer must play with open cards: after a disputed claim."""
        return self._ruling is Ruling.DISPUTED and not self.is_over

    @property
    def may_claim(self) -> bool:
        return self.claimed is None and not self.is_over

    @property
    def may_concede(self) -> bool:
        return self._may_play

    @property
    def may_answer(self) -> bool:
        """True if a claim waits for `stands` or `dispute`."""
        return self._ruling is Ruling.OPEN

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def possible(self) -> frozenset[int]:
        """The numbers of tricks with which the declarer may end; after a claim, all of the rest or none of it."""
        if self.outcome:
            return frozenset({self.outcome.declarer})
        if self.claimed:
            before = self.before_claim
            return frozenset({before.split[0], before.split[0] + before.remaining})
        won = self.split[0]
        return frozenset(range(won, won + self.remaining + 1))

    @property
    def arrivazs_outcome(self) -> Arrivazs | None:
        """`WON` or `LOST` for an announced arrivázs, as soon as that is decided; None before."""
        if self.outcome:
            return self.outcome.arrivazs
        return Arrivazs.LOST if self._arrivazs_lost else None

    @property
    def has_failed(self) -> bool:
        """True if the declarer lost a trick after his claim."""
        return self.claimed is not None and self._is_lost_one(self.winners[self.claimed.after :])

    @property
    def outcome(self) -> Outcome | None:
        """The result; None during the play and while a claim is unanswered."""
        if self.claimed is None or (self._ruling is Ruling.DISPUTED and not self.has_failed):
            return None if self.remaining else self._rest_won()
        if self._ruling is Ruling.OPEN:
            return None
        if self._ruling is Ruling.STANDS:
            return self._rest_won()
        return self._rest_lost()

    def won(self, seat: int) -> Self:
        """Return the play with the next trick won by this seat.

        Raise IllegalMove: `not_playing` (seat), `hand_over`, `claim_open`.
        """
        self._refuse_unless(self._may_play)
        if seat not in self.sides:
            raise IllegalMove("not_playing", seat=seat)
        return replace(self, winners=(*self.winners, seat))

    def claim(self) -> Self:
        """Return the play with a claim of all remaining tricks by the declarer.

        Raise IllegalMove: `hand_over`, `claim_open`, `claim_disputed`.
        """
        self._refuse_unless(self.may_claim)
        return self._ruled(Ruling.OPEN)

    def concede(self) -> Self:
        """Return the play with all remaining tricks conceded, or a disputed claim given up.

        Raise IllegalMove: `hand_over`, `claim_open`.
        """
        self._refuse_unless(self.may_concede)
        return self._ruled(Ruling.GIVEN_UP if self.claimed else Ruling.CONCEDED)

    def stands(self) -> Self:
        """Return the play with the claim accepted by the opponents.

        Raise IllegalMove: `hand_over`, `claim_disputed`, `no_claim`.
        """
        self._refuse_unless(self.may_answer)
        return self._ruled(Ruling.STANDS)

    def dispute(self) -> Self:
        """Return the play with the claim disputed; it goes on.

        Raise IllegalMove: `hand_over`, `claim_disputed`, `no_claim`.
        """
        self._refuse_unless(self.may_answer)
        return self._ruled(Ruling.DISPUTED)

    def undo(self) -> Self:
        """Return the play before the latest trick, claim, answer or concession.

        Raise IllegalMove `nothing_to_undo`.
        """
        if self._ruling is Ruling.GIVEN_UP:
            return self._ruled(Ruling.DISPUTED)
        if self.claimed is None or len(self.winners) > self.claimed.after:
            return replace(self, winners=without_latest(self.winners))
        if self._ruling in (Ruling.STANDS, Ruling.DISPUTED):
            return self._ruled(Ruling.OPEN)
        return replace(self, claimed=None)

    def to_text(self) -> str:
        """Write `0-1-2 0 0 claim disputed 0 2`: declarer, left and right, then the moves in order."""
        words = [str(seat) for seat in self.winners]
        if self.claimed:
            at, (before, after) = self.claimed.after, _WORDS[self.claimed.ruling]
            words = [*words[:at], *before, *words[at:], *after]
        return " ".join((seats_to_text(self.sides), *words))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState, or IllegalMove for an illegal move."""
        seats, *words = text.split(" ")
        play = cls(Sides.from_text(seats))
        for word in words:
            play = play._after_word(word)
        return play

    def _after_word(self, word: str) -> Self:
        match word:
            case "claim":
                return self.claim()
            case "stands":
                return self.stands()
            case "disputed":
                return self.dispute()
            case "concede":
                return self.concede()
            case _:
                return self.won(seat_from_text(word))

    @property
    def _ruling(self) -> Ruling | None:
        return self.claimed.ruling if self.claimed else None

    @property
    def _may_play(self) -> bool:
        return not self.is_over and not self.may_answer

    def _ruled(self, ruling: Ruling) -> Self:
        after = self.claimed.after if self.claimed else len(self.winners)
        return replace(self, claimed=Claim(after, ruling))

    def _refuse_unless(self, allowed: bool) -> None:
        if allowed:
            return
        if self.is_over:
            raise IllegalMove("hand_over")
        codes = {None: "no_claim", Ruling.OPEN: "claim_open"}
        raise IllegalMove(codes.get(self._ruling, "claim_disputed"))

    def _is_lost_one(self, winners: tuple[int, ...]) -> bool:
        return any(seat != self.sides.declarer for seat in winners)

    @property
    def _arrivazs_lost(self) -> bool:
        """Whether an arrivázs is lost: with the first of the last three tricks that the declarer does not win."""
        return self._is_lost_one(self.winners[ALL_TRICKS - LAST :])

    def _rest_won(self) -> Outcome:
        """Return the outcome with all unplayed tricks won by the declarer."""
        declarer, left, right = self.split
        arrivazs = Arrivazs.LOST if self._arrivazs_lost else Arrivazs.WON
        return Outcome(self.sides, declarer + self.remaining, (left, right), arrivazs)

    def _rest_lost(self) -> Outcome:
        """Return the outcome with all tricks after the claim lost, to an opponent who had one, if there is such."""
        declarer, left, right = self.before_claim.split
        rest = self.before_claim.remaining
        opponents: tuple[int, int] | None = None
        if left:
            opponents = left + rest, right
        elif right:
            opponents = left, right + rest
        return Outcome(self.sides, declarer, opponents, Arrivazs.LOST)


#: The words of a claim in the text, before and after the tricks that were played after it.
_WORDS: dict[Ruling, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Ruling.OPEN: (("claim",), ()),
    Ruling.STANDS: (("claim", "stands"), ()),
    Ruling.DISPUTED: (("claim", "disputed"), ()),
    Ruling.GIVEN_UP: (("claim", "disputed"), ("concede",)),
    Ruling.CONCEDED: (("concede",), ()),
}
