"""The errors that the rules of games raise, the codes in them, which the web layer translates, and what raises them."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

type Params = Mapping[str, int | str]


class Message(NamedTuple):
    """An untranslated message: a code, and the parameters of its sentence."""

    code: str
    params: Params


class GameError(Exception):
    """Base class of the errors that a game's rules raise."""


class FieldErrors(GameError):
    """Base class of errors by field: `errors` maps the name of each offending field to one message."""

    def __init__(self, errors: dict[str, Message]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return ", ".join(f"{name}: {message.code}" for name, message in self.errors.items())


class InvalidRules(FieldErrors):
    """Impossible house rules; the fields are switches, or "" for the text."""


class InvalidDeal(FieldErrors):
    """A deal that is well formed but impossible."""


class NotationError(GameError):
    """Text that is not the notation of a deal, possible or not."""


class NotPlaying(GameError):
    """A seat was given as a player of a hand in which it does not play."""


class IllegalMove(GameError):
    """A move that the rules or the state of a hand in play do not allow. `.message` says why."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code, params)
        self.message = Message(code, params)

    def __str__(self) -> str:
        return f"{self.message.code} {dict(self.message.params)}"


class MalformedState(GameError):
    """Text that is not the text of a state."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not the text of a state: {text!r}")


# --- The validation of a deal, as far as it is the same for every game ---


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
