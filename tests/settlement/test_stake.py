from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.money.settlement import Stake


@pytest.mark.parametrize(
    ("stake", "points", "money"),
    [
        (Stake(Decimal(10), "HUF", 0), 144, "1440"),
        (Stake(Decimal("10.00"), "HUF", 0), -3, "-30"),
        (Stake(Decimal("1E+2"), "HUF", 0), 7, "700"),
        (Stake(Decimal("0.05"), "EUR", 2), 1, "0.05"),
        (Stake(Decimal("0.05"), "EUR", 2), 40, "2.00"),
        (Stake(Decimal("0.1"), "EUR", 2), 3, "0.30"),
        (Stake(Decimal(1), "EUR", 2), 0, "0.00"),
        (Stake(Decimal("0.001"), "KWD", 3), -1, "-0.001"),
    ],
)
def test_money_is_written_with_the_currencys_own_decimals(stake: Stake, points: int, money: str) -> None:
    assert str(stake.money(points)) == money


@given(st.integers(1, 10**11), st.integers(0, 4), st.integers(-(10**30), 10**30))
def test_money_is_exact_whatever_the_context(coins: int, decimals: int, points: int) -> None:
    per_point = Decimal(f"{min(coins, 10 ** (9 + decimals))}E-{decimals}")
    with localcontext(prec=3):
        money = Stake(per_point, "EUR", decimals).money(points)
    assert Fraction(money) == Fraction(per_point) * points
    assert money.as_tuple().exponent == -decimals


@given(st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_money_adds_up(some: int, more: int) -> None:
    stake = Stake(Decimal("0.15"), "EUR", 2)
    assert stake.money(some) + stake.money(more) == stake.money(some + more)


@pytest.mark.parametrize(
    "per_point",
    [
        *map(Decimal, ("0", "-0", "-1", "0.001", "1.005", "NaN", "sNaN", "Infinity", "-Infinity")),
        *map(Decimal, ("1E+999999", "1E-999999", "1000000000.01")),
        0.5,
        1,
        "1",
        None,
    ],
)
def test_a_stake_that_cannot_be_paid_is_refused(per_point: Any) -> None:
    with pytest.raises(ValueError, match=r"stake|decimals"):
        Stake(per_point, "EUR", 2)


@pytest.mark.parametrize(
    ("per_point", "decimals"),
    [(Decimal("0.01"), 2), (Decimal("0.010"), 2), (Decimal(1000000000), 2), (Decimal(1), 0), (Decimal("0.0001"), 4)],
)
def test_the_limits_themselves_are_allowed(per_point: Decimal, decimals: int) -> None:
    assert Stake(per_point, "EUR", decimals).money(1) == per_point


@pytest.mark.parametrize("currency", ["", "EU", "EURO", "eur", "EUR\n", "E1R", "ÁÉÍ", "€", " EUR"])
def test_a_currency_is_three_capital_letters(currency: str) -> None:
    with pytest.raises(ValueError, match="three capital letters"):
        Stake(Decimal(1), currency, 2)


@pytest.mark.parametrize("decimals", [-1, 5, 2.0, "2", True, None])
def test_a_currency_has_none_to_four_decimals(decimals: Any) -> None:
    with pytest.raises(ValueError, match="decimals"):
        Stake(Decimal(1), "EUR", decimals)
