"""English plurals for the output of commands: they are not translated."""

from django.template.defaultfilters import pluralize


def many(number: int, noun: str) -> str:
    """Return a number with its noun: '1 hand', '2 hands'."""
    return f"{number} {noun}{pluralize(number)}"
