"""The count: its values, the steps by which it explains itself, and the worth of a hand that is still played."""

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
from scorekeeper.games.asszorti.scoring import worth
from scorekeeper.games.asszorti.seating import Sides
from scorekeeper.games.base import ScoreLine


def test_the_steps_of_a_full_count() -> None:
    assert score(deal_from_text("hD 6-5-0 S A-K")).lines == (
        ScoreLine("game", "base", {"contract": "hand", "trump": "diamonds"}, 8),
        ScoreLine("game", "kontra", {"kontra": 3, "factor": 8}, 56),
        ScoreLine("game", "deduction", {"base": 8}, -8),
        ScoreLine("arrivazs", "lost", {}, -8),
        ScoreLine("arrivazs", "kontra", {"kontra": 1, "factor": 2}, -8),
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
