"""The worth of a hand that is still played, against docs/rules/asszorti.md §8 and the count of every end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump, score
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.scoring import worth
from scorekeeper.games.asszorti.seating import Sides

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


@pytest.mark.parametrize("announced", [False, True])
def test_worth_of_the_game_does_not_hang_on_the_arrivazs(announced: bool) -> None:
    plain = worth(Announcement(Contract.ONE, Trump.CLUBS), Doubling(SIDES))
    with_arrivazs = worth(Announcement(Contract.ONE, Trump.CLUBS, announced), Doubling(SIDES, announced))
    assert with_arrivazs.game == plain.game
