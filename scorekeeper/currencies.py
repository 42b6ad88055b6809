"""The world's currencies by ISO 4217, with the decimals that the CLDR has for each, which Babel brings.

What a circle owes is stored in a currency's smallest unit: a change of a currency's decimals would change what is owed.
"""

from collections.abc import Mapping
from typing import Final

from babel.core import get_global

#: The forint has no smaller unit any more, though ISO still lists two decimals for it.
_WITHOUT_SMALLER_UNIT: Final = frozenset({"HUF"})


def _decimals() -> dict[str, int]:
    """Return the decimals of each currency that is or was legal tender anywhere."""
    fractions = get_global("currency_fractions")
    of_territories = get_global("territory_currencies").values()
    tender = {code for each in of_territories for code, _since, _until, is_tender in each if is_tender}
    return {
        code: 0 if code in _WITHOUT_SMALLER_UNIT else fractions.get(code, fractions["DEFAULT"])[0]
        for code in sorted(tender)
    }


#: ISO 4217 codes, with the decimals to which each is rounded.
CURRENCIES: Final[Mapping[str, int]] = _decimals()
#: Those that are offered everywhere, in this order; any other is typed by its code.
USUAL: Final = ("HUF", "EUR", "USD", "GBP", "CHF", "RON", "RSD", "UAH", "CZK", "PLN")

#: The coins to which the usual ones are rounded where they are paid in cash, in the smallest unit; () if it is not
#: rounded (2026). By law: forint, koruna, hryvnia (since October 2025), and in some countries the euro. Of francs there
#: is no smaller coin than 5 rappen, and of dollars no cents are struck any more.
CASH_COINS: Final[Mapping[str, tuple[int, ...]]] = {
    "HUF": (5,),
    "EUR": (5,),
    "USD": (5,),
    "GBP": (),
    "CHF": (5,),
    "RON": (),
    "RSD": (),
    "UAH": (50,),
    "CZK": (100,),
    "PLN": (),
}

#: The coins and notes of the usual ones that are given out, in the smallest unit, the smallest first.
NOTES: Final[Mapping[str, tuple[int, ...]]] = {
    "HUF": (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000),
    "EUR": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000),
    "USD": (1, 5, 10, 25, 100, 500, 1_000, 2_000, 5_000, 10_000),
    "GBP": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000),
    "CHF": (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 100_000),
    "RON": (1, 5, 10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000),
    "RSD": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000),
    "UAH": (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000),
    "CZK": (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000),
    "PLN": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000),
}


def own(time_zone: str) -> str:
    """Return the currency of the country of a time zone, the first of the usual ones for a zone without a country."""
    territory = get_global("zone_territories").get(time_zone, "")
    found = get_global("territory_currencies").get(territory, ())
    return next((code for code, _since, until, is_tender in found if is_tender and until is None), USUAL[0])


def cash_coins(currency: str) -> tuple[int, ...]:
    """Return the coins to which a currency is rounded where it is paid in cash, in its smallest unit; () if to none."""
    if currency in CASH_COINS or currency not in CURRENCIES:
        return CASH_COINS.get(currency, ())
    fractions = get_global("currency_fractions")
    decimals, rounding = fractions.get(currency, fractions["DEFAULT"])[2:]  # of cash
    coin = max(rounding, 1) * 10 ** max(CURRENCIES[currency] - decimals, 0)
    return (coin,) if coin > 1 else ()
