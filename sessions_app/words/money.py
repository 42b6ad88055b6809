"""The formatting of amounts, and the currencies that are offered."""

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from babel import Locale
from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol, parse_pattern
from django.conf import settings
from django.utils.translation import get_language, to_locale

from scorekeeper.currencies import CURRENCIES, USUAL, own
from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Stake


@cache
def locale_of(language: str) -> Locale:
    """Return Babel's locale of a language as Django names it: 'pt-br'."""
    return Locale.parse(to_locale(language))


def language() -> str:
    """Return the user's language."""
    return get_language() or settings.LANGUAGE_CODE


@cache
def _offered(time_zone: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((own(time_zone), *USUAL)))


def offered_currencies() -> tuple[str, ...]:
    """Return the currencies of a list to choose from: that of the server's country first, which is chosen at first."""
    return _offered(settings.TIME_ZONE)


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
    return written(amount, currency, language())


def money_digits(amount: Decimal, currency: str) -> str:
    """Return an amount without sign and currency, in the user's language: 1 200, 12.50."""
    return _digits(amount, _shape(currency, language()))


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
    locale = locale_of(language)
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
