"""Two who note one hand may not be equally careful with a split that changes nothing."""

from dataclasses import replace

import pytest
from hypothesis import given

from scorekeeper.games.asszorti import Deal, deal_from_text, reads_as, score
from tests.strategies import deals


@pytest.mark.parametrize(
    ("one", "other"),
    [("2H 7", "2H 7-3-1"), ("2H 7-4-0", "2H 7-3-1"), ("1S 6-5-0", "1S 6-0-5"), ("1S 6-4-1", "1S 6-2-3")],
)
def test_a_split_that_changes_nothing_makes_no_other_hand(one: str, other: str) -> None:
    assert reads_as(deal_from_text(one), deal_from_text(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2H 7", "2H 8"),
        ("2H 7", "2D 7"),
        ("2H 7", "1H 7"),
        ("2H 7", "2H 7 K"),
        ("2H 7", "2H 7 A+"),
        ("2H 7 A+", "2H 7 A+K"),
        ("1S 6-5-0", "1S 6-4-1"),
    ],
)
def test_what_changes_the_count_makes_another(one: str, other: str) -> None:
    assert not reads_as(deal_from_text(one), deal_from_text(other))


@given(deals())
def test_without_its_split_a_deal_reads_the_same_unless_somebody_took_none_of_eleven(deal: Deal) -> None:
    declarer, *others = deal.tricks
    if declarer == 6:
        turned = replace(deal, tricks=(6, others[1], others[0]))
    else:
        turned = replace(deal, tricks=(declarer, None, None))
    assert reads_as(deal, turned)
    assert score(deal).points == score(turned).points
