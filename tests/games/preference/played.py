"""Hands of Preference while they are played: moves in the words of the vectors, and random moves of any kind."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from scorekeeper.games.preference import GAME, Deal, Rules, referee
from scorekeeper.games.preference.announcing import Answer, Named
from scorekeeper.games.preference.auction import Auction, Call
from scorekeeper.games.preference.deal import playing_seats
from scorekeeper.games.preference.hand_in_play import HandState, Step, Summary
from scorekeeper.games.preference.house_rules import Ten
from scorekeeper.games.preference.referee import REFEREE, Move
from tests.games.preference.hands import rules_and_seats

UNDO = "undo"


class Table(NamedTuple):
    """The seats and rules of a hand."""

    rules: Rules
    seats: tuple[int, ...]
    dealer: int

    @property
    def playing(self) -> tuple[int, int, int]:
        eldest, second, third = playing_seats(self.seats, self.dealer)
        return eldest, second, third

    def after(self, hand: HandState, *moves: Move) -> HandState:
        for move in moves:
            hand = move(hand, self.seats, self.rules)
        return hand

    def noted(self, words: str, hand: HandState | None = None) -> HandState:
        """The hand after these words, each by the player whose turn it is."""
        hand = hand or HandState(self.dealer)
        for word in words.split():
            hand = self.after(hand, self.meant(word, hand))
        return hand

    def meant(self, word: str, hand: HandState) -> Move:
        """The move that a word is at this point."""
        if word in (UNDO, "g"):
            return referee.take_back if word == UNDO else referee.give_up
        if word.startswith("@"):
            return referee.let_play(int(word[1:]))
        match hand.step(self.rules):
            case Step.AUCTION:
                seat = (hand.auction or Auction(self.playing)).to_call
                assert seat is not None
                return referee.call(seat, Call(word))
            case Step.NAMING:
                return referee.name(Named.from_text(word))
        seat = referee.who_answers(hand, self.seats, self.rules)
        assert seat is not None, f"nobody is to answer {word}"
        return referee.answer(seat, Answer(word))

    def tried(self, word: str, hand: HandState) -> Move:
        """The same, by the seat named in it: `1:6S`, `1:whist`, `name:6S`."""
        who, colon, what = word.partition(":")
        if not colon:
            return self.meant(word, hand)
        if who == "name":
            return referee.name(Named.from_text(what))
        answers = what in tuple(Answer) and (what != Answer.PASS or hand.contract)
        return referee.answer(int(who), Answer(what)) if answers else referee.call(int(who), Call(what))

    def finished(self, hand: HandState, tricks: str) -> Deal:
        return REFEREE.finish(hand, self.rules, tricks=tuple(map(int, filter(None, tricks.split("-")))))


def table_of(house: str) -> Table:
    """Three seats, or with /4 four; the last deals."""
    rules, seats = rules_and_seats(house)
    return Table(rules, seats, seats[-1])


THREE = table_of("")


def written(said: Summary | None) -> str:
    """The announcement in the words of the vectors."""
    if said is None:
        return "-"
    if said.declarer is None or said.contract is None:
        return "R"
    return " ".join([str(said.declarer), said.contract.to_text(), *said.answers, *(["g"] if said.given_up else [])])


# --- Hands of any kind ---


def some_table(chance: Random) -> Table:
    """One of the profiles, with any values of the switches that change the course of a hand."""
    rules = replace(
        GAME.PROFILES[chance.choice(list(GAME.PROFILES))],
        half_whist=chance.random() < 0.6,
        stalingrad=chance.random() < 0.5,
        ten=chance.choice(list(Ten)),
        give_up=chance.choice((0, 3)),
    )
    seats = tuple(chance.sample(range(4), 4) if chance.randrange(2) else chance.sample(range(3), 3))
    return Table(rules, seats, chance.choice(seats))


def some_moves(chance: Random, table: Table) -> Iterator[tuple[HandState, HandState]]:
    """The hand before and after each legal move, until nothing is left but its tricks."""
    hand = HandState(table.dealer)
    while moves := list(_legal(chance, hand, table)):
        before, hand = hand, table.after(hand, chance.choice(moves))
        yield before, hand


def _legal(chance: Random, hand: HandState, table: Table) -> Iterator[Move]:
    """Some of the moves that may be made now; in an auction a pass, and any call."""
    seats, rules = table.seats, table.rules
    playing = table.playing
    match hand.step(rules):
        case Step.AUCTION:
            auction = hand.auction or Auction(playing)
            assert auction.to_call is not None
            yield referee.call(auction.to_call, Call.PASS)
            yield referee.call(auction.to_call, _low_or_any(chance, auction.legal_calls))
            if chance.randrange(8) == 0:
                yield referee.let_play(chance.choice(playing))
        case Step.NAMING:
            contract = Named.from_text(_low_or_any(chance, hand.contracts_allowed))
            bare = contract.level and not (rules.stalingrad and contract.level == 6) and chance.randrange(3) == 0
            yield referee.name(replace(contract, strain=None) if bare else contract)
        case Step.ANSWERING:
            seat, whisting = referee.who_answers(hand, seats, rules), hand.whisting(rules)
            assert seat is not None
            assert whisting is not None
            yield from (referee.answer(seat, each) for each in whisting.legal_answers)
    may_give_up = rules.give_up and hand.whisting(rules) and not hand.given_up
    if may_give_up and hand.step(rules) is not Step.OVER and chance.randrange(4) == 0:
        yield referee.give_up


def _low_or_any(chance: Random, calls: tuple[Call, ...]) -> Call:
    return chance.choice(calls[:3] if chance.randrange(3) else calls)


def some_tricks(chance: Random, hand: HandState, table: Table) -> tuple[int, ...]:
    """Tricks that may have been taken, of those who are asked for theirs, the last sometimes left out."""
    asked = referee.tricks_of(hand, table.seats, table.rules)
    if len(asked) < 2:
        return tuple(chance.randint(0, 10) for _seat in asked)
    talon = chance.randint(0, 2) if len(asked) == 4 else 0
    whose = chance.choices(range(3), k=10 - talon)
    tricks = (*(whose.count(place) for place in range(3)), *((talon,) if len(asked) == 4 else ()))
    return tricks if chance.randrange(2) else tricks[:-1]
