"""Figures as players write them: a sign always, thirds as a fraction beside the whole."""

from fractions import Fraction
from typing import Final

from scorekeeper.games.base import Amount

_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_ONE_SIGN: Final = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}


def signed(number: Amount) -> str:
    """Write a number with its sign always: +12, −12, −323⅓, 0."""
    if not number:
        return "0"
    return f"+{unsigned(number)}" if number > 0 else f"−{unsigned(-number)}"


def unsigned(number: Amount) -> str:
    """Write a number above zero: 12, 323⅓."""
    whole, rest = divmod(Fraction(number), 1)
    return f"{whole}{_part(rest)}" if whole or not rest else _part(rest)


def width(written: str) -> int:
    """How much room a figure takes, in digits: a fraction that is one sign is as wide as two."""
    return len(written) + sum(char in _ONE_SIGN.values() for char in written)


def _part(rest: Fraction) -> str:
    if not rest:
        return ""
    plain = f"{rest.numerator}/{rest.denominator}"
    written = f"{str(rest.numerator).translate(_SUPERSCRIPT)}⁄{str(rest.denominator).translate(_SUBSCRIPT)}"
    return _ONE_SIGN.get(plain, written)
