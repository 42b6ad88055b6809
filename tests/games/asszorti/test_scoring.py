"""The count: its values, the steps by which it explains itself, and the worth of a hand that is still played."""

from dataclasses import replace

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
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.scoring import worth
from scorekeeper.games.asszorti.seating import Sides
from scorekeeper.games.base import ScoreLine
from tests.strategies import deals


@pytest.mark.parametrize(
    ("contract", "trumps", "no_trumps"),
    [(Contract.THREE, 2, 4), (Contract.TWO, 4, 8), (Contract.ONE, 6, 12), (Contract.HAND, 8, 16)],
)
def test_the_contracts_are_worth_what_the_table_says(contract: Contract, trumps: int, no_trumps: int) -> None:
    for trump in Trump:
        worth = no_trumps if trump is Trump.NONE else trumps
        assert base(contract, trump) == worth
        assert overtrick(contract, trump) * 2 == worth


@given(deals())
def test_the_split_changes_nothing_but_with_six(deal: Deal) -> None:
    assume(deal.tricks[0] != 6)
    assert score(replace(deal, tricks=(deal.tricks[0], None, None))) == score(deal)


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


@pytest.mark.parametrize(("declarer", "opponents"), [(0, (0, 1)), (0, (1, 0)), (0, (1, 1))])
@pytest.mark.parametrize("text", ["2H 7", "2H 6-5-0"])
def test_three_different_seats_are_needed(text: str, declarer: int, opponents: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not all different"):
        payments(deal_from_text(text), declarer=declarer, opponents=opponents)


SIDES = Sides(2, 0, 1)


def doubled(announced: bool, game: Kontra, arrivazs: Kontra) -> Doubling:
    return Doubling(SIDES, announced).at_level(Item.GAME, game).at_level(Item.ARRIVAZS, arrivazs)


def test_two_with_trumps_is_worth_what_the_rule_sheet_says() -> None:
    figures = worth(Announcement(Contract.TWO, Trump.HEARTS), Doubling(SIDES))
    assert figures.game == (-14, -12, -10, -8, -6, -4, 4, 6, 8, 10, 12, 14)
    assert (figures.six_five_nil, figures.arrivazs) == (0, {})


def test_kontra_doubles_each_item_by_itself_and_not_the_deduction() -> None:
    announced = Announcement(Contract.TWO, Trump.HEARTS, True)
    figures = worth(announced, doubled(True, Kontra.REKONTRA, Kontra.KONTRA))
    assert (figures.game[6], figures.game[7], figures.six_five_nil) == (16, 24, 12)
    assert figures.arrivazs == {Arrivazs.WON: 16, Arrivazs.IDEGEN: 32, Arrivazs.LOST: -16}


def test_there_is_no_idegen_at_no_trumps() -> None:
    announced = Announcement(Contract.THREE, Trump.NONE, True)
    assert worth(announced, Doubling(SIDES, True)).arrivazs == {Arrivazs.WON: 16, Arrivazs.LOST: -16}


kontras = st.sampled_from(Kontra)


@given(st.sampled_from(Contract), st.sampled_from(Trump), kontras, kontras, st.integers(0, 11), st.data())
def test_worth_is_the_count_of_the_hand_that_ends_so(
    contract: Contract, trump: Trump, game: Kontra, on_arrivazs: Kontra, tricks: int, data: st.DataObject
) -> None:
    figures = worth(Announcement(contract, trump, True), doubled(True, game, on_arrivazs))
    outcome = data.draw(st.sampled_from(list(figures.arrivazs)))
    if (outcome is Arrivazs.LOST and tricks == 11) or (outcome is not Arrivazs.LOST and tricks < 3):
        return
    left = data.draw(st.integers(0, 11 - tricks))
    counted = score(Deal(contract, trump, (tricks, left, 11 - tricks - left), game, outcome, on_arrivazs))
    six_five_nil = tricks == 6 and left in (0, 5)
    expected = figures.six_five_nil if six_five_nil else figures.game[tricks]
    assert (counted.game, counted.arrivazs) == (expected, figures.arrivazs[outcome])
