"""Chips that the players of an evening push to each other hand by hand, where it is paid so."""

from sessions_app.models import Evening


def is_paid(evening: Evening) -> bool:
    """Return whether the debts of the evening's sheet count as paid: they were, in chips, after each hand. No query."""
    return evening.in_chips
