"""The text of a referee's state: the part that all games share.

A state is an immutable value, and a move returns the next one. Each state has one short text, and is read back from it
by replaying the moves.
"""

from collections.abc import Sequence

from scorekeeper.games.errors import GameError


class MalformedState(GameError):
    """Text that is not the text of a state."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not the text of a state: {text!r}")


def seats_to_text(seats: Sequence[int]) -> str:
    return "-".join(map(str, seats))


def seats_of_text(text: str, number: int) -> tuple[int, ...]:
    """Read that number of different seats. Raise MalformedState."""
    seats = tuple(seat_from_text(word) for word in text.split("-"))
    if len(seats) != number or len(set(seats)) != number:
        raise MalformedState(text)
    return seats


def seat_from_text(text: str) -> int:
    """Read one seat. Raise MalformedState."""
    if not text.isdecimal() or text != str(int(text)):
        raise MalformedState(text)
    return int(text)
