"""Properties of every possible hand of Tarokk."""

from dataclasses import fields, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games import tarokk
from scorekeeper.games.base import Place
from scorekeeper.games.tarokk import (
    BOOK,
    GAME,
    Band,
    Rules,
    Tie,
    amounts,
    deal_from_text,
    deal_to_text,
    payments,
    places,
    reads_as,
    score,
    settling,
)
from tests.games import registered
from tests.games.tarokk.hands import some_hand

chances = st.randoms(use_true_random=False)


def some_rules(chance: Random) -> Rules:
    rules = registered.some_rules(tarokk.GAME, chance)
    assert isinstance(rules, Rules)
    return rules


@given(chances)
def test_it_sums_to_zero_and_the_pairs_net_to_the_amounts(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    paid = payments(deal, seats=(0, 1, 2, 3), rules=rules)
    assert len({frozenset((each.payer, each.payee)) for each in paid}) == len(paid)
    total = [0, 0, 0, 0]
    for each in paid:
        total[each.payer] -= each.points
        total[each.payee] += each.points
    assert tuple(total) == amounts(deal, rules)
    assert sum(total) == 0


@given(chances)
def test_partners_get_the_same_but_for_tarokks(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    counted = score(deal, rules)
    assert sum(line.amount for line in counted.lines) == counted.points
    for place, got in enumerate(amounts(deal, rules)):
        sign = 1 if deal.side_of(place).value == "D" else -1
        alone = 3 if deal.partner is None and place == 0 else 1
        tarokks = 4 * counted.tarokks[place] - sum(counted.tarokks)
        assert got == sign * alone * counted.points + tarokks


@given(chances)
def test_swapping_the_opponents_moves_only_pairs(chance: Random) -> None:
    """The order of the two opponents changes the pairs that settle, and nothing else."""
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    first, second = [place for place in (1, 2, 3) if place != deal.partner][:2]
    swapped = list(deal.tarokks)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    one, other = amounts(deal, rules), amounts(replace(deal, tarokks=tuple(swapped), rules=rules), rules)
    order = [0, 1, 2, 3]
    order[first], order[second] = second, first
    assert [other[place] for place in order] == list(one)
    assert len(settling(deal)) == (3 if deal.partner is None else 2)


@given(chances)
def test_it_has_one_spelling(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    text = deal_to_text(deal)
    assert deal_from_text(text, rules) == deal
    assert deal_to_text(deal_from_text(text, rules)) == text
    assert len(text) <= 100


@given(chances)
def test_a_band_counts_as_any_number_in_it(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    if not isinstance(deal.points, int):
        return
    if rules.tie_47 is not Tie.OPPONENTS and Band.of(deal.points) is Band.FROM_24:
        return  # its own vectors
    banded = replace(deal, points=Band.of(deal.points), rules=rules)
    assert amounts(banded, rules) == amounts(deal, rules)
    assert reads_as(banded, deal, rules)
    assert reads_as(deal, banded, rules)


@given(chances)
def test_everything_that_is_noted_makes_another_hand(chance: Random) -> None:
    deal, other = (some_hand(chance, BOOK) for _ in range(2))
    same = all(getattr(deal, each.name) == getattr(other, each.name) for each in fields(deal) if each.name != "points")
    assert not reads_as(deal, other) or same


@given(chances, st.integers(0, 4), st.sampled_from([4, 5]))
def test_who_sits_out_neither_pays_nor_receives(chance: Random, dealer: int, seats: int) -> None:
    rules = some_rules(chance)
    sitting = tuple(chance.sample(range(6), seats))
    dealer = sitting[dealer % seats]
    declarer, deal = chance.choice([seat for seat in sitting if seats == 4 or seat != dealer]), some_hand(chance, rules)
    written = GAME.count(deal, Place(sitting, dealer, declarer), (), rules).entries
    four = places(sitting, dealer, declarer)
    assert {seat for entry in written for seat in (entry.seat, entry.against)} <= set(four)
    expected = amounts(deal, rules)
    for place, seat in enumerate(four):
        got = sum(entry.amount * ((entry.against == seat) - (entry.seat == seat)) for entry in written)
        assert got == expected[place]
