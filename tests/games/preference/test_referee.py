"""The announcing of a hand, the notes that remain after it, and the deals that agree with the notes."""

import pytest

from scorekeeper.games.errors import Message
from scorekeeper.games.preference import BOOK, Answers, Strain, deal_from_text, referee
from scorekeeper.games.preference.announcing import MIZER, Answer, Named
from scorekeeper.games.preference.auction import Auction, Call
from scorekeeper.games.preference.hand_in_play import HandState, Summary
from scorekeeper.games.preference.referee import REFEREE
from tests.games.preference.played import THREE, Table, table_of
from tests.games.refusals import refusal

SEVEN = Named(7, Strain.HEARTS)
PASS, HALF, WHIST = Answer.PASS, Answer.HALF, Answer.WHIST


def announced(said: Summary, before: str = "", table: Table = THREE) -> HandState:
    return REFEREE.announce(table.noted(before), said, table.seats, table.rules)


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("", Summary(2, 1, SEVEN, (PASS, HALF)), "@1 7H pass half"),
        ("", Summary(2), "pass pass pass"),
        # The auction stays that led there; the answers are those of the announcement.
        ("6S pass pass 6S whist whist", Summary(2, 0, SEVEN, (PASS,)), "6S pass pass 7H pass"),
        ("7N pass pass", Summary(2, 0, Named(7), (PASS, PASS)), "7N pass pass 7 pass pass"),
        ("6S @0 6S", Summary(2, 0, SEVEN), "6S @0 7H"),
        # And goes that did not: it is not over, another declares, he may not name that, all have passed.
        ("6S pass", Summary(2, 0, SEVEN), "@0 7H"),
        ("6S pass pass 6S", Summary(2, 1, SEVEN), "@1 7H"),
        ("8S pass pass", Summary(2, 0, SEVEN), "@0 7H"),
        ("M pass pass", Summary(2, 0, SEVEN), "@0 7H"),
        ("7S pass pass", Summary(2, 0, MIZER), "@0 M"),
        ("pass pass pass", Summary(2, 0, SEVEN), "@0 7H"),
        ("@0 7H pass half", Summary(2), "pass pass pass"),
    ],
)
def test_correction_keeps_the_auction_that_led_there(before: str, said: Summary, after: str) -> None:
    assert announced(said, before) == THREE.noted(after)
    assert announced(said, before).summary == said


def test_correction_of_the_dealer_leaves_no_auction() -> None:
    hand = announced(Summary(1, 0, SEVEN, (WHIST,)), "7H pass pass 7H whist")
    assert hand == HandState(1, let=0, named=SEVEN, answers=(WHIST,))
    assert announced(Summary(0), "pass pass pass").auction == Auction((1, 2, 0), (Call.PASS,) * 3)


@pytest.mark.parametrize(
    ("house", "said", "expected"),
    [
        ("/4", Summary(3, 3, SEVEN), ("not_playing", {"seat": 3})),
        ("stalingrad=yes", Summary(2, 1, Named(6)), ("strain_needed", {})),
        ("stalingrad=yes", Summary(2, 1, Named(6, Strain.SPADES), (WHIST,)), ("must_whist", {})),
        ("ten=checked", Summary(2, 1, Named(10), (PASS,)), ("ten_checked", {})),
        ("", Summary(2, 1, Named(8), (PASS, HALF)), ("half_level", {"level": 8})),
        ("half_whist=no", Summary(2, 1, SEVEN, (PASS, HALF)), ("half_off", {"level": 7})),
        ("", Summary(2, 1, SEVEN, (PASS, PASS, PASS)), ("answers_over", {})),
        ("", Summary(2, 1, MIZER, (PASS,)), ("nobody_asked", {})),
        ("", Summary(2, 1, SEVEN, given_up=True), ("give_up_off", {})),
        ("give_up=2", Summary(2, 1, MIZER, given_up=True), ("give_up_game", {})),
        ("give_up=2", Summary(2, 1, SEVEN, (PASS, PASS), given_up=True), ("nothing_played", {})),
    ],
)
def test_announcement_is_refused_that_cannot_be(house: str, said: Summary, expected: Message) -> None:
    table = table_of(house)
    assert refusal(lambda: announced(said, table=table)) == expected


def test_summary_of_nothing_is_none() -> None:
    for said in ({"declarer": 1}, {"contract": SEVEN}, {"answers": (PASS,)}, {"given_up": True}):
        with pytest.raises(ValueError, match=r"contract|raspasovka"):
            Summary(2, **said)


