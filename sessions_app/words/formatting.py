"""Numbers and days as players write them: a sign before each number, thirds as a fraction after the whole."""

from datetime import datetime
from fractions import Fraction
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount

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
