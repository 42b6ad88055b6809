"""Amounts of points: whole numbers, or exact fractions where a game shares points out."""

from fractions import Fraction

type Amount = int | Fraction


def simplified(amount: Amount) -> Amount:
    """Return a whole amount as an int, any other as it is."""
    return amount.numerator if amount.denominator == 1 else amount
