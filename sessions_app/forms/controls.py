"""The controls by which house rules are chosen, as a form shows them."""

from dataclasses import dataclass
from typing import Any, Final

from sessions_app.wording import Words

#: More choices than that are a list that opens.
IN_SIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Control:
    """A switch as the form shows it; `value` is the one it stands at, '' for a number the book has.

    A number that cannot be is kept as it was typed. `usual` are the numbers that are tapped, and `unsaid` is the one
    that it comes to where none is given.
    """

    name: str
    label: Words
    explanation: Words
    choices: tuple[tuple[str, Any], ...]
    value: str
    errors: tuple[str, ...]
    usual: tuple[str, ...] = ()
    unsaid: str = ""

    @property
    def is_list(self) -> bool:
        return len(self.choices) > IN_SIGHT

    @property
    def typed(self) -> str:
        """The number that is none of the usual."""
        return "" if self.value in self.usual else self.value


@dataclass(frozen=True, slots=True)
class Group:
    """Controls under one heading, '' where there is none; `changed` of them are otherwise than in the profile."""

    heading: Words
    controls: tuple[Control, ...]
    changed: int

    @property
    def has_errors(self) -> bool:
        return any(control.errors for control in self.controls)


@dataclass(frozen=True, slots=True)
class Profile:
    """House rules that go by a name, to be taken as a whole: the game's, or the table's own."""

    key: str
    name: Words
    explanation: Words
    rules: Any
    is_own: bool = False
