"""A hand that is being played: its steps in order, and the notes that remain after a correction of the announcement."""

from dataclasses import replace

from scorekeeper.games.asszorti import Contract, Kontra, Trump, deal_from_text
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.auction import Auction, Call
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState, Question
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.asszorti.seating import Sides
from tests.games.refusals import refusal

PLAYING = (1, 2, 0)
TWO = Announcement(Contract.TWO, Trump.HEARTS)
THREE = Announcement(Contract.THREE, Trump.HEARTS)
WITH_ARRIVAZS = Announcement(Contract.TWO, Trump.HEARTS, True)
BID = HandState(0).after_auction(Auction.from_text("1-2-0 3 2 pass pass"))
SIDES = Sides(2, 0, 1)


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
    assert (hand.has_begun, hand.sides, hand.played, hand.summary, hand.questions) == (False, None, None, None, ())
    assert HandState(0, auction=Auction(PLAYING)).has_begun is False
    assert HandState(0, declarer=1).has_begun


def test_auction_tells_the_declarer_and_taking_a_call_back_forgets_him() -> None:
    assert BID.declarer == 2
    assert BID.auction
    assert BID.after_auction(BID.auction.undo()).declarer is None


def test_declarer_names_what_the_auction_allows() -> None:
    assert refusal(lambda: named(THREE)) == ("contract_too_low", {"contract": "3", "least": "2"})
    assert named(TWO).sides == SIDES


def test_forced_dealer_names_any_contract() -> None:
    forced = HandState(0).after_auction(Auction.from_text("1-2-0 pass pass"))
    assert forced.named(THREE, PLAYING).sides == Sides(0, 1, 2)


def test_nothing_is_named_before_it_is_known_who_plays() -> None:
    assert refusal(lambda: HandState(0).named(TWO, PLAYING)).code == "auction_not_over"
    begun = HandState(0).after_auction(Auction.from_text("1-2-0 3"))
    assert refusal(lambda: begun.named(TWO, PLAYING)).code == "auction_not_over"


def test_auction_may_be_passed_over() -> None:
    hand = BID.passed_over(1)
    assert (hand.auction, hand.declarer) == (None, 1)
    assert hand.named(THREE, PLAYING).sides == Sides(1, 2, 0)
    assert hand.passed_over(None) == HandState(0)


def test_what_came_first_is_not_changed_under_what_came_later() -> None:
    assert refusal(lambda: named().after_auction(Auction(PLAYING))).code == "auction_over"
    assert refusal(lambda: named().passed_over(1)).code == "later_first"
    assert refusal(lambda: named().named(TWO, PLAYING)).code == "later_first"
    assert refusal(midway().unnamed).code == "later_first"
    assert named().unnamed() == BID


def test_play_that_was_taken_back_to_its_start_has_not_begun() -> None:
    hand = named()
    assert hand.after_play(Play.from_text("2-0-1")) == hand
    assert hand.played == Play.start(SIDES)


def test_announcing_what_is_announced_changes_nothing() -> None:
    assert corrected(midway()) == midway()
    assert midway().summary == Announced(0, 2, WITH_ARRIVAZS, Kontra.REKONTRA, Kontra.KONTRA)


def test_correcting_the_trumps_leaves_all_else() -> None:
    spades = Announcement(Contract.TWO, Trump.SPADES, True)
    assert corrected(midway(), announcement=spades) == replace(midway(), announcement=spades)


def test_correcting_the_kontras_leaves_who_is_known_to_have_said_them() -> None:
    hand = corrected(midway(), game_kontra=Kontra.SZUBKONTRA, arrivazs_kontra=Kontra.NONE)
    assert hand.doubling
    assert hand.doubling.speakers(Item.GAME) == (1, 2, 0)
    assert hand.doubling.speakers(Item.ARRIVAZS) == ()
    assert hand.play == midway().play


def test_arrivazs_that_was_not_announced_takes_its_kontras_along() -> None:
    hand = corrected(midway(), announcement=TWO, arrivazs_kontra=Kontra.NONE)
    assert hand.doubling == Doubling.from_text("2-0-1 game:1 game:2")


def test_another_declarer_ends_the_auction_and_the_kontras_and_keeps_the_tricks() -> None:
    hand = corrected(midway(), declarer=1)
    assert hand.auction is None
    assert hand.sides == Sides(1, 2, 0)
    assert hand.play == Play.from_text("1-2-0 2 2 0 1")
    assert hand.doubling == Doubling.from_text("1-2-0 announced game:2 game:1 arrivazs:2")


def test_claim_goes_with_another_declarer() -> None:
    claimed = midway().after_play(Play.from_text("2-0-1 2 2 0 1 claim"))
    assert corrected(claimed, declarer=1).play == Play.from_text("1-2-0 2 2 0 1")
    assert corrected(claimed).play == claimed.play


def test_contract_below_the_final_bid_is_believed_and_the_auction_forgotten() -> None:
    assert corrected(midway(), announcement=replace(THREE, arrivazs=True)).auction is None
    assert corrected(midway()).auction == BID.auction


def test_another_dealer_makes_another_auction() -> None:
    hand = corrected(midway(), (2, 0, 1), dealer=1)
    assert (hand.dealer, hand.auction, hand.sides) == (1, None, SIDES)


def test_tricks_of_who_does_not_play_any_more_are_forgotten() -> None:
    hand = HandState(0).announced(Announced(0, 1, TWO), (1, 2, 3)).after_play(Play.from_text("1-2-3 1 3"))
    assert hand.announced(Announced(3, 1, TWO), (0, 1, 2)).play is None


def test_who_does_not_play_is_no_declarer() -> None:
    assert refusal(lambda: HandState(0).announced(Announced(0, 3, TWO), PLAYING)).code == "not_playing"


def test_deal_is_known_when_all_is_answered() -> None:
    hand = named().after_play(Play.from_text("2-0-1 2 2 2 2 2 2 0 1 2 2 2"))
    assert hand.questions == (Question.IDEGEN,)
    assert hand.finished(idegen=True) == deal_from_text("2H 9-1-1 A*")
    conceded = named(TWO).after_play(Play.from_text("2-0-1 2 2 2 2 2 2 concede"))
    assert conceded.questions == (Question.SPLIT,)
    assert conceded.finished(left=2) == deal_from_text("2H 6-2-3")
    assert refusal(lambda: conceded.finished(left=6)) == ("split_sum", {"sum": 6, "needed": 5})
    assert refusal(HandState(0).finished).code == "not_announced"
    assert refusal(named().finished) == ("hand_unfinished", {"tricks": 0})


def test_kontra_to_an_arrivazs_that_is_not_announced_any_more_is_refused() -> None:
    assert refusal(lambda: corrected(midway(), announcement=TWO)).code == "arrivazs_not_announced"


def test_what_is_played_is_not_taken_back_under_its_tricks() -> None:
    begun = named().after_play(Play.from_text("2-0-1 2"))
    assert refusal(begun.unnamed).code == "later_first"


def test_kontras_of_who_does_not_play_any_more_are_forgotten() -> None:
    hand = HandState(0).announced(Announced(0, 1, TWO), (1, 2, 3)).after_doubling(Doubling.from_text("1-2-3 game:3"))
    assert hand.summary
    assert hand.announced(replace(hand.summary, dealer=3), (0, 1, 2)).doubling == Doubling.from_text("1-2-0 game:2")


def test_who_is_let_play_without_an_auction_is_not_forgotten_for_a_call() -> None:
    auction = Auction((1, 2, 0)).call(1, Call.THREE)
    assert refusal(lambda: HandState(0).passed_over(1).after_auction(auction)).code == "later_first"
