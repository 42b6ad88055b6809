"""What the referees of all games share: how a state is written, and that a text is none.

A referee's states are small values that nobody changes: a move gives the next state. Each has one short text, from
which it is read back by replaying the moves.
"""

from collections.abc import Sequence

from scorekeeper.games.base import GameError


class MalformedState(GameError):
    """Text that is not the text of any state."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not the text of a state: {text!r}")


def seats_to_text(seats: Sequence[int]) -> str:
    return "-".join(map(str, seats))


def seats_of_text(text: str, number: int) -> tuple[int, ...]:
    """So many different seats. Raises MalformedState."""
    seats = tuple(seat_from_text(word) for word in text.split("-"))
    if len(seats) != number or len(set(seats)) != number:
        raise MalformedState(text)
    return seats


def seat_from_text(text: str) -> int:
    """One seat. Raises MalformedState."""
    if not text.isdecimal() or text != str(int(text)):
        raise MalformedState(text)
    return int(text)
