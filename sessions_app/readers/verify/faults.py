"""Faults of the stored data, and how a check goes on after one that stops it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ObjectDoesNotExist

from sessions_app.errors import DAMAGE

#: Errors that checking damaged data may raise: they are faults themselves.
UNREADABLE: Final = (*DAMAGE, ObjectDoesNotExist, ArithmeticError)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its place: an evening by its key, a hand by its number (None: the evening itself).

    A fault of a circle belongs to no evening, and has the circle's key. One of any other row names it itself.
    """

    evening: int | None
    hand: int | None
    what: str
    circle: int | None = None

    def __str__(self) -> str:
        where = {"circle": self.circle, "session": self.evening, "hand": self.hand}
        place = ", ".join(f"{name} {key}" for name, key in where.items() if key is not None)
        return f"{place}: {self.what}" if place else self.what


#: A circle's key and its fault.
type CircleFault = tuple[int, str]


def as_far_as_read(what: str, faults: Iterable[str]) -> Iterator[str]:
    """Yield the faults up to a value that stops the check of `what`, and one for that value."""
    try:
        yield from faults
    except UNREADABLE as error:
        yield f"{what} cannot be checked: {error!r}"
