"""Rounding of payments to a coin: by half a coin at most, the sum exact, and who gains by it."""

from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.amounts import Amount
from scorekeeper.money.cash import in_cash, to_coin
from scorekeeper.money.fewest_payments import fewest_payments
from scorekeeper.money.settlement import Transfer

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

amounts = st.integers(-10_000, 10_000) | st.fractions(-10_000, 10_000, max_denominator=12)
coins = st.sampled_from([1, 2, 5, 10, 50, 100])


@pytest.mark.parametrize(
    ("units", "coin", "rounded"),
    [
        *[(0, 5, 0), (1, 5, 0), (2, 5, 0), (3, 5, 5), (4, 5, 5), (5, 5, 5), (6, 5, 5), (7, 5, 5), (8, 5, 10)],
        *[(-2, 5, 0), (-3, 5, -5), (-7, 5, -5), (-8, 5, -10)],
        # At half a coin, and a unit or the least bit beside it.
        *[(24, 50, 0), (25, 50, 50), (26, 50, 50), (74, 50, 50), (75, 50, 100), (76, 50, 100)],
        *[(-24, 50, 0), (-25, 50, -50), (-26, 50, -50), (-74, 50, -50), (-75, 50, -100), (-76, 50, -100)],
        *[(49, 100, 0), (50, 100, 100), (51, 100, 100), (149, 100, 100), (150, 100, 200), (-150, 100, -200)],
        (5 * HALF, 5, 5),
        (5 * HALF - Fraction(1, 10**9), 5, 0),
        (5 * HALF + Fraction(1, 10**9), 5, 5),
        (-5 * HALF, 5, -5),
        *[(HALF, 1, 1), (-HALF, 1, -1), (THIRD, 1, 0), (2 * THIRD, 1, 1), (-2 * THIRD, 1, -1), (3 * HALF, 1, 2)],
        (10**30 + 3, 5, 10**30 + 5),
    ],
)
def test_a_half_is_rounded_away_from_zero(units: Amount, coin: int, rounded: int) -> None:
    assert to_coin(units, coin) == rounded
    assert type(to_coin(units, coin)) is int


@given(amounts, coins)
def test_rounding_moves_an_amount_by_half_a_coin_at_most(units: Amount, coin: int) -> None:
    rounded = to_coin(units, coin)
    assert rounded % coin == 0
    assert 2 * abs(rounded - units) <= coin
    assert to_coin(-units, coin) == -rounded
    assert to_coin(rounded, coin) == rounded


@pytest.mark.parametrize("coin", [0, -5])
def test_a_coin_is_worth_something(coin: int) -> None:
    with pytest.raises(ValueError, match="at least one unit"):
        to_coin(3, coin)


def test_each_payment_is_rounded_and_who_gains_is_told() -> None:
    cash = in_cash([Transfer(1, 0, 998), Transfer(2, 0, 1101), Transfer(2, 3, 50)], 5)
    assert cash.transfers == (Transfer(1, 0, 1000), Transfer(2, 0, 1100), Transfer(2, 3, 50))
    assert cash.gains == {0: 1, 1: -2, 2: 1}
    assert cash.left_out == ()


def test_a_payment_that_comes_to_no_coin_is_left_out_and_stays_open() -> None:
    cash = in_cash([Transfer(1, 0, 2), Transfer(2, 0, Fraction(7, 3)), Transfer(3, 0, Fraction(5, 2))], 5)
    assert cash.transfers == (Transfer(3, 0, 5),)
    assert cash.gains == {0: Fraction(5, 2) - 2 - Fraction(7, 3), 1: 2, 2: Fraction(7, 3), 3: Fraction(-5, 2)}
    assert cash.left_out == (Transfer(1, 0, 2), Transfer(2, 0, Fraction(7, 3)))


def test_rounding_that_cancels_out_is_not_told() -> None:
    cash = in_cash([Transfer(1, 0, 7), Transfer(2, 1, 7)], 5)
    assert cash.gains == {0: -2, 2: 2}


@pytest.mark.parametrize("coin", [1, 5])
def test_whole_coins_stay_as_they_are(coin: int) -> None:
    transfers = (Transfer(1, 0, 15), Transfer(2, 0, 20))
    assert in_cash(transfers, coin) == in_cash(iter(transfers), coin)
    assert (in_cash(transfers, coin).transfers, dict(in_cash(transfers, coin).gains)) == (transfers, {})


def left_open(balances: Iterable[Amount], transfers: Iterable[Transfer]) -> list[Amount]:
    left = list(balances)
    for transfer in transfers:
        left[transfer.payer] += transfer.points
        left[transfer.payee] -= transfer.points
    return left


@given(st.lists(amounts, min_size=1, max_size=7), coins)
def test_rounded_off_amounts_stay_open_exactly(some: list[Amount], coin: int) -> None:
    balances = [*some, -sum(some)]
    exact = fewest_payments(balances)
    cash = in_cash(exact, coin)
    assert sum(cash.gains.values()) == 0
    assert 0 not in cash.gains.values()
    # The gain is owed from now on.
    assert left_open(balances, cash.transfers) == [-cash.gains.get(seat, 0) for seat in range(len(balances))]
    assert [(each.payer, each.payee) for each in exact if to_coin(each.points, coin)] == [
        (each.payer, each.payee) for each in cash.transfers
    ]
    of_seat = [sum(seat in (each.payer, each.payee) for each in exact) for seat in range(len(balances))]
    assert all(2 * abs(gain) <= coin * of_seat[seat] for seat, gain in cash.gains.items())
