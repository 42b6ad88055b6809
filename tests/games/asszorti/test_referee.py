"""A hand that went through the referee is the hand that would have been typed."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    deal_from_text,
    payments,
    score,
)
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.auction import Auction
from scorekeeper.games.asszorti.hand_in_play import Question, finished_deal, questions
from scorekeeper.games.asszorti.play import Play, Tricks
from scorekeeper.games.asszorti.seating import Sides
from scorekeeper.games.errors import MalformedState
from tests.games.refusals import refusal

SIDES = Sides(declarer=2, left=0, right=1)
ROLES = {"D": 2, "L": 0, "R": 1}
LADDER = "LDRDL"


def doubled(announced: bool, game: int = 0, arrivazs: int = 0) -> Doubling:
    doubling = Doubling(SIDES, announced)
    for item, level in ((Item.GAME, game), (Item.ARRIVAZS, arrivazs)):
        for role in LADDER[:level]:
            doubling = doubling.say(ROLES[role], item)
    return doubling


def played(story: str) -> Play:
    play = Play.start(SIDES)
    for word in story.split():
        said = {"claim": play.claim, "stands": play.stands, "disputed": play.dispute, "concede": play.concede}
        play = said[word]() if word in said else won(play, word)
    return play


def won(play: Play, roles: str) -> Play:
    for role in roles:
        play = play.won(ROLES[role])
    return play


def announced(contract: str, trump: Trump = Trump.HEARTS) -> Announcement:
    return Announcement(Contract(contract), trump, True)


def plain(contract: str, trump: Trump = Trump.HEARTS) -> Announcement:
    return Announcement(Contract(contract), trump)


# --- the worked hands of docs/rules/asszorti.md §8 -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("announcement", "kontras", "story", "typed", "points"),
    [
        (plain("2"), (0, 0), "DDDDDDLLLRR", "2H 6-3-2", 4),
        (plain("2"), (0, 0), "DDDDDDDLLRR", "2H 7-2-2", 6),
        (plain("2"), (0, 0), "LLR claim stands", "2H 8-2-1", 8),
        (plain("2"), (0, 0), "DDDDDLLLRRR", "2H 5-3-3", -4),
        (plain("2"), (0, 0), "DDDDLR concede", "2H 4-6-1", -6),
        (plain("1", Trump.NONE), (3, 0), "DDDDDDDLLLR", "1N 7-3-1 S", 144),
        (plain("2"), (0, 0), "DDDDDDLLLLL", "2H 6-5-0", 0),
        (plain("2"), (2, 0), "DDDDDDR concede", "2H 6-0-5 R", 12),
        (plain("hand"), (0, 0), "DDDDDDL claim disputed DDDR", "hH 6-5-0", 0),
        (announced("hand", Trump.DIAMONDS), (3, 1), "DDDDDDL concede", "hD 6-5-0 S A-K", 40),
        (plain("2"), (0, 0), "DDDDDLLLLLL", "2H 5-6-0", -4),
    ],
)
def test_worked_hand_counts_what_the_rule_sheet_says(
    announcement: Announcement, kontras: tuple[int, int], story: str, typed: str, points: int
) -> None:
    deal = finished_deal(announcement, doubled(announcement.arrivazs, *kontras), played(story))
    assert deal == deal_from_text(typed)
    assert score(deal).points == points


def test_worked_hand_with_idegen_counts_what_the_rule_sheet_says() -> None:
    announcement = announced("3", Trump.SPADES)
    deal = finished_deal(announcement, doubled(True), played("DDDDDDDLDDD"), idegen=True)
    assert deal == deal_from_text("3S 10-1-0 A*")
    assert score(deal).points == 22


def test_whole_hand_from_the_first_call_gives_the_typed_deal_and_payments() -> None:
    auction = Auction.from_text("1-2-0 3 2 1 hold hand pass")
    assert auction.sides == SIDES
    auction.check(Contract.HAND)
    doubling = Doubling(auction.sides, True).say(0, Item.GAME).say(2, Item.GAME).say(1, Item.ARRIVAZS)
    play = won(Play.start(auction.sides), "RDDLDDDRDDD")
    deal = finished_deal(announced("hand", Trump.CLUBS), doubling, play, idegen=False)
    typed = deal_from_text("hC 8-1-2 R A+K")
    assert deal == typed
    paid = payments(deal, declarer=2, opponents=SIDES.opponents)
    assert paid == payments(typed, declarer=2, opponents=(0, 1))


# --- every hand that is played out --------------------------------------------------------------------------


@cache
def typed(tricks: tuple[int, int, int], arrivazs: Arrivazs) -> Deal:
    return Deal(Contract.TWO, Trump.NONE, tricks, Kontra.KONTRA, arrivazs, Kontra.REKONTRA)


def every_hand() -> Iterator[tuple[str, ...]]:
    return product("DLR", repeat=11)


@pytest.mark.thorough
def test_every_sequence_of_won_tricks_gives_the_deal_typed_by_hand() -> None:
    announcement, doubling = announced("2", Trump.NONE), doubled(True, 1, 2)
    for roles in every_hand():
        play = Play(Tricks(SIDES, tuple(map(ROLES.__getitem__, roles))))
        won = roles[-3:] == ("D", "D", "D")
        counted = (roles.count("D"), roles.count("L"), roles.count("R"))
        expected = typed(counted, Arrivazs.WON if won else Arrivazs.LOST)
        assert finished_deal(announcement, doubling, play) == expected


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
    doubling = doubled(arrivazs, game, on_arrivazs if arrivazs else 0)
    is_asked = arrivazs and roles.endswith("DDD") and trump.value != "none"
    assert questions(announcement, played(roles)) == ((Question.IDEGEN,) if is_asked else ())
    deal = finished_deal(announcement, doubling, played(roles), idegen=idegen if is_asked else None)
    outcome = "none" if not arrivazs else "won" if roles.endswith("DDD") else "lost"
    assert deal == Deal(
        contract,
        trump,
        (roles.count("D"), roles.count("L"), roles.count("R")),
        Kontra(game),
        Arrivazs("idegen" if is_asked and idegen else outcome),
        Kontra(on_arrivazs if arrivazs else 0),
    )


@given(
    st.text("DLR", max_size=10),
    st.sampled_from(["claim stands", "concede", "claim disputed concede"]),
    st.sampled_from(Trump),
    st.booleans(),
)
def test_any_claim_gives_a_possible_deal_once_the_questions_are_answered(
    roles: str, said: str, trump: Trump, arrivazs: bool
) -> None:
    play, announcement = played(f"{roles} {said}"), Announcement(Contract.ONE, trump, arrivazs)
    asked = questions(announcement, play)
    deal = finished_deal(
        announcement,
        doubled(arrivazs),
        play,
        split=SIDES.right if Question.SPLIT in asked else None,
        idegen=True if Question.IDEGEN in asked else None,
    )
    rest = 11 - len(roles)
    assert deal.tricks[0] == roles.count("D") + (rest if said == "claim stands" else 0)
    assert (deal.arrivazs is Arrivazs.NONE) == (not arrivazs)


# --- Questions to the players ---


@pytest.mark.parametrize(
    ("announcement", "story", "asked"),
    [
        (announced("2"), "DDD", ()),
        (announced("2"), "DDD claim", ()),
        (announced("2"), "DDD claim stands", (Question.IDEGEN,)),
        (announced("2"), "D" * 11, (Question.IDEGEN,)),
        (announced("2", Trump.NONE), "D" * 11, ()),
        (plain("2"), "D" * 11, ()),
        (announced("2"), "DDDDDDDDDDL", ()),
        (announced("2"), "DDDDDDDDL claim stands", ()),
        (announced("2"), "DDDDDD concede", (Question.SPLIT,)),
        (announced("2"), "DDDDDDD concede", ()),
        (announced("2"), "DDDDDDL concede", ()),
    ],
)
def test_table_is_asked_only_what_nothing_else_can_tell(
    announcement: Announcement, story: str, asked: tuple[Question, ...]
) -> None:
    assert questions(announcement, played(story)) == asked


def test_split_that_does_not_count_stays_open() -> None:
    deal = finished_deal(plain("2"), doubled(False), played("DDDDDDD concede"))
    assert deal.tricks == (7, None, None)


@pytest.mark.parametrize(("answer", "points"), [(SIDES.left, 0), (SIDES.right, 0), ((3, 2), 4), ((5, 0), 0)])
def test_tables_answer_decides_about_the_deduction(answer: int | tuple[int, int], points: int) -> None:
    deal = finished_deal(plain("2"), doubled(False), played("DDDDDD concede"), split=answer)
    assert score(deal).points == points


# --- refusals -----------------------------------------------------------------------------------------------


def refused(announced: Announcement, story: str, split: int | None = None, idegen: bool = False) -> str:
    play, doubling = played(story), doubled(announced.arrivazs)
    return refusal(lambda: finished_deal(announced, doubling, play, split=split, idegen=idegen or None)).code


@pytest.mark.parametrize("number", range(11))
def test_unfinished_hand_is_refused_with_how_far_it_is(number: int) -> None:
    message = refusal(lambda: finished_deal(plain("2"), doubled(False), played("D" * number)))
    assert message == ("hand_unfinished", {"tricks": number})


def test_unanswered_questions_are_refused() -> None:
    assert refused(plain("2"), "DDD claim") == "claim_open"
    assert refused(plain("2"), "DDD claim disputed") == "hand_unfinished"
    assert refused(plain("2"), "DDDDDD concede") == "split_unanswered"
    assert refused(announced("2"), "D" * 11) == "idegen_unanswered"


def test_answers_to_what_was_not_asked_are_refused() -> None:
    assert refused(plain("2"), "D" * 11, idegen=True) == "idegen_not_asked"
    assert refused(announced("2", Trump.NONE), "D" * 11, idegen=True) == "idegen_not_asked"
    assert refused(announced("2"), "DDDDDDDDDDL", idegen=True) == "idegen_not_asked"
    assert refused(plain("2"), "DDDDDDLLLLL", split=0) == "split_not_asked"
    assert refused(plain("2"), "DDDDDD concede", split=2) == "not_an_opponent"


def test_no_to_an_idegen_that_cannot_be_changes_nothing() -> None:
    deal = finished_deal(announced("2", Trump.NONE), doubled(True), played("D" * 11), idegen=False)
    assert deal.arrivazs is Arrivazs.WON


def test_parts_of_different_hands_are_refused() -> None:
    other = Doubling(Sides(0, 1, 2), True)
    assert refusal(lambda: finished_deal(announced("2"), other, played("D" * 11))).code == "different_hands"
    other = Doubling(SIDES, False)
    assert refusal(lambda: finished_deal(announced("2"), other, played("D" * 11))).code == "different_hands"


# --- the announcement's text --------------------------------------------------------------------------------


@pytest.mark.parametrize("arrivazs", [False, True])
def test_announcement_round_trips(arrivazs: bool) -> None:
    for contract, trump in product(Contract, Trump):
        announcement = Announcement(contract, trump, arrivazs)
        assert Announcement.from_text(announcement.to_text()) == announcement


@pytest.mark.parametrize("text", ["", "2", "4 hearts", "2 hearts ", "2 hearts won", "2 hearts announced x"])
def test_malformed_announcement_is_refused(text: str) -> None:
    with pytest.raises(MalformedState):
        Announcement.from_text(text)
