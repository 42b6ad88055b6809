"""Properties of every hand of Preference while it is played, in every profile and house."""

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.preference import (
    Agreed,
    Contract,
    Deal,
    Raspasovka,
    check,
    check_seats,
    deal_from_text,
    deal_to_text,
    referee,
)
from scorekeeper.games.preference.announcing import Named
from scorekeeper.games.preference.deal import Answers
from scorekeeper.games.preference.hand_in_play import HandState, Step, Summary
from scorekeeper.games.preference.referee import REFEREE
from tests.games.preference.hands import some_hand
from tests.games.preference.played import Table, some_moves, some_table, some_tricks
from tests.games.refusals import code

chances = st.randoms(use_true_random=True)


def ended(chance: Random, table: Table) -> tuple[list[HandState], Deal]:
    """All states of a hand, and its result."""
    hands = [REFEREE.begin(table.dealer), *(after for _before, after in some_moves(chance, table))]
    return hands, REFEREE.finish(hands[-1], table.rules, tricks=some_tricks(chance, hands[-1], table))


@given(chances)
def test_every_hand_comes_to_a_deal_that_can_be_written_down(chance: Random) -> None:
    table = some_table(chance)
    hands, deal = ended(chance, table)
    check(deal, table.rules)
    check_seats(deal, table.seats, table.dealer, hands[-1].declarer, table.rules)
    assert deal_from_text(deal_to_text(deal), table.rules) == deal


@given(chances)
def test_what_is_taken_back_is_the_latest_move_and_nothing_else(chance: Random) -> None:
    table = some_table(chance)
    for before, after in some_moves(chance, table):
        assert before != after
        assert table.after(after, referee.take_back) == before


@given(chances)
def test_every_hand_is_read_back_from_its_state(chance: Random) -> None:
    table = some_table(chance)
    for hand in ended(chance, table)[0]:
        state = json.loads(json.dumps(hand.to_state()))
        assert REFEREE.from_state(table.dealer, state) == hand
        assert bool(state) == hand.has_begun


@given(chances)
def test_to_announce_what_is_noted_changes_nothing(chance: Random) -> None:
    table = some_table(chance)
    for hand in ended(chance, table)[0]:
        said = hand.summary
        if said:
            assert REFEREE.announce(hand, said, table.seats, table.rules) == hand
            afresh = REFEREE.announce(REFEREE.begin(table.dealer), said, table.seats, table.rules)
            assert afresh.summary == said
            assert afresh.step(table.rules) is hand.step(table.rules)


@given(chances, chances)
def test_announcement_holds_whatever_was_noted_before(chance: Random, other: Random) -> None:
    table = some_table(chance)
    said = ended(chance, table)[0][-1].summary
    assert said is not None
    for hand in ended(other, table)[0]:
        after = REFEREE.announce(hand, said, table.seats, table.rules)
        assert after.summary == said
        assert REFEREE.from_state(table.dealer, after.to_state()) == after
        if REFEREE.passes_over(hand, after):
            assert REFEREE.gives_way(hand, after)
            assert hand.summary is None


@given(chances)
def test_the_deal_agrees_with_all_that_led_to_it(chance: Random) -> None:
    table = some_table(chance)
    hands, deal = ended(chance, table)
    for hand in hands:
        known = not hand.has_begun or hand.declarer is not None or hand.is_raspasovka
        assert REFEREE.agrees(hand, table.dealer, hands[-1].declarer, deal) is known
        assert not REFEREE.agrees(hand, table.dealer + 1, hands[-1].declarer, deal)


@given(chances)
def test_it_says_what_is_missing_until_it_is_over(chance: Random) -> None:
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
    hand = REFEREE.announce(REFEREE.begin(table.dealer), said, table.seats, table.rules)
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
