"""The validation of a deal, as far as it is the same for every game: a message for each field that is at fault."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from scorekeeper.games.errors import InvalidDeal, Message

UNKNOWN = Message("unknown", {})


def refuse(found: Mapping[str, Message | None]) -> None:
    """Raise InvalidDeal with the messages found, by field; do nothing if there is none."""
    errors = {name: message for name, message in found.items() if message}
    if errors:
        raise InvalidDeal(errors)


def unknown(deal: object, known: Mapping[str, Callable[[Any], bool]]) -> dict[str, Message]:
    """Return the message for each field whose value is none of its values at all."""
    return {name: UNKNOWN for name, is_known in known.items() if not is_known(getattr(deal, name))}


def first_possible[Deal](deal: Callable[[], Deal]) -> Deal:
    """Return the first deal made by the function that is possible."""
    while True:
        with suppress(InvalidDeal):
            return deal()


def is_of(value: object, *kinds: type) -> bool:
    """Return whether the value is of exactly one of these types: isinstance would take a bool for an int."""
    return type(value) in kinds
