"""A hand that is being played: all that is noted of it, what comes next, and how it is kept.

What was said is kept, and not what followed from it: a raspasovka is an auction of three passes, and where mizer was
bid nothing is left to be named. A hand is read back by making its moves again, but for what only a table or a house
forbids.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from scorekeeper.games.base import IllegalMove
from scorekeeper.games.preference.auction import BIDS, Auction, Call
from scorekeeper.games.preference.deal import Answers
from scorekeeper.games.preference.declaration import MIZER, Named
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.seating import PLAYERS
from scorekeeper.games.preference.whisting import Answer, Defender, Whisting
from scorekeeper.games.state_text import MalformedState

#: The house that allows whatever any house allows.
_ANY_HOUSE: Final = Rules(give_up=1)
_ALL_PASS: Final = (Call.PASS,) * PLAYERS


class Step(StrEnum):
    """What a hand waits for: a call, a contract, an answer, the tricks; or nothing, as nothing of it is played."""

    AUCTION = "auction"
    NAMING = "naming"
    ANSWERING = "answering"
    TRICKS = "tricks"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Summary:
    """What the table says of a hand before it is played; a raspasovka where nobody declares.

    `answers` are as far as they are known, none where nobody is asked. Raises ValueError for a declarer without a
    contract, and for what only a declarer has without one.
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
class InPlay:
    """A hand at some point; None is what has not begun, or was left out.

    `auction` has a call at least. `let` is who was let play without an auction, or past one that is not over, and
    `named` what a declarer has named; `declarer` and `contract` are what is known.
    """

    dealer: int
    auction: Auction | None = None
    let: int | None = None
    named: Named | None = None
    answers: tuple[Answer, ...] = ()
    given_up: bool = False

    # --- What is known ---

    @property
    def has_begun(self) -> bool:
        """Whether anything is noted but who deals."""
        return self.auction is not None or self.let is not None

    @property
    def is_raspasovka(self) -> bool:
        """Whether all three passed."""
        return self.auction is not None and self.auction.is_passed_out

    @property
    def declarer(self) -> int | None:
        if self.let is not None:
            return self.let
        return self.auction.declarer if self.auction else None

    @property
    def contract(self) -> Named | None:
        """What is played, as soon as that is known; None in a raspasovka. Who bid mizer plays it without naming it."""
        return MIZER if self.named is None and self.contracts_allowed == (Call.MIZER,) else self.named

    @property
    def contracts_allowed(self) -> tuple[Call, ...]:
        """What the declarer may name, lowest first; empty until he is known, and once he has named it."""
        if self.named:
            return ()
        if self.let is not None:
            return BIDS
        return self.auction.contracts_allowed if self.auction else ()

    @property
    def summary(self) -> Summary | None:
        """What was announced so far; None while nothing is."""
        if self.is_raspasovka:
            return Summary(self.dealer)
        if self.contract is None:
            return None
        return Summary(self.dealer, self.declarer, self.contract, self.answers, self.given_up)

    def whisting(self, rules: Rules) -> Whisting | None:
        """The answers so far; None until there is a contract, and where that is a mizer."""
        return self.contract.whisting(self.answers, rules) if self.contract else None

    def result(self, rules: Rules) -> Answers | None:
        """What the answers come to, or that it was given up; None until that is known, and where nobody is asked."""
        if self.given_up:
            return Answers.GIVEN_UP
        whisting = self.whisting(rules)
        return Answers(whisting.result) if whisting and whisting.result else None

    def step(self, rules: Rules) -> Step:
        """What the hand waits for."""
        if self.is_raspasovka or self.contract == MIZER:
            return Step.TRICKS
        if self.contract is None:
            return Step.AUCTION if self.declarer is None else Step.NAMING
        result = self.result(rules)
        if result is None:
            return Step.ANSWERING
        return Step.TRICKS if result.is_played else Step.OVER

    # --- The moves: see hand_moves.py for their refusals ---

    def called(self, seat: int, call: Call, playing: tuple[int, int, int]) -> Self:
        """The hand with a call; `playing` are the three in order of speaking."""
        if self.let is not None:
            raise IllegalMove("later_first")
        return replace(self, auction=(self.auction or Auction(playing)).call(seat, call))

    def let_play(self, declarer: int) -> Self:
        """The hand with a declarer and no more auction; what was called of it stays noted."""
        if self.let is not None:
            raise IllegalMove("later_first")
        if self.auction and self.auction.is_over:
            raise IllegalMove("auction_over")
        return replace(self, let=declarer)

    def naming(self, contract: Named, rules: Rules) -> Self:
        """The hand with what its declarer names."""
        if self.let is None:
            if self.auction is None:
                raise IllegalMove("auction_not_over", contract=contract.to_text())
            contract.check(self.auction)
        if self.contract:
            raise IllegalMove("later_first")
        contract.whisting((), rules)
        return replace(self, named=contract)

    def answered(self, answer: Answer, rules: Rules) -> Self:
        """The hand with the answer of whoever is to give it."""
        whisting = self.asked(rules)
        after = whisting.answer(whisting.to_answer or Defender.FIRST, answer)
        return replace(self, answers=after.answers)

    def asked(self, rules: Rules) -> Whisting:
        """The answers so far. Raises IllegalMove `not_announced`, `nobody_asked`, `given_up`."""
        whisting = self._game(rules, otherwise="nobody_asked")
        if self.given_up:
            raise IllegalMove("given_up")
        return whisting

    def conceded(self, rules: Rules) -> Self:
        """The hand given up by its declarer."""
        if not rules.give_up:
            raise IllegalMove("give_up_off")
        self._game(rules, otherwise="give_up_game")
        if self.given_up:
            raise IllegalMove("given_up")
        if self.step(rules) is Step.OVER:
            raise IllegalMove("nothing_played")
        return replace(self, given_up=True)

    def taken_back(self) -> Self:
        """The hand before its latest move."""
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

    def announced(self, said: Summary, playing: tuple[int, int, int], rules: Rules) -> Self:
        """The hand once this was announced or corrected: it is as that says, and an auction stays that led there."""
        if said.declarer is None or said.contract is None:
            return type(self)(said.dealer, Auction(playing, _ALL_PASS))
        hand = self._up_to_declarer(said.dealer, said.declarer, said.contract, playing)
        if hand.contract is None:
            hand = hand.naming(said.contract, rules)
        for answer in said.answers:
            hand = hand.answered(answer, rules)
        return hand.conceded(rules) if said.given_up else hand

    def _up_to_declarer(self, dealer: int, declarer: int, contract: Named, playing: tuple[int, int, int]) -> Self:
        """How the hand came to its declarer, if it may have been so; else that he was let play."""
        same = self.auction is None or self.auction.seats == playing
        free = self.let is not None or (self.auction is not None and self.auction.may_name(contract.highest))
        if same and free and self.declarer == declarer:
            return type(self)(dealer, self.auction, self.let)
        return type(self)(dealer).let_play(declarer)

    def _game(self, rules: Rules, *, otherwise: str) -> Whisting:
        if self.summary is None:
            raise IllegalMove("not_announced")
        whisting = self.whisting(rules)
        if whisting is None:
            raise IllegalMove(otherwise)
        return whisting

    # --- How it is kept ---

    def to_state(self) -> dict[str, int | str | bool]:
        """The hand as the database keeps it: what is noted but who deals, by the names of the fields.

        `auction` `1-2-0 7S pass pass`, `let` a seat, `named` `7H`, `answers` `pass half`, `given_up` true; what is
        not noted is left out.
        """
        texts = {
            "auction": self.auction.to_text() if self.auction else "",
            "named": self.named.to_text() if self.named else "",
            "answers": " ".join(self.answers),
        }
        plain = {"let": self.let} if self.let is not None else {}
        return (
            {name: text for name, text in texts.items() if text} | plain | ({"given_up": True} if self.given_up else {})
        )

    @classmethod
    def from_state(cls, dealer: int, state: Mapping[str, Any]) -> Self:
        """The hand as `to_state` wrote it. Raises MalformedState, or IllegalMove for what cannot have been noted."""
        hand = cls(dealer, _auction(state, dealer))
        if "let" in state:
            hand = hand.let_play(_seat(state["let"], hand))
        if "named" in state:
            hand = hand.naming(Named.from_text(_text(state, "named")), _ANY_HOUSE)
        for word in _text(state, "answers").split():
            if word not in Answer:
                raise MalformedState(str(state))
            hand = hand.answered(Answer(word), _ANY_HOUSE)
        if state.get("given_up") is True:
            hand = hand.conceded(_ANY_HOUSE)
        if hand.to_state() != state:
            raise MalformedState(str(state))
        return hand


def _text(state: Mapping[str, Any], name: str) -> str:
    text = state.get(name, "")
    if not isinstance(text, str):
        raise MalformedState(str(state))
    return text


def _auction(state: Mapping[str, Any], dealer: int) -> Auction | None:
    """The auction, if there is one: of three the dealer speaks last, of four he sits out."""
    if "auction" not in state:
        return None
    auction = Auction.from_text(_text(state, "auction"))
    if dealer in auction.seats[:-1] or not auction.calls:
        raise MalformedState(str(state))
    return auction


def _seat(seat: object, hand: InPlay) -> int:
    if type(seat) is not int or seat < 0:
        raise MalformedState(str(seat))
    if hand.auction and seat not in hand.auction.seats:
        raise IllegalMove("not_playing", seat=seat)
    return seat
