"""Money of a stake, points in whole units, and currencies."""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.currencies import CASH_COINS, CURRENCIES, NOTES, USUAL, cash_coins, own
from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Stake, in_whole_units, left_to_the_cut


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
        (Stake(Decimal("0.010"), "EUR", 2), 1, "0.01"),
        (Stake(Decimal(1000000000), "EUR", 2), 1, "1000000000.00"),
        (Stake(Decimal(1), "EUR", 0), 1, "1"),
        (Stake(Decimal("0.0001"), "EUR", 4), 1, "0.0001"),
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


NO_STAKES = ("0", "-0", "-1", "0.001", "1.005", "NaN", "sNaN", "Infinity", "-Infinity", "1E+999999", "1E-999999")


@pytest.mark.parametrize("per_point", [*map(Decimal, (*NO_STAKES, "1000000000.01")), 0.5, 1, "1", None])
def test_a_stake_that_cannot_be_paid_is_refused(per_point: Any) -> None:
    with pytest.raises(ValueError, match=r"stake|decimals"):
        Stake(per_point, "EUR", 2)


def test_a_currency_is_three_capital_letters_with_none_to_four_decimals() -> None:
    for currency in ("", "EU", "EURO", "eur", "EUR\n", "E1R", "ÁÉÍ", "€", " EUR"):
        with pytest.raises(ValueError, match="three capital letters"):
            Stake(Decimal(1), currency, 2)
    for decimals in (-1, 5, 2.0, "2", True, None):
        with pytest.raises(ValueError, match="decimals"):
            Stake(Decimal(1), "EUR", decimals)  # type: ignore[arg-type]


# --- Payments are whole: docs/rules/preference.md §7, for any game that shares points out ---


def test_the_missing_units_go_to_the_largest_fractions_and_of_equals_by_the_cut() -> None:
    third = Fraction(1, 3)
    results = (262 + 2 * third, -323 - third, 60 + 2 * third)
    cuts = {(): (263, -323, 60), (2, 1): (262, -323, 61), (2,): (263, -324, 61)}
    assert {cut: in_whole_units(results, cut) for cut in cuts} == cuts
    assert in_whole_units((Fraction(1, 4), Fraction(3, 4), Fraction(-1, 2), Fraction(-1, 2))) == (0, 1, 0, -1)


@given(st.lists(st.fractions(-1000, 1000, max_denominator=4), min_size=1, max_size=4), st.permutations(range(5)))
def test_the_sum_holds_and_nobody_moves_by_a_unit(some: list[Fraction], cut: list[int]) -> None:
    amounts = [*some, -sum(some, Fraction())]
    whole = in_whole_units(amounts, cut)
    assert sum(whole) == 0
    assert all(abs(units - amount) < 1 for units, amount in zip(whole, amounts, strict=True))


@given(st.lists(st.fractions(-9, 9, max_denominator=4), min_size=1, max_size=3))
def test_seats_told_are_those_that_another_cut_would_move(some: list[Fraction]) -> None:
    amounts = [*some, -sum(some, Fraction())]
    left = left_to_the_cut(amounts)
    whole = [in_whole_units(amounts, cut) for cut in permutations(range(len(amounts)))]
    moved = tuple(seat for seat, units in enumerate(zip(*whole, strict=True)) if len(set(units)) > 1)
    assert moved == (left.seats if left else ())
    if left:
        assert {sum(units[seat] - amounts[seat] // 1 for seat in left.seats) for units in whole} == {left.units}


@pytest.mark.parametrize("ask", [in_whole_units, left_to_the_cut])
def test_amounts_that_sum_to_no_whole_number_are_refused(ask: Callable[[Sequence[Amount]], object]) -> None:
    with pytest.raises(ValueError, match="1/2"):
        ask((Fraction(1, 2), 0))


# --- Currencies by the CLDR ---


#: Decimals of currencies that have not two. A new release of Babel must not change them: amounts that are stored would
#: become a hundred times as much, or as little. One that must change needs a migration, and an entry in currencies.py.
WITHOUT_CENTS = """
ADP AFN ALL BIF BYR CLP DJF ESP GNF HUF IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PYG RSD RWF SLL
SOS STD SYP TMM TRL UGX VND VUV XAF XOF XPF YER ZMK ZWD
"""
WITH_THREE = "BHD JOD KWD LYD OMR TND"


def test_decimals_are_those_by_which_amounts_are_stored() -> None:
    assert {code: decimals for code, decimals in CURRENCIES.items() if decimals != 2} == {
        **dict.fromkeys(WITHOUT_CENTS.split(), 0),
        **dict.fromkeys(WITH_THREE.split(), 3),
    }


def test_usual_currencies_are_known_with_their_coins_and_notes() -> None:
    assert list(CASH_COINS) == list(NOTES) == list(USUAL)
    assert [CURRENCIES[code] for code in USUAL] == [0, 2, 2, 2, 2, 2, 0, 2, 2, 2]
    for currency, notes in NOTES.items():
        assert list(notes) == sorted(set(notes))
        for coin in CASH_COINS[currency]:
            assert coin in notes
            assert coin > 1, "the smallest unit rounds nothing"
            assert all(note % coin == 0 for note in notes if note >= coin)


def test_cash_of_any_currency_is_rounded_to_its_smallest_coin() -> None:
    coins = {"HUF": (5,), "SEK": (100,), "DKK": (50,), "CAD": (5,), "JPY": (), "points:toy": (), "XXX": ()}
    assert {currency: cash_coins(currency) for currency in coins} == coins


def test_own_currency_is_that_of_the_time_zone_s_country() -> None:
    zones = {"Europe/Budapest": "HUF", "Europe/Stockholm": "SEK", "Europe/Vienna": "EUR", "UTC": "HUF"}
    assert {zone: own(zone) for zone in zones} == zones
