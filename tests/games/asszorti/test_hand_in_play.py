"""A hand that is being played: its steps, corrections of its announcement, and the deal that it comes to."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import (
    BOOK,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    score,
)
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Call, Doubling
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState, Question
from scorekeeper.games.asszorti.play import Play
from tests.games.asszorti.test_announcing import said
from tests.games.asszorti.test_play import played
from tests.games.refusals import refusal

PLAYING = (1, 2, 0)
TWO = Announcement(Contract.TWO, Trump.HEARTS)
THREE = Announcement(Contract.THREE, Trump.HEARTS)
WITH_ARRIVAZS = Announcement(Contract.TWO, Trump.HEARTS, True)
AT_NO_TRUMPS = Announcement(Contract.TWO, Trump.NONE, True)
BID = HandState(0).after_auction(Auction.from_text("1-2-0 3 2 pass pass"))
SIDES = Sides(2, 0, 1)
#: The speakers of all steps of a ladder.
LADDER = "LDRDL"


def named(announcement: Announcement = WITH_ARRIVAZS) -> HandState:
    return BID.named(announcement, PLAYING)


def midway() -> HandState:
    """Béla said kontra to both items, the declarer rekontra to the game; four tricks are played."""
    hand = named()
    doubling = Doubling.from_text("2-0-1 announced game:1 game:2 arrivazs:1")
    return hand.after_doubling(doubling).after_play(Play.from_text("2-0-1 2 2 0 1"))


def corrected(hand: HandState, playing: tuple[int, int, int] = PLAYING, **changed: object) -> HandState:
    assert hand.summary
    return hand.announced(replace(hand.summary, **changed), playing)  # type: ignore[arg-type]


def test_hand_begins_with_nothing_but_its_dealer() -> None:
    hand = HandState(0)
    assert (hand.has_begun, hand.sides, hand.played, hand.summary, hand.asked(BOOK)) == (False, None, None, None, ())
    assert HandState(0, auction=Auction(PLAYING)).has_begun is False
    assert HandState(0, declarer=1).has_begun
    assert named().after_play(Play.from_text("2-0-1")) == named()
    assert named().played == Play(SIDES)


def test_auction_tells_the_declarer_and_taking_a_call_back_forgets_him() -> None:
    assert BID.declarer == 2
    assert BID.auction
    assert BID.after_auction(BID.auction.undo()).declarer is None


def test_declarer_names_what_the_auction_allows() -> None:
    assert refusal(lambda: named(THREE)) == ("contract_too_low", {"contract": "3", "least": "2"})
    assert named(TWO).sides == SIDES
    forced = HandState(0).after_auction(Auction.from_text("1-2-0 pass pass"))
    assert forced.named(THREE, PLAYING).sides == Sides(0, 1, 2)
    for calls in ("1-2-0", "1-2-0 3"):
        begun = HandState(0).after_auction(Auction.from_text(calls))
        assert refusal(lambda begun=begun: begun.named(TWO, PLAYING)).code == "auction_not_over"


def test_auction_may_be_passed_over() -> None:
    hand = BID.passed_over(1)
    assert (hand.auction, hand.declarer) == (None, 1)
    assert hand.named(THREE, PLAYING).sides == Sides(1, 2, 0)
    assert hand.passed_over(None) == HandState(0)
    auction = Auction(PLAYING).call(1, Call.THREE)
    assert refusal(lambda: HandState(0).passed_over(1).after_auction(auction)).code == "later_first"


def test_changing_an_earlier_step_is_refused() -> None:
    assert refusal(lambda: named().after_auction(Auction(PLAYING))).code == "auction_over"
    assert refusal(lambda: named().passed_over(1)).code == "later_first"
    assert refusal(lambda: named().named(TWO, PLAYING)).code == "later_first"
    assert refusal(midway().unnamed).code == "later_first"
    assert refusal(named().after_play(Play.from_text("2-0-1 2")).unnamed).code == "later_first"
    assert named().unnamed() == BID


def test_correcting_the_announcement_keeps_what_it_does_not_contradict() -> None:
    assert midway().summary == Announced(0, 2, WITH_ARRIVAZS, Kontra.REKONTRA, Kontra.KONTRA)
    assert corrected(midway()) == midway()
    spades = Announcement(Contract.TWO, Trump.SPADES, True)
    assert corrected(midway(), announcement=spades) == replace(midway(), announcement=spades)
    silent = corrected(midway(), announcement=TWO, arrivazs_kontra=Kontra.NONE)
    assert silent.doubling == Doubling.from_text("2-0-1 game:1 game:2")
    claimed = midway().after_play(Play.from_text("2-0-1 2 2 0 1 claim"))
    assert corrected(claimed, declarer=1).play == Play.from_text("1-2-0 2 2 0 1")
    assert corrected(claimed).play == claimed.play


def test_auction_that_did_not_lead_to_the_announcement_is_forgotten() -> None:
    assert corrected(midway(), announcement=replace(THREE, arrivazs=True)).auction is None
    assert corrected(midway()).auction == BID.auction
    hand = corrected(midway(), (2, 0, 1), dealer=1)
    assert (hand.dealer, hand.auction, hand.sides) == (1, None, SIDES)


def test_tricks_and_kontras_of_a_seat_that_does_not_play_any_more_are_forgotten() -> None:
    four = HandState(0).announced(Announced(0, 1, TWO), (1, 2, 3))
    hand = four.after_play(Play.from_text("1-2-3 1 3"))
    assert hand.announced(Announced(3, 1, TWO), (0, 1, 2)).play is None
    hand = four.after_doubling(Doubling.from_text("1-2-3 game:3"))
    assert corrected(hand, (0, 1, 2), dealer=3).doubling == Doubling.from_text("1-2-0 game:2")


def test_impossible_announcement_is_refused() -> None:
    assert refusal(lambda: HandState(0).announced(Announced(0, 3, TWO), PLAYING)).code == "not_playing"
    assert refusal(lambda: corrected(midway(), announcement=TWO)).code == "arrivazs_not_announced"


def questions(announcement: Announcement, play: Play) -> tuple[Question, ...]:
    return HandState(0, play.sides.declarer, announcement=announcement, play=play).asked(BOOK)


def finished_deal(announcement: Announcement, play: Play, doubling: Doubling | None = None, **answers: Any) -> Deal:
    doubling = doubling or Doubling(SIDES, announcement.arrivazs)
    hand = HandState(0, play.sides.declarer, announcement=announcement, doubling=doubling, play=play)
    return hand.finished(**answers)


@given(
    st.sampled_from(Contract),
    st.sampled_from(Trump),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 5),
    st.text("DLR", min_size=11, max_size=11),
    st.booleans(),
)
def test_any_hand_gives_the_deal_typed_by_hand(
    contract: Contract, trump: Trump, arrivazs: bool, game: int, on_arrivazs: int, roles: str, idegen: bool
) -> None:
    announcement = Announcement(contract, trump, arrivazs)
    doubling = said(LADDER[:game], LADDER[:on_arrivazs] if arrivazs else "", announced=arrivazs)
    is_asked = arrivazs and roles.endswith("DDD") and trump.value != "none"
    assert questions(announcement, played(roles)) == ((Question.IDEGEN,) if is_asked else ())
    deal = finished_deal(announcement, played(roles), doubling, idegen=idegen if is_asked else None)
    outcome = "none" if not arrivazs else "won" if roles.endswith("DDD") else "lost"
    assert deal == Deal(
        contract,
        trump,
        (roles.count("D"), roles.count("L"), roles.count("R")),
        Kontra(game),
        Arrivazs("idegen" if is_asked and idegen else outcome),
        Kontra(on_arrivazs if arrivazs else 0),
    )


@pytest.mark.parametrize(
    ("announcement", "story", "asked"),
    [
        (WITH_ARRIVAZS, "DDD claim", ()),
        (WITH_ARRIVAZS, "DDD claim stands", (Question.IDEGEN,)),
        (AT_NO_TRUMPS, "D" * 11, ()),
        (TWO, "D" * 11, ()),
        (WITH_ARRIVAZS, "DDDDDDDDL claim stands", ()),
        (WITH_ARRIVAZS, "DDDDDD concede", (Question.SPLIT,)),
        (WITH_ARRIVAZS, "DDDDDDD concede", ()),
        (WITH_ARRIVAZS, "DDDDDDL concede", ()),
    ],
)
def test_players_are_asked_only_what_nothing_else_can_tell(
    announcement: Announcement, story: str, asked: tuple[Question, ...]
) -> None:
    assert questions(announcement, played(story)) == asked


def test_answer_about_the_split_decides_about_the_deduction() -> None:
    for left, points in ((0, 0), (5, 0), (3, 4), (4, 4)):
        deal = finished_deal(TWO, played("DDDDDD concede"), left=left)
        assert (score(deal).points, deal.tricks) == (points, (6, left, 5 - left))
    assert finished_deal(TWO, played("DDDDDDD concede")).tricks == (7, None, None)


@pytest.mark.parametrize(
    ("announcement", "story", "answers", "code"),
    [
        (TWO, "DDD claim", {}, "claim_open"),
        (TWO, "DDD claim disputed", {}, "hand_unfinished"),
        (TWO, "DDDDDD concede", {}, "split_unanswered"),
        (WITH_ARRIVAZS, "D" * 11, {}, "idegen_unanswered"),
        (TWO, "D" * 11, {"idegen": True}, "idegen_not_asked"),
        (AT_NO_TRUMPS, "D" * 11, {"idegen": True}, "idegen_not_asked"),
        (WITH_ARRIVAZS, "DDDDDDDDDDL", {"idegen": True}, "idegen_not_asked"),
        (TWO, "DDDDDDLLLLL", {"left": 0}, "split_not_asked"),
        (TWO, "DDDDDD concede", {"left": 6}, "split_sum"),
    ],
)
def test_exactly_the_questions_asked_are_answered(
    announcement: Announcement, story: str, answers: dict[str, Any], code: str
) -> None:
    assert refusal(lambda: finished_deal(announcement, played(story), **answers)).code == code


def test_unfinished_hand_is_refused_with_how_far_it_is() -> None:
    assert refusal(HandState(0).finished).code == "not_announced"
    for number in range(11):
        play = played("D" * number)
        message = refusal(lambda play=play: finished_deal(TWO, play))
        assert message == ("hand_unfinished", {"tricks": number})
    # A no to an idegen that cannot be changes nothing.
    deal = finished_deal(AT_NO_TRUMPS, played("D" * 11), idegen=False)
    assert deal.arrivazs is Arrivazs.WON
