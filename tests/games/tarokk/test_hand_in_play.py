"""A hand that is being played: its steps in order, and the notes that remain after a correction of the announcement."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk import (
    BOOK,
    Announced,
    Bonus,
    Contract,
    Pagat,
    Rules,
    Side,
    deal_from_text,
    deal_to_text,
    referee,
)
from scorekeeper.games.tarokk.announcing import ALONE, AnnouncedFacts, Announcing
from scorekeeper.games.tarokk.auction import Auction, Card
from scorekeeper.games.tarokk.hand_in_play import HandState, Honour, Items, Summary, Taken
from scorekeeper.games.tarokk.referee import REFEREE
from tests.games.refusals import code, refusal

TABLE = (0, 1, 2, 3)
OURS, THEIRS = Side.DECLARERS, Side.OPPONENTS
NOTHING = AnnouncedFacts()
CLOSE = referee.announce(Announcing.close)
KINGS = AnnouncedFacts(announced=(Announced(OURS, Bonus.KINGS),))


def tapped(hand: HandState, *moves: Any) -> HandState:
    for move in moves:
        hand = move(hand, TABLE, BOOK)
    return hand


def after(calls: str) -> HandState:
    """The hand after these calls, each by the player whose turn it was."""
    return tapped(HandState(0), referee.bid(lambda auction: Auction.from_text(f"{auction.to_text()} {calls}")))


def announced(facts: AnnouncedFacts = NOTHING, declarer: int = 2, contract: Contract = Contract.TWO) -> HandState:
    return REFEREE.announce(HandState(0), Summary(0, declarer, contract, facts), TABLE, BOOK)


BID = after("pass 2 pass pass")


def test_hand_begins_with_nothing_but_its_dealer() -> None:
    hand = HandState(3)
    assert (hand.has_begun, hand.summary, hand.partner, hand.to_state()) == (False, None, None, {})
    assert HandState.from_state(3, {}) == hand


def test_auction_tells_who_plays_what_and_taking_a_call_back_forgets_it() -> None:
    assert BID.summary == Summary(0, 2, Contract.TWO)
    assert tapped(BID, referee.bid(Auction.undo)).summary is None
    assert after("pass pass pass pass").is_thrown_in
    assert code(tapped, BID, referee.name(None)) == "later_first"
    begun = tapped(after("pass"), referee.bid(Auction.undo))
    assert (begun, begun.to_state()) == (HandState(0), {})


def test_declarer_may_raise_his_three_until_something_is_announced() -> None:
    three = after("3 pass pass pass")
    raised = tapped(three, referee.bid(lambda auction: Auction.from_text(f"{auction.to_text()} 1")))
    assert (three.contract, raised.contract) == (Contract.THREE, Contract.ONE)
    said = tapped(three, referee.say(3, "T"))
    assert refusal(lambda: tapped(said, referee.bid(Auction.undo))).code == "later_first"


def test_auction_may_be_left_out() -> None:
    let = tapped(HandState(0), referee.let_play(1))
    assert (let.has_begun, let.summary) == (True, None)
    named = tapped(let, referee.name(Contract.ONE))
    assert named.summary == Summary(0, 1, Contract.ONE)
    assert tapped(named, referee.name(None), referee.let_play(None)) == HandState(0)
    assert tapped(named, referee.name(None), referee.name(Contract.SOLO)).contract is Contract.SOLO
    assert code(tapped, HandState(0), referee.let_play(4)) == "not_playing"
    assert code(tapped, HandState(0), referee.name(Contract.ONE)) == "auction_not_over"
    for move in (referee.let_play(2), referee.name(Contract.TWO), referee.bid(lambda auction: auction)):
        assert code(tapped, named, move) == "later_first"


def won_last(taken: Taken) -> Taken:
    return taken.with_last(Pagat.DECLARERS_WON)


def test_announcement_before_the_contract_is_known_is_refused() -> None:
    for move in (referee.say(0, "T"), CLOSE, referee.know(1), referee.know_seat(1), referee.take(won_last)):
        assert code(tapped, HandState(0), move) == "not_announced"


def test_partner_is_known_by_an_invitation_by_what_is_said_or_by_a_tap() -> None:
    assert BID.partner is None
    invited = after("3 pass 2 pass pass")
    assert (invited.must_call, invited.partner) == (Card.XX, 2)
    assert tapped(BID, referee.say(2, "mehet"), referee.say(1, "T")).partner == 1
    assert tapped(BID, referee.know(3)).partner == 3
    assert tapped(BID, referee.know(3), referee.know(None)).partner is None
    assert tapped(BID, referee.say(2, "mehet"), referee.say(1, "T"), referee.know(2)).partner == 2
    assert [code(tapped, BID, referee.know_seat(seat)) for seat in (2, 4)] == ["no_place"] * 2
    told = tapped(BID, referee.know(1), referee.say(2, "mehet"))
    assert code(tapped, told, referee.say(1, "K")) == "not_his_side", "he cannot double his own game"


# --- announced from the form --------------------------------------------------------------------------------


def test_announcement_from_the_form_begins_a_hand_and_one_that_says_the_same_changes_nothing() -> None:
    hand = announced(KINGS)
    assert (hand.summary, hand.partner) == (Summary(0, 2, Contract.TWO, KINGS), None)
    assert not REFEREE.passes_over(HandState(0), hand)
    assert not REFEREE.gives_way(HandState(0), hand)
    said = tapped(BID, referee.say(2, "N"), referee.know(1))
    assert said.summary
    assert REFEREE.announce(said, said.summary, TABLE, BOOK) == said


def test_correction_keeps_what_it_does_not_contradict() -> None:
    known = tapped(BID, referee.say(2, "N"), referee.know(1))
    assert known.summary
    more = REFEREE.announce(known, replace(known.summary, facts=AnnouncedFacts(Kontra.KONTRA)), TABLE, BOOK)
    assert (more.auction, more.called) == (known.auction, 1)
    assert REFEREE.gives_way(known, more)
    other = REFEREE.announce(known, Summary(0, 1, Contract.TWO), TABLE, BOOK)
    assert (other.auction, other.called, other.partner) == (None, None, None)
    higher = REFEREE.announce(BID, Summary(0, 2, Contract.ONE), TABLE, BOOK)
    assert (higher.auction, higher.contract) == (None, Contract.ONE)


def test_called_card_in_a_skart_leaves_nobody_as_long_as_its_kontra_stands() -> None:
    hand = tapped(announced(declarer=2), referee.know(2))
    alone = tapped(hand, referee.say(0, "office"))
    assert (hand.partner, alone.partner) == (2, ALONE)
    said = alone.summary
    assert said is not None
    more = replace(said, facts=replace(said.facts, tarokks=(8, 0, 0, 0)))
    assert REFEREE.announce(alone, more, TABLE, BOOK).partner == ALONE
    less = replace(said, facts=replace(said.facts, game_kontra=Kontra.NONE))
    assert REFEREE.announce(alone, less, TABLE, BOOK).partner is None


def test_auction_in_its_course_is_passed_over_only_knowingly() -> None:
    begun = after("3")
    hand = REFEREE.announce(begun, Summary(0, 2, Contract.TWO), TABLE, BOOK)
    assert REFEREE.passes_over(begun, hand)
    assert REFEREE.gives_way(begun, hand)
    assert not REFEREE.passes_over(BID, REFEREE.announce(BID, Summary(0, 2, Contract.TWO), TABLE, BOOK))


def test_announcement_is_refused_above_the_ladder_and_for_who_sits_out() -> None:
    high = AnnouncedFacts(Kontra.SZUBKONTRA, (Announced(OURS, Bonus.TRULL, Kontra.HIRSKONTRA),))
    said = Summary(0, 2, Contract.TWO, high)
    refused = refusal(lambda: REFEREE.announce(HandState(0), said, TABLE, Rules(ladder=3)))
    assert refused == ("kontra_too_high", {"highest": 3})
    for table in ((0, 1, 2, 3, 4), TABLE):
        assert code(REFEREE.announce, HandState(0), Summary(4, 4, Contract.TWO), table, BOOK) == "not_playing"


def test_every_hand_is_read_back_from_its_state() -> None:
    honours = referee.take(lambda taken: taken.with_honour(Honour.XXI, THEIRS, caught=True))
    for hand in (
        after("3 2"),
        after("pass pass pass 3?"),
        tapped(HandState(0), referee.let_play(1)),
        tapped(BID, referee.say(2, "T"), referee.say(2, "mehet"), referee.know(ALONE), CLOSE, honours),
        announced(AnnouncedFacts(Kontra.REKONTRA, (Announced(THEIRS, Bonus.XXI, Kontra.KONTRA),), (0, 9, 0, 8))),
    ):
        assert HandState.from_state(0, hand.to_state()) == hand


# --- the end ------------------------------------------------------------------------------------------------


def finished(hand: HandState, **answers: Any) -> str:
    return deal_to_text(REFEREE.finish(hand, BOOK, **answers))


def test_proba_is_lost_only_before_anything_is_said() -> None:
    assert finished(after("pass pass pass 1?"), proba=True) == "1?"
    assert REFEREE.finish(announced(), BOOK, proba=True).is_proba
    for hand in (BID, announced(contract=Contract.SOLO), announced(KINGS)):
        assert code(finished, hand, proba=True) == "no_proba"


def test_unfinished_hand_says_what_is_missing() -> None:
    assert [code(finished, hand) for hand in (HandState(0), BID)] == ["not_announced", "points_unanswered"]


ANNOUNCED, LET = announced(KINGS), tapped(HandState(0), referee.let_play(2))


@pytest.mark.parametrize(
    ("hand", "declarer", "line", "agrees"),
    [
        (ANNOUNCED, 2, "2+2 61 N", True),
        (ANNOUNCED, 2, "2= 30 N n", True),
        (ANNOUNCED, 2, "2+2 61", False),
        (ANNOUNCED, 2, "1+2 61 N", False),
        (ANNOUNCED, 2, "2+2 61 K N", False),
        (ANNOUNCED, 2, "2+2 61 N 8@0", False),
        (ANNOUNCED, 1, "2+2 61 N", False),
        # A partner that is known must be the deal's.
        (BID, 2, "2+1 61", True),
        (tapped(BID, referee.know(1)), 2, "2+1 61", True),
        (tapped(BID, referee.know(ALONE)), 2, "2+1 61", False),
        (LET, 2, "2+1 61", True),
        # Thrown in.
        (HandState(0), None, "", True),
        (after("pass pass pass pass"), None, "", True),
        (BID, None, "", False),
    ],
)
def test_deal_agrees_that_says_what_is_noted(hand: HandState, declarer: int | None, line: str, agrees: bool) -> None:
    deal = deal_from_text(line) if line else None
    assert REFEREE.agrees(hand, 0, declarer, deal) is agrees
    assert not REFEREE.agrees(hand, 1, declarer, deal)


# --- honours and kings --------------------------------------------------------------------------------------


def test_items_follow_from_who_has_the_cards() -> None:
    assert Taken(OURS, OURS, OURS, kings=4).items == Items(trull=OURS, kings=OURS)
    assert Taken(OURS, OURS, THEIRS, kings=3).items == Items()
    caught = Taken(THEIRS, THEIRS, THEIRS, caught=True, kings=0, last=Pagat.OPPONENTS_WON)
    assert caught.items == Items(THEIRS, THEIRS, THEIRS, Pagat.OPPONENTS_WON)
    assert Taken(OURS, OURS).items == Items()


def test_fogas_brings_the_skiz_and_an_ultimo_the_pagat() -> None:
    caught = Taken().with_honour(Honour.XXI, OURS, caught=True)
    assert (caught.skiz, caught.xxi, caught.items) == (OURS, OURS, Items(xxi=OURS))
    assert caught.with_honour(Honour.XXI, None).items == Items()
    assert caught.with_last(Pagat.DECLARERS_WON).items == Items(trull=OURS, xxi=OURS, pagat=Pagat.DECLARERS_WON)
    assert caught.with_honour(Honour.SKIZ, OURS).caught
    assert not caught.with_honour(Honour.SKIZ, THEIRS).caught
    won = Taken().with_last(Pagat.DECLARERS_WON)
    assert won.with_honour(Honour.PAGAT, OURS).last is Pagat.DECLARERS_WON
    assert won.with_honour(Honour.PAGAT, THEIRS).last is Pagat.NONE
    assert Taken().with_last(Pagat.OPPONENTS_LOST).pagat is None
    full = replace(caught.with_last(Pagat.DECLARERS_WON), kings=4)
    assert Taken.from_text(full.to_text()) == full
