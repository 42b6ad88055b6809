"""Words and figures in the user's language, common to all games: names, numbers, days, typed numbers, money."""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from babel import Locale
from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol, parse_pattern
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, pgettext, to_locale
from django.utils.translation import gettext as _

from scorekeeper.currencies import CURRENCIES, USUAL, own
from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Stake

type Words = str | Promise

# --- Numbers and days: a sign before each number, thirds as a fraction after the whole ---

_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_ONE_SIGN: Final = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}


def signed(number: Amount) -> str:
    """Return a number with its sign: +12, −12, −323⅓, 0."""
    if not number:
        return "0"
    return f"+{unsigned(number)}" if number > 0 else f"−{unsigned(-number)}"


def unsigned(number: Amount) -> str:
    """Return a number above zero without a sign: 12, 323⅓."""
    if isinstance(number, int):
        return str(number)
    whole, rest = divmod(Fraction(number), 1)
    return f"{whole}{_part(rest)}" if whole or not rest else _part(rest)


def minus(number: int) -> str:
    """Return a number with a typographic minus and no plus."""
    return str(number).replace("-", "−")


def day(at: datetime) -> str:
    """Return a day in short form, with the year unless it is this one: 23 Nov, 18 Oct 2025."""
    local = timezone.localtime(at)
    if local.year == timezone.localdate().year:
        return date_format(local, pgettext("a day of this year, as Django's date formats", "j M"))
    return date_format(local, pgettext("a day of another year, as Django's date formats", "j M Y"))


def width(written: str) -> int:
    """Return the width of a number in digits: a one-character fraction is as wide as two."""
    return len(written) + sum(char in _ONE_SIGN.values() for char in written)


def _part(rest: Fraction) -> str:
    if not rest:
        return ""
    plain = f"{rest.numerator}/{rest.denominator}"
    written = f"{str(rest.numerator).translate(_SUPERSCRIPT)}⁄{str(rest.denominator).translate(_SUBSCRIPT)}"
    return _ONE_SIGN.get(plain, written)


# --- Names, labels and times in a sentence ---


def isolated(name: str) -> str:
    """Return the name, in Unicode isolates if it is right-to-left, so that the sentence keeps its direction."""
    turns = any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in name)
    return f"\u2068{name}\u2069" if turns else name


def listed(names: Iterable[str]) -> str:
    """Join names: 'Béla and Cili'; '' for none."""
    *first, last = tuple(names) or ("",)
    return pgettext("names", "%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def who_pays(amounts: Sequence[Amount | None], names: Sequence[str]) -> str:
    """Return each player's win (+) or loss (−) in a hand, winners first: 'Béla +4 · Anna −2 · Cili −2'."""
    of_each = sorted(zip(names, amounts, strict=True), key=lambda each: not each[1] or each[1] < 0)
    # A line breaks after a dot only: it parts no name from its figure.
    figures = [f"{isolated(name)}\N{NO-BREAK SPACE}{signed(amount)}" for name, amount in of_each if amount]
    return "\N{NO-BREAK SPACE}· ".join(figures) or _("Nobody pays anybody.")


def uncapitalized(label: str) -> str:
    """Return a label as a word of a sentence: 'declarer', 'card points'; an abbreviation keeps its capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def duration(minutes: int) -> str:
    """Return a time of play in words: '45 min', '2 h', '2 h 10'."""
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": minutes}
    if not minutes:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d") % {"hours": hours, "minutes": minutes}


def who_deals(dealer: str, first: str) -> str:
    """Return the dealer and the first to speak: 'Béla deals · Cili speaks first'."""
    return _("%(dealer)s deals · %(first)s speaks first") % {"dealer": isolated(dealer), "first": isolated(first)}


# --- Numbers that arrive in requests ---

#: Digits of a number that fits into a database's integer column, and of a primary key.
INTEGER_DIGITS = 9
KEY_DIGITS = 18


def whole_number(text: str, digits: int = INTEGER_DIGITS) -> int | None:
    """Return the whole number that `text` writes in at most so many ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


# --- Currencies and amounts of money ---


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


def money_words(amount: Decimal, currency: str) -> str:
    """Return an amount with its currency, as the user's language writes it: −1 200 Ft, €12.50."""
    shape = _shape(currency, language())
    prefix, suffix = shape.around_negative if amount.is_signed() else shape.around_positive
    return f"{prefix}{_digits(amount, shape)}{suffix}"


def money_digits(amount: Decimal, currency: str) -> str:
    """Return an amount without sign and currency, in the user's language: 1 200, 12.50."""
    return _digits(amount, _shape(currency, language()))


def exact_money(amount: Amount, currency: str) -> str:
    """Return an exact amount, rounded half to even to the smallest coin, with its currency, in the user's language."""
    decimals = CURRENCIES[currency]
    return money_words(Decimal(round(amount * 10**decimals)).scaleb(-decimals), currency)


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
