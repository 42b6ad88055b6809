"""The currencies of a stake, and the formatting of amounts."""

from decimal import Decimal

from babel import Locale
from babel.numbers import get_currency_symbol, parse_pattern
from django.utils.translation import pgettext_lazy

from scorekeeper.games.base import Amount
from scorekeeper.settlement import Stake

#: ISO 4217 codes, with the decimals to which each is rounded. The forint and the dinar have no smaller unit any more,
#: though ISO still lists two decimals for them.
CURRENCIES = {
    "HUF": 0,
    "EUR": 2,
    "USD": 2,
    "GBP": 2,
    "CHF": 2,
    "RON": 2,
    "RSD": 0,
    "UAH": 2,
    "CZK": 2,
    "PLN": 2,
}

#: The coins to which each is rounded where it is paid in cash, in its smallest unit; () if it is not rounded (2026).
#: By law: forint, koruna, hryvnia (since October 2025), and in some countries the euro. Of francs there is no smaller
#: coin than 5 rappen, and of dollars no cents are struck any more.
CASH_COINS = {
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

#: The coins and notes that are given out, in the smallest unit, the smallest first.
NOTES = {
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

#: The unit in which each is paid, as it is said after 'rounded to'; '' is for points.
UNITS = {
    "": pgettext_lazy("rounded to", "whole points"),
    "HUF": pgettext_lazy("rounded to", "whole forints"),
    "EUR": pgettext_lazy("rounded to", "whole cents"),
    "USD": pgettext_lazy("rounded to", "whole cents"),
    "GBP": pgettext_lazy("rounded to", "whole pence"),
    "CHF": pgettext_lazy("rounded to", "whole rappen"),
    "RON": pgettext_lazy("rounded to", "whole bani"),
    "RSD": pgettext_lazy("rounded to", "whole dinars"),
    "UAH": pgettext_lazy("rounded to", "whole kopiykas"),
    "CZK": pgettext_lazy("rounded to", "whole hellers"),
    "PLN": pgettext_lazy("rounded to", "whole groszes"),
}


def unit_words(currency: str) -> str:
    """Return the unit to which payments are rounded: 'whole forints'; 'whole points' if `currency` is ''."""
    return str(UNITS[currency])


def stake_of(per_point: Decimal | None, currency: str) -> Stake | None:
    """Return the stake of an evening, None for points only. Raise ValueError if no coin is that small."""
    return None if per_point is None else Stake(per_point, currency, CURRENCIES[currency])


def in_coins(amount: Amount, currency: str) -> Decimal:
    """Return an exact amount rounded to the currency's smallest coin, half to even."""
    decimals = CURRENCIES[currency]
    return Decimal(round(amount * 10**decimals)).scaleb(-decimals)


def written(amount: Decimal, currency: str, language: str) -> str:
    """Return an amount with its currency, as the language writes it: −1 200 Ft, €12.50."""
    locale = Locale.parse(language)
    decimals = max(-int(amount.as_tuple().exponent), 0)
    shape = locale.currency_formats["standard"].pattern
    if get_currency_symbol(currency, locale)[-1].isalpha():
        shape = shape.replace("¤#", "¤\xa0#")  # HUF 1,200: letters do not stand right before a figure
    pattern = parse_pattern(shape)
    pattern.frac_prec = decimals, decimals
    text: str = pattern.apply(amount, locale, currency=currency, currency_digits=False)
    return text.replace("-", "−")
