"""Commands of the operator. Their output is English, and not translated."""


def many(number: int, noun: str) -> str:
    """Return a number with its noun: '1 hand', '2 hands'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
