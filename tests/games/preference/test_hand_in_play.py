"""A hand that is being played, against vectors and at random: its moves, its state, its deal."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.errors import GameError, IllegalMove, InvalidDeal, MalformedState, Message
from scorekeeper.games.preference import (
    BOOK,
    Agreed,
    Answers,
    Contract,
    Deal,
    Raspasovka,
    check,
    check_seats,
    deal_from_text,
    deal_to_text,
    referee,
)
from scorekeeper.games.preference.announcing import MIZER, Answer, Named
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.hand_in_play import HandState, Step, Summary
from scorekeeper.games.preference.referee import REFEREE
from tests.games.preference.hands import some_hand, vectors
from tests.games.preference.played import THREE, Table, some_moves, some_table, some_tricks, table_of, written
from tests.games.refusals import code

FILE = "referee/in_play.txt"


def halves(given: str) -> list[str]:
    return [part.strip() for part in given.split("|")]


@vectors(FILE, sign=" = ")
def test_hand_comes_to_its_deal(given: str, expected: str) -> None:
    house, moves, *rest = halves(given)
    table = table_of(house)
    hand = table.noted(moves)
    if len(rest) == 1:
        assert (expected, attempted(table, rest[0], hand)) == ("-", None)
        return
    tricks, said = rest
    deal = table.finished(hand, tricks)
    assert (written(hand.summary), deal_to_text(deal)) == (said, expected)
    assert deal_from_text(expected, table.rules) == deal


@vectors(FILE, sign=" ! ")
def test_impossible_deal_is_refused_as_in_the_vectors(given: str, expected: str) -> None:
    house, moves, attempt, *said = halves(given)
    table = table_of(house)
    hand = table.noted(moves)
    assert [written(hand.summary)] == said or not said
    assert attempted(table, f"={attempt}" if said else attempt, hand) == expected


def attempted(table: Table, word: str, hand: HandState) -> str | None:
    """The error of a move in the words of the vectors; None if it is legal."""
    try:
        if word.startswith("="):
            table.finished(hand, word[1:])
        else:
            table.after(hand, table.tried(word, hand))
    except IllegalMove as refused:
        return told(refused.message)
    except InvalidDeal as refused:
        return ", ".join(f"{field} {told(message)}" for field, message in refused.errors.items())
    return None


def told(message: Message) -> str:
    return " ".join([message.code, *(f"{name}={value}" for name, value in message.params.items())])


@vectors(FILE, sign=" > ")
def test_hand_waits_for_the_step_of_the_vectors(given: str, expected: str) -> None:
    house, moves = halves(given)
    table = table_of(house)
    hand = table.noted(moves)
    seats = referee.tricks_of(hand, table.seats, table.rules)
    answers = referee.who_answers(hand, table.seats, table.rules)
    asked = seats if answers is None else (answers,)
    assert " ".join([hand.step(table.rules).value, *map(str, asked)]) == expected


def test_contracts_to_name_are_known_until_one_is_named() -> None:
    hand = HandState(2)
    assert (hand.has_begun, hand.declarer, hand.contract, hand.summary) == (False, None, None, None)
    assert (hand.to_state(), HandState.from_state(2, {})) == ({}, hand)
    allowed = {noted: THREE.noted(noted).contracts_allowed for noted in ("9N pass", "9N pass pass", "9N pass pass 10S")}
    assert [contracts[:2] for contracts in allowed.values()] == [(), (Call.N9, Call.S10), ()]
    assert len(THREE.noted("@1").contracts_allowed) == 26
    assert THREE.noted("M pass pass").contract == MIZER


# --- The stored form ---


@pytest.mark.parametrize(
    ("moves", "state"),
    [
        ("6S pass", {"auction": "0-1-2 6S pass"}),
        ("@1", {"let": 1}),
        ("6S @0 7", {"auction": "0-1-2 6S", "let": 0, "named": "7"}),
        ("7S pass pass 7H pass half", {"auction": "0-1-2 7S pass pass", "named": "7H", "answers": "pass half"}),
        ("@0 10 g", {"let": 0, "named": "10", "given_up": True}),
    ],
)
def test_state_is_short_and_is_read_back(moves: str, state: Mapping[str, Any]) -> None:
    hand = table_of("give_up=3").noted(moves)
    assert hand.to_state() == state
    assert HandState.from_state(2, state) == hand


SIX = {"let": 1, "named": "6S"}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"auction": "0-2-1 6S"}, MalformedState),  # the dealer, 2, speaks last
        ({"auction": "0-1-2"}, MalformedState),
        ({"let": -1}, MalformedState),
        ({"auction": "0-1-2 6S", "let": 3}, "not_playing"),
        ({"auction": "0-1-2 7S pass pass", "named": "6S"}, "contract_too_low"),
        ({"auction": "0-1-2 pass pass pass", "named": "6S"}, "nobody_declares"),
        ({"named": "6S"}, "auction_not_over"),
        ({"answers": "pass"}, "not_announced"),
        ({"let": 1, "named": "M", "answers": "pass"}, "nobody_asked"),
        (SIX | {"answers": "pass pass pass"}, "answers_over"),
        ({"given_up": True}, "not_announced"),
        (SIX | {"answers": "pass pass", "given_up": True}, "nothing_played"),
    ],
)
def test_stored_state_that_cannot_be_is_refused(state: Mapping[str, Any], expected: str | type[GameError]) -> None:
    if isinstance(expected, str):
        assert code(HandState.from_state, 2, state) == expected
    else:
        with pytest.raises(expected):
            HandState.from_state(2, state)


def test_moves_of_a_hand_whose_declarer_sits_there_no_more_are_refused() -> None:
    four = table_of("/4")
    hand = four.noted("@0 7H")
    swapped = replace(hand, let=3)
    assert code(referee.answer(1, Answer.WHIST), swapped, four.seats, BOOK) == "not_playing"


chances = st.randoms(use_true_random=True)


def ended(chance: Random, table: Table) -> tuple[list[HandState], Deal]:
    """All states of a hand, and its result."""
    hands = [HandState(table.dealer), *(after for _before, after in some_moves(chance, table))]
    return hands, REFEREE.finish(hands[-1], table.rules, tricks=some_tricks(chance, hands[-1], table))


@given(chances)
def test_every_hand_comes_to_a_deal_that_agrees_with_all_that_led_to_it(chance: Random) -> None:
    table = some_table(chance)
    hands, deal = ended(chance, table)
    declarer = hands[-1].declarer
    check(deal, table.rules)
    check_seats(deal, table.seats, table.dealer, declarer, table.rules)
    assert deal_from_text(deal_to_text(deal), table.rules) == deal
    for hand in hands:
        known = not hand.has_begun or hand.declarer is not None or hand.is_raspasovka
        assert REFEREE.agrees(hand, table.dealer, declarer, deal) is known
        assert not REFEREE.agrees(hand, table.dealer + 1, declarer, deal)
        if said := hand.summary:
            assert REFEREE.announce(hand, said, table.seats, table.rules) == hand
            afresh = REFEREE.announce(HandState(table.dealer), said, table.seats, table.rules)
            assert (afresh.summary, afresh.step(table.rules)) == (said, hand.step(table.rules))


@given(chances)
def test_taking_back_undoes_exactly_the_latest_move(chance: Random) -> None:
    table = some_table(chance)
    for before, after in some_moves(chance, table):
        assert before != after
        assert table.after(after, referee.take_back) == before


@given(chances, chances)
def test_announcement_holds_whatever_was_noted_before(chance: Random, other: Random) -> None:
    table = some_table(chance)
    said = ended(chance, table)[0][-1].summary
    assert said is not None
    for hand in ended(other, table)[0]:
        after = REFEREE.announce(hand, said, table.seats, table.rules)
        assert after.summary == said
        assert HandState.from_state(table.dealer, after.to_state()) == after
        if REFEREE.passes_over(hand, after):
            assert REFEREE.gives_way(hand, after)
            assert hand.summary is None


@given(chances)
def test_unfinished_hand_names_what_is_missing_until_it_is_over(chance: Random) -> None:
    table = some_table(chance)
    for hand in ended(chance, table)[0]:
        expected = {
            Step.AUCTION: "not_announced",
            Step.NAMING: "not_announced",
            Step.ANSWERING: "answers_unanswered",
            Step.TRICKS: "tricks_unanswered",
            Step.OVER: None,
        }
        step = hand.step(table.rules)
        assert code(REFEREE.finish, hand, table.rules) == expected[step]
        assert bool(referee.tricks_of(hand, table.seats, table.rules)) == (step is Step.TRICKS)
        answering = referee.who_answers(hand, table.seats, table.rules)
        assert (answering is not None) == (step is Step.ANSWERING)
        assert answering in {None, *table.playing} - {hand.declarer if step is Step.ANSWERING else -1}


@given(chances)
def test_every_deal_that_can_be_can_be_noted(chance: Random) -> None:
    table = some_table(chance)
    declarer, deal = some_hand(chance, table.seats, table.dealer, table.rules)
    if isinstance(deal, Agreed):
        return
    said = said_of(deal, declarer, table)
    tricks = deal.tricks if isinstance(deal, Contract | Raspasovka) else (deal.tricks or 0,)
    hand = REFEREE.announce(HandState(table.dealer), said, table.seats, table.rules)
    assert hand.declarer == declarer
    assert len(referee.tricks_of(hand, table.seats, table.rules)) == len(tricks)
    assert REFEREE.finish(hand, table.rules, tricks=tricks) == deal


def said_of(deal: Deal, declarer: int | None, table: Table) -> Summary:
    """The announcement of a form that has the whole deal."""
    if declarer is None or isinstance(deal, Raspasovka | Agreed):
        return Summary(table.dealer)
    contract = Named.of(deal)
    if not isinstance(deal, Contract):
        return Summary(table.dealer, declarer, contract)
    answers = referee.answers_said(contract, deal.answers, table.rules)
    return Summary(table.dealer, declarer, contract, answers, deal.answers is Answers.GIVEN_UP)
