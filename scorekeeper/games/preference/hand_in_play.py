"""The state of a hand of Preference in play, and the moves on it.

Only the players' own words are noted, not their consequences: a raspasovka is an auction of three passes, and after a
bid of mizer no contract is named.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.preference.announcing import MIZER, Answer, Defender, Named, Whisting
from scorekeeper.games.preference.auction import BIDS, Auction, Call
from scorekeeper.games.preference.deal import PLAYERS, Answers
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.referee import HandInPlay

#: House rules that allow every move that any house rules allow.
_ANY_HOUSE: Final = Rules(give_up=1)
_ALL_PASS: Final = (Call.PASS,) * PLAYERS


class Step(StrEnum):
    """The next step of a hand: a call, a contract, an answer, the tricks; or none, if nothing is played."""

    AUCTION = "auction"
    NAMING = "naming"
    ANSWERING = "answering"
    TRICKS = "tricks"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Summary:
    """The announcements of a hand before it is played; without a declarer, a raspasovka.

    `answers` are those known so far, empty if nobody is asked. Raise ValueError for a declarer without a contract, and
    for a contract, answers or giving up without a declarer.
    """

    dealer: int
    declarer: int | None = None
    contract: Named | None = None
    answers: tuple[Answer, ...] = ()
    given_up: bool = False

    def __post_init__(self) -> None:
        if (self.declarer is None) != (self.contract is None):
            raise ValueError("a declarer needs a contract, and a contract needs a declarer")
        if self.contract is None and (self.answers or self.given_up):
            raise ValueError("a raspasovka is neither answered nor given up")


@dataclass(frozen=True, slots=True)
class HandState(HandInPlay[Summary]):
    """A hand at some point; a part that has not begun, or was skipped, is None.

    `auction` has at least one call. `let` is a declarer noted without an auction, or during an unfinished one, and
    `named` the contract that a declarer named; `declarer` and `contract` also follow from the auction.
    """

    auction: Auction | None = None
    let: int | None = None
    named: Named | None = None
    answers: tuple[Answer, ...] = ()
    given_up: bool = False

    READERS = MappingProxyType(
        {
            "auction": Auction.from_text,
            "let": int,
            "named": Named.from_text,
            "answers": lambda text: tuple(map(Answer, text.split())),
            "given_up": bool,
        }
    )

    def check(self) -> None:
        """Make the noted moves again, without the checks that need the seats at the table or the house rules.

        Raise MalformedState, and IllegalMove for an illegal move.
        """
        auction, let = self.auction, self.let
        # At a table of three the dealer speaks last; at one of four he is not among the seats of the auction.
        if (auction and (self.dealer in auction.seats[:-1] or not auction.calls)) or (let is not None and let < 0):
            raise MalformedState(str(self.to_state()))
        if auction and let is not None and let not in auction.seats:
            raise IllegalMove("not_playing", seat=let)
        hand = HandState(self.dealer, auction)
        if let is not None:
            hand = hand.passed_over(let)
        if self.named:
            hand = hand.naming(self.named, _ANY_HOUSE)
        for answer in self.answers:
            hand = hand.answered(answer, _ANY_HOUSE)
        if self.given_up:
            hand.conceded(_ANY_HOUSE)

    # --- Known facts ---

    @property
    def has_begun(self) -> bool:
        """True if anything is noted but the dealer."""
        return self.auction is not None or self.let is not None

    @property
    def is_raspasovka(self) -> bool:
        """True if all three passed."""
        return self.auction is not None and self.auction.is_passed_out

    @property
    def declarer(self) -> int | None:
        if self.let is not None:
            return self.let
        return self.auction.declarer if self.auction else None

    @property
    def contract(self) -> Named | None:
        """The contract as soon as it is known; None in a raspasovka. A mizer that was bid needs no naming."""
        return MIZER if self.named is None and self.contracts_allowed == (Call.MIZER,) else self.named

    @property
    def contracts_allowed(self) -> tuple[Call, ...]:
        """The contracts that the declarer may name, lowest first; empty without a declarer, and after naming."""
        if self.named:
            return ()
        if self.let is not None:
            return BIDS
        return self.auction.contracts_allowed if self.auction else ()

    @property
    def summary(self) -> Summary | None:
        """The announcements so far; None before the first."""
        if self.is_raspasovka:
            return Summary(self.dealer)
        if self.contract is None:
            return None
        return Summary(self.dealer, self.declarer, self.contract, self.answers, self.given_up)

    def whisting(self, rules: Rules) -> Whisting | None:
        """Return the answers so far; None until there is a contract, and for a mizer."""
        return self.contract.whisting(self.answers, rules) if self.contract else None

    def result(self, rules: Rules) -> Answers | None:
        """Return the result of the answers, or `GIVEN_UP`; None until it is known, and for mizer and raspasovka."""
        if self.given_up:
            return Answers.GIVEN_UP
        whisting = self.whisting(rules)
        return whisting.result if whisting else None

    def step(self, rules: Rules) -> Step:
        """Return the next step of the hand."""
        if self.is_raspasovka or self.contract == MIZER:
            return Step.TRICKS
        if self.contract is None:
            return Step.AUCTION if self.declarer is None else Step.NAMING
        result = self.result(rules)
        if result is None:
            return Step.ANSWERING
        return Step.TRICKS if result.is_played else Step.OVER

    # --- The moves; referee.py lists their codes ---

    def called(self, seat: int, call: Call, playing: tuple[int, ...]) -> Self:
        """Return the hand with this call; `playing` are the three seats in order of speaking."""
        if self.let is not None:
            raise IllegalMove("later_first")
        return replace(self, auction=(self.auction or Auction(playing)).call(seat, call))

    def passed_over(self, declarer: int | None) -> Self:
        """Return the hand with a declarer and no more auction; the calls so far stay noted. `taken_back` undoes it."""
        if self.let is not None:
            raise IllegalMove("later_first")
        if self.auction and self.auction.is_over:
            raise IllegalMove("auction_over")
        return replace(self, let=declarer)

    def naming(self, contract: Named, rules: Rules) -> Self:
        """Return the hand with its declarer's contract."""
        if self.let is None:
            if self.auction is None:
                raise IllegalMove("auction_not_over", contract=contract.to_text())
            contract.check(self.auction)
        if self.contract:
            raise IllegalMove("later_first")
        contract.whisting((), rules)
        return replace(self, named=contract)

    def answered(self, answer: Answer, rules: Rules) -> Self:
        """Return the hand with the answer of the opponent whose turn it is."""
        whisting = self.asked(rules)
        after = whisting.answer(whisting.to_answer or Defender.FIRST, answer)
        return replace(self, answers=after.answers)

    def asked(self, rules: Rules) -> Whisting:
        """Return the answers so far. Raise IllegalMove `not_announced`, `nobody_asked`, `given_up`."""
        whisting = self._game(rules, otherwise="nobody_asked")
        if self.given_up:
            raise IllegalMove("given_up")
        return whisting

    def conceded(self, rules: Rules) -> Self:
        """Return the hand given up by its declarer."""
        if not rules.give_up:
            raise IllegalMove("give_up_off")
        self._game(rules, otherwise="give_up_game")
        if self.given_up:
            raise IllegalMove("given_up")
        if self.step(rules) is Step.OVER:
            raise IllegalMove("nothing_played")
        return replace(self, given_up=True)

    def taken_back(self) -> Self:
        """Return the hand before its latest move."""
        if self.given_up:
            return replace(self, given_up=False)
        if self.answers:
            return replace(self, answers=self.answers[:-1])
        if self.named:
            return replace(self, named=None)
        if self.let is not None:
            return replace(self, let=None)
        if self.auction is None:
            raise IllegalMove("nothing_to_undo")
        auction = self.auction.undo()
        return replace(self, auction=auction if auction.calls else None)

    def announced(self, said: Summary, playing: tuple[int, ...], rules: Rules) -> Self:
        """Return the hand once this was announced or corrected; an auction that may have led there is kept."""
        if said.declarer is None or said.contract is None:
            return type(self)(said.dealer, Auction(playing, _ALL_PASS))
        hand = self._up_to_declarer(said.dealer, said.declarer, said.contract, playing)
        if hand.contract is None:
            hand = hand.naming(said.contract, rules)
        for answer in said.answers:
            hand = hand.answered(answer, rules)
        return hand.conceded(rules) if said.given_up else hand

    def _up_to_declarer(self, dealer: int, declarer: int, contract: Named, playing: tuple[int, ...]) -> Self:
        """Return the hand with its auction if that may have led to this declarer; else with the declarer alone."""
        same = self.auction is None or self.auction.seats == playing
        free = self.let is not None or (self.auction is not None and contract.highest in self.auction.contracts_allowed)
        if same and free and self.declarer == declarer:
            return type(self)(dealer, self.auction, self.let)
        return type(self)(dealer).passed_over(declarer)

    def _game(self, rules: Rules, *, otherwise: str) -> Whisting:
        if self.summary is None:
            raise IllegalMove("not_announced")
        whisting = self.whisting(rules)
        if whisting is None:
            raise IllegalMove(otherwise)
        return whisting
