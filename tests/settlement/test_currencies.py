"""Currencies by the CLDR: what is stored in their smallest units stays as it is, and payments by coins are whole."""

from scorekeeper.currencies import CASH_COINS, CURRENCIES, NOTES, USUAL, cash_coins, own

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
