"""Suggested payments: the vectors, and that paying them in any order leaves everybody even."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import (
    Transfer,
    fewest_payments,
    in_whole_coins,
    is_even,
    pairs_in_whole_coins,
    suggested_payments,
)
from tests.games.vectors import lines

VECTORS = Path(__file__).parent / "vectors" / "suggested_payments.txt"
FORINTS = (5, 10, 20, 50, 100, 200, 500, 1000)


def vectors() -> list[Any]:
    return [pytest.param(*(part.strip() for part in line.split("|")), id=at) for at, line in lines(VECTORS)]


def written(payments: tuple[Transfer, ...]) -> str:
    return " ".join(f"{each.payer}>{each.payee}:{each.points}" for each in payments)


@pytest.mark.parametrize(("coin", "balances", "whole", "payments"), vectors())
def test_vector(coin: str, balances: str, whole: str, payments: str) -> None:
    amounts = [Fraction(amount) for amount in balances.split()]
    assert " ".join(map(str, in_whole_coins(amounts, int(coin)))) == whole
    assert written(suggested_payments(amounts, int(coin))) == payments
    assert is_even(amounts, int(coin)) == (not payments)


@st.composite
def balances(draw: st.DrawFn) -> list[Amount]:
    """Balances of up to eight people, often equal and often such that parts of them sum to zero, whole or in parts."""
    parts = draw(st.sampled_from((1, 1, 2, 3, 12)))
    most = draw(st.sampled_from((3, 12, 400)))
    some = [Fraction(units, parts) for units in draw(st.lists(st.integers(-most, most), min_size=1, max_size=7))]
    return list(draw(st.permutations([*some, -sum(some)])))


coins = st.sampled_from((1, 1, 2, 5))


def after(amounts: Sequence[Amount], *made: Transfer) -> list[Amount]:
    left = list(amounts)
    for paid in made:
        left[paid.payer] += paid.points
        left[paid.payee] -= paid.points
    return left


@given(balances(), coins)
def test_whole_coins_sum_to_zero_and_are_the_nearest_where_these_do(amounts: list[Amount], coin: int) -> None:
    whole = in_whole_coins(amounts, coin)
    assert sum(whole) == 0
    assert all(units % coin == 0 and abs(units - amount) < coin for units, amount in zip(whole, amounts, strict=True))
    nearest = [coin * round(Fraction(amount) / coin) for amount in amounts]
    is_clear = all((Fraction(amount) / coin).denominator != 2 for amount in amounts)
    assert not is_clear or sum(nearest) or list(whole) == nearest


@given(balances(), coins, st.sampled_from(((), FORINTS)), st.data())
def test_lines_paid_in_any_order_leave_the_others_as_they_are_and_everybody_even(
    amounts: list[Amount], coin: int, notes: tuple[int, ...], data: st.DataObject
) -> None:
    lines = suggested_payments(amounts, coin, notes)
    assert bool(lines) != is_even(amounts, coin)
    assert len(lines) <= len(fewest_payments(in_whole_coins(amounts, coin)))
    order = data.draw(st.permutations(lines))
    for count in range(len(order) + 1):
        made, rest = order[:count], order[count:]
        assert suggested_payments(amounts, coin, notes, made) == tuple(sorted(rest))
        assert is_even(after(amounts, *made), coin) == (not rest)


@given(balances(), coins, st.data())
def test_part_of_a_line_leaves_the_rest_of_it_and_the_others(
    amounts: list[Amount], coin: int, data: st.DataObject
) -> None:
    lines = [line for line in suggested_payments(amounts, coin) if line.points > coin]
    if not lines:
        return
    line = data.draw(st.sampled_from(lines))
    part = coin * data.draw(st.integers(1, int(line.points) // coin - 1))
    made = Transfer(line.payer, line.payee, part)
    others, rest = {*suggested_payments(amounts, coin)} - {line}, Transfer(line.payer, line.payee, line.points - part)
    shown = {*suggested_payments(amounts, coin, made=[made])}
    assert shown in (others | {rest}, others), "the rest is gone if its two are even without it"
    assert bool(shown) != is_even(after(amounts, made), coin)


@given(balances(), coins, st.sampled_from(((), FORINTS)), st.data())
def test_line_paid_after_any_payments_leaves_the_others_as_they_are(
    amounts: list[Amount], coin: int, notes: tuple[int, ...], data: st.DataObject
) -> None:
    pairs = st.permutations(range(len(amounts))).map(lambda seats: seats[:2])
    some = st.lists(st.tuples(pairs, st.integers(1, 30)), max_size=6)
    made = [Transfer(payer, payee, units) for (payer, payee), units in data.draw(some)]
    lines = suggested_payments(amounts, coin, notes, made)
    assert bool(lines) != is_even(after(amounts, *made), coin)
    for line in data.draw(st.permutations(lines)):
        made.append(line)
        lines = tuple(each for each in lines if each != line)
        assert suggested_payments(amounts, coin, notes, made) == lines
    assert is_even(after(amounts, *made), coin)


def test_line_paid_after_three_other_payments_leaves_the_others_as_they_are() -> None:
    made = [Transfer(3, 2, 16), Transfer(1, 3, 17), Transfer(0, 2, 17)]
    shown = [
        suggested_payments((25, 13, 4, -11, -31), 5, FORINTS, more) for more in (made, [*made, Transfer(3, 0, 10)])
    ]
    assert [written(lines) for lines in shown] == ["2>1:30 3>0:10 4>0:30", "2>1:30 4>0:30"]


def test_rest_of_a_line_is_gone_where_everybody_is_even_without_it() -> None:
    assert written(suggested_payments((8, -8), 5)) == "1>0:10"
    assert suggested_payments((8, -8), 5, made=[Transfer(1, 0, 5)]) == ()
    assert written(suggested_payments((12, -12), 5, made=[Transfer(1, 0, 5)])) == "1>0:5"


@given(balances(), coins, st.data())
def test_any_other_payment_finds_the_lines_anew(amounts: list[Amount], coin: int, data: st.DataObject) -> None:
    payer, payee = data.draw(st.permutations(range(len(amounts))))[:2]
    units = data.draw(st.integers(1, 500))
    expected = {(line.payer, line.payee): line.points for line in suggested_payments(amounts, coin)}
    rest = expected.get((payer, payee), -1) - units
    if rest < 0 or rest % coin:
        made = Transfer(payer, payee, units)
        assert suggested_payments(amounts, coin, made=[made]) == suggested_payments(after(amounts, made), coin)


@given(st.data())
def test_debts_of_pairs_in_whole_coins_leave_everybody_even(data: st.DataObject) -> None:
    coin, players = data.draw(st.sampled_from((1, 1, 5))), range(data.draw(st.integers(2, 6)))
    thirds = st.integers(0, 300).map(lambda number: Fraction(number, data.draw(st.sampled_from((1, 2, 3, 5)))))
    pairs = {pair: data.draw(thirds) for pair in combinations(players, 2)}
    whole = pairs_in_whole_coins(pairs, coin)
    assert whole.keys() == pairs.keys()
    left = dict.fromkeys(players, Fraction(0))
    for (payer, payee), owed in pairs.items():
        assert abs(whole[payer, payee] - owed) < coin
        assert whole[payer, payee] % coin == 0
        left[payer] += whole[payer, payee] - owed
        left[payee] -= whole[payer, payee] - owed
    assert is_even(left.values(), coin)