def test_a_form_that_knows_the_answers_says_them_where_anybody_is_asked() -> None:
    assert referee.answers_said(SEVEN, Answers.RETRIEVED, BOOK) == (PASS, HALF, WHIST)
    assert referee.answers_said(SEVEN, Answers.PASSED, BOOK) == (PASS, PASS)
    assert referee.answers_said(SEVEN, Answers.GIVEN_UP, BOOK) == ()
    assert referee.answers_said(MIZER, Answers.PASSED, BOOK) == ()
    strict = table_of("stalingrad=yes ten=checked").rules
    assert referee.answers_said(Named(6, Strain.SPADES), Answers.BOTH, strict) == ()
    assert referee.answers_said(Named(6, Strain.CLUBS), Answers.BOTH, strict) == (WHIST, WHIST)
    assert referee.answers_said(Named(10), Answers.CHECKED, strict) == ()


@pytest.mark.parametrize(
    ("before", "said", "passes_over", "gives_way"),
    [
        ("", Summary(2, 0, SEVEN), False, False),
        ("6S", Summary(2, 0, SEVEN), True, True),
        ("6S pass pass", Summary(2, 0, SEVEN), False, False),
        ("@0", Summary(2, 0, SEVEN), False, False),
        ("@0", Summary(2, 1, SEVEN), True, True),
        ("@0", Summary(2), True, True),
        # Two passes go on to three, but not of another deal, and not to a bid.
        ("pass pass", Summary(2), False, False),
        ("pass pass", Summary(0), True, True),
        ("pass 6S", Summary(2), True, True),
        ("pass pass @2", Summary(2), True, True),
        # An earlier announcement is not passed over; only one that adds to it replaces it.
        ("@0 7H", Summary(2, 0, SEVEN, (PASS, HALF)), False, False),
        ("@0 7H pass", Summary(2, 0, SEVEN), False, True),
        ("@0 7H pass", Summary(2, 0, SEVEN, (WHIST, PASS)), False, True),
        ("@0 7H", Summary(2, 0, Named(7)), False, True),
        ("@0 7H", Summary(2, 1, SEVEN), False, True),
        ("@0 7H", Summary(1, 0, SEVEN), False, True),
        ("pass pass pass", Summary(2, 0, SEVEN), False, True),
    ],
)
def test_announcement_tells_what_gives_way(before: str, said: Summary, passes_over: bool, gives_way: bool) -> None:
    was = THREE.noted(before)
    after = announced(said, before)
    assert (REFEREE.passes_over(was, after), REFEREE.gives_way(was, after)) == (passes_over, gives_way)


def test_a_hand_that_is_given_up_no_more_has_given_way() -> None:
    house = table_of("give_up=3")
    given_up, played = house.noted("@0 7H g"), house.noted("@0 7H")
    assert (REFEREE.gives_way(given_up, played), REFEREE.gives_way(played, given_up)) == (True, False)
    assert REFEREE.gives_way(played, HandState(2))


@pytest.mark.parametrize(
    ("moves", "declarer", "deal", "expected"),
    [
        ("", 0, "7H pp", True),
        ("", None, "R 4-3-3", True),
        ("", None, "", True),
        ("", None, "= P0+3", True),
        # An auction in its course agrees with no deal; one that is over, with its declarer from his bid on.
        ("pass pass", None, "R 4-3-3", False),
        ("6S pass", 0, "6S pp", False),
        ("7S pass pass", 0, "7H pp", True),
        ("7S pass pass", 0, "6H pp", False),
        ("7S pass pass", 0, "M 0", False),
        ("7S pass pass", 1, "7H pp", False),
        ("M pass pass", 0, "M 3", True),
        ("M pass pass", 0, "9S pp", False),
        ("@0", 0, "M 3", True),
        ("pass pass pass", None, "R 4-3-3", True),
        ("pass pass pass", 0, "7H pp", False),
        # The contract, its strain noted or not, and answers that may have gone on.
        ("@0 7H", 0, "7H wp 7", True),
        ("@0 7H", 0, "7 wp 7", True),
        ("@0 7H", 0, "7S wp 7", False),
        ("@0 7H pass", 0, "7H pp", True),
        ("@0 7H pass", 0, "7H ph", True),
        ("@0 7H pass", 0, "7H wp 7", False),
        ("@0 7H pass half", 0, "7H rh 7", True),
        ("@0 7H pass half", 0, "7H pp", False),
        ("@0 7H pass half pass", 0, "7H rh 7", False),
        # Given up, unless there was nothing to play.
        ("@0 7H g", 0, "7H g", True),
        ("@0 7H g", 0, "7H pp", False),
        ("@0 7H pass pass", 0, "7H g", False),
        # Neither a misdeal nor agreed entries are a hand that has begun.
        ("@0", None, "", False),
        ("@0", None, "= P0+3", False),
        ("pass", None, "= P0+3", False),
    ],
)
def test_deal_agrees_that_says_what_is_noted(moves: str, declarer: int | None, deal: str, expected: bool) -> None:
    house = table_of("give_up=3")
    read = deal_from_text(deal, house.rules) if deal else None
    assert REFEREE.agrees(house.noted(moves), 2, declarer, read) is expected
    assert not REFEREE.agrees(house.noted(moves), 1, declarer, read)
