"""The currencies of a stake, and the formatting of amounts."""

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from babel import Locale
from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol, parse_pattern
from django.utils.translation import get_language

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Stake

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


def stake_of(per_point: Decimal | None, currency: str) -> Stake | None:
    """Return the stake of an evening, None for points only. Raise ValueError if no coin is that small."""
    return None if per_point is None else Stake(per_point, currency, CURRENCIES[currency])


def in_coins(amount: Amount, currency: str) -> Decimal:
    """Return an exact amount rounded to the currency's smallest coin, half to even."""
    decimals = CURRENCIES[currency]
    return Decimal(round(amount * 10**decimals)).scaleb(-decimals)


def written(amount: Decimal, currency: str, language: str) -> str:
    """Return an amount with its currency, as the language writes it: −1 200 Ft, €12.50."""
    shape = _shape(currency, language)
    prefix, suffix = shape.around_negative if amount.is_signed() else shape.around_positive
    return f"{prefix}{_digits(amount, shape)}{suffix}"


def money_words(amount: Decimal, currency: str) -> str:
    """Return an amount with its currency, in the user's language."""
    return written(amount, currency, get_language() or "hu")


def money_digits(amount: Decimal, currency: str) -> str:
    """Return an amount without sign and currency, in the user's language: 1 200, 12.50."""
    return _digits(amount, _shape(currency, get_language() or "hu"))


def exact_money(amount: Amount, currency: str) -> str:
    """Return an exact amount, rounded to coins, with its currency, in the user's language."""
    return money_words(in_coins(amount, currency), currency)


class _Shape(NamedTuple):
    """A language's notation of amounts of a currency: the text before, after and between thousands, and the point."""

    around_positive: tuple[str, str]
    around_negative: tuple[str, str]
    group: str
    point: str


@cache
def _shape(currency: str, language: str) -> _Shape:
    """Return the shape by Babel, which takes a tenth of a millisecond for an amount; a year's page has hundreds."""
    locale = Locale.parse(language)
    symbol, shape = get_currency_symbol(currency, locale), locale.currency_formats["standard"].pattern
    if symbol[-1].isalpha():
        shape = shape.replace("¤#", "¤\xa0#")  # HUF 1,200: a space separates letters from a figure
    pattern = parse_pattern(shape)
    around = zip(pattern.prefix, pattern.suffix, strict=True)
    positive, negative = ((_words(before, symbol), _words(after, symbol)) for before, after in around)
    return _Shape(positive, negative, get_group_symbol(locale), get_decimal_symbol(locale))


def _digits(amount: Decimal, shape: _Shape) -> str:
    whole, _point, part = f"{abs(amount):,.{max(-int(amount.as_tuple().exponent), 0)}f}".partition(".")
    return f"{whole.replace(',', shape.group)}{shape.point if part else ''}{part}"


def _words(part: str, symbol: str) -> str:
    return part.replace("¤", symbol).replace("-", "−")
