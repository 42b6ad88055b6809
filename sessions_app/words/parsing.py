"""Parsing of values that arrive in requests."""

#: Digits of a number that fits into a database's integer column, and of a primary key.
INTEGER_DIGITS = 9
KEY_DIGITS = 18


def whole_number(text: str, digits: int = INTEGER_DIGITS) -> int | None:
    """Return the whole number that `text` writes in at most so many ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
