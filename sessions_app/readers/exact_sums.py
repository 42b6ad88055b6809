"""Exact sums of a column of whole numbers by the database, in two halves: SQLite has no sum above 2 ** 63."""

from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.db.models import F, Sum

from scorekeeper.games.amounts import Amount, simplified

_HALF: Final = 10**9


def halves(column: str) -> dict[str, Sum]:
    """Return the annotations `high` and `low` of a column; `whole` makes its sum of them."""
    return {"high": Sum(F(column) / _HALF), "low": Sum(F(column) % _HALF)}


def whole(high: int | Decimal, low: int | Decimal, parts: int) -> Amount:
    """Return the sum of a column by its halves, in units of so many parts. PostgreSQL sums to Decimals."""
    amount = int(high) * _HALF + int(low)
    return amount if parts == 1 else simplified(Fraction(amount, parts))
