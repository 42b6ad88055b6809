"""The count's properties, and the steps by which it explains itself."""

from dataclasses import replace
from itertools import pairwise as neighbours

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    base,
    deal_from_text,
    overtrick,
    payments,
    score,
)
from scorekeeper.games.base import ScoreLine
from tests.games.payment_sheets import balances
from tests.strategies import deals


def has_deduction(deal: Deal) -> bool:
    return sorted(map(str, deal.tricks)) == ["0", "5", "6"] and deal.tricks[0] == 6


@pytest.mark.parametrize(
    ("contract", "trumps", "no_trumps"),
    [(Contract.THREE, 2, 4), (Contract.TWO, 4, 8), (Contract.ONE, 6, 12), (Contract.HAND, 8, 16)],
)
def test_the_contracts_are_worth_what_the_table_says(contract: Contract, trumps: int, no_trumps: int) -> None:
    for trump in Trump:
        worth = no_trumps if trump is Trump.NONE else trumps
        assert base(contract, trump) == worth
        assert overtrick(contract, trump) * 2 == worth


@given(deals(), st.permutations([0, 1, 2]))
def test_a_hand_sums_to_zero(deal: Deal, seats: list[int]) -> None:
    declarer, left, right = seats
    points = score(deal).points
    after = balances(3, payments(deal, declarer=declarer, opponents=(left, right)))
    assert sum(after) == 0
    assert (after[declarer], after[left], after[right]) == (2 * points, -points, -points)


@given(deals())
def test_the_lines_sum(deal: Deal) -> None:
    counted = score(deal)
    assert sum(line.amount for line in counted.lines if line.item == "game") == counted.game
    assert sum(line.amount for line in counted.lines if line.item == "arrivazs") == counted.arrivazs
    assert {line.item for line in counted.lines} <= {"game", "arrivazs"}
    assert counted.points == counted.game + counted.arrivazs
    assert all(line.amount for line in counted.lines)


@given(deals(), st.sampled_from(list(neighbours(Kontra))))
def test_doubling_the_game_doubles_the_game_only(deal: Deal, step: tuple[Kontra, Kontra]) -> None:
    assume(not has_deduction(deal))
    once, twice = (score(replace(deal, game_kontra=kontra)) for kontra in step)
    assert twice.game == 2 * once.game
    assert twice.arrivazs == once.arrivazs


@given(deals(), st.sampled_from(list(neighbours(Kontra))))
def test_doubling_the_arrivazs_doubles_the_arrivazs_only(deal: Deal, step: tuple[Kontra, Kontra]) -> None:
    assume(deal.arrivazs is not Arrivazs.NONE)
    once, twice = (score(replace(deal, arrivazs_kontra=kontra)) for kontra in step)
    assert twice.arrivazs == 2 * once.arrivazs
    assert twice.game == once.game


@given(deals())
def test_doubling_leaves_the_deduction_as_it_is(deal: Deal) -> None:
    six_five = replace(deal, tricks=(6, 5, 0))
    six_four = replace(deal, tricks=(6, 4, 1))
    assert score(six_four).game - score(six_five).game == base(deal.contract, deal.trump)


@given(deals())
def test_swapping_the_opponents_changes_nothing(deal: Deal) -> None:
    declarer, left, right = deal.tricks
    assert score(replace(deal, tricks=(declarer, right, left))) == score(deal)


@given(deals())
def test_the_split_changes_nothing_but_with_six(deal: Deal) -> None:
    assume(deal.tricks[0] != 6)
    assert score(replace(deal, tricks=(deal.tricks[0], None, None))) == score(deal)


@given(deals(), st.sampled_from([trump for trump in Trump if trump is not Trump.NONE]))
def test_the_suits_are_equal(deal: Deal, suit: Trump) -> None:
    assume(deal.trump is not Trump.NONE)
    assert score(replace(deal, trump=suit)).points == score(deal).points


def test_the_steps_of_a_full_count() -> None:
    assert score(deal_from_text("hD 6-5-0 S A-K")).lines == (
        ScoreLine("game", "base", {"contract": "hand", "trump": "diamonds"}, 8),
        ScoreLine("game", "kontra", {"kontra": 3, "factor": 8}, 56),
        ScoreLine("game", "deduction", {"base": 8}, -8),
        ScoreLine("arrivazs", "lost", {}, -8),
        ScoreLine("arrivazs", "kontra", {"kontra": 1, "factor": 2}, -8),
    )


def test_the_steps_of_a_lost_game_with_an_idegen() -> None:
    assert score(deal_from_text("1S 3-4-4 R A*")).lines == (
        ScoreLine("game", "base", {"contract": "1", "trump": "spades"}, -6),
        ScoreLine("game", "overtricks", {"count": 2, "each": 3}, -6),
        ScoreLine("game", "kontra", {"kontra": 2, "factor": 4}, -36),
        ScoreLine("arrivazs", "idegen", {}, 16),
    )


def test_the_step_of_a_plain_game() -> None:
    assert score(deal_from_text("3N 6-4-1")).lines == (
        ScoreLine("game", "base", {"contract": "3", "trump": "none"}, 4),
    )


def test_a_count_is_a_value() -> None:
    deal = deal_from_text("2H 7-3-1 K A+")
    assert score(deal) == score(deal)
    assert hash(score(deal)) == hash(score(deal))


@pytest.mark.parametrize(("declarer", "opponents"), [(0, (0, 1)), (0, (1, 0)), (0, (1, 1))])
@pytest.mark.parametrize("text", ["2H 7", "2H 6-5-0"])
def test_three_different_seats_are_needed(text: str, declarer: int, opponents: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not all different"):
        payments(deal_from_text(text), declarer=declarer, opponents=opponents)
