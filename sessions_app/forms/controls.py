"""The controls of house rules, as a form shows them."""

from dataclasses import dataclass
from typing import Any, Final

from sessions_app.words.wording import Words

#: A control with more choices is a drop-down list.
IN_SIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Control:
    """A switch as the form shows it, with its current `value`, '' for the book's number.

    An invalid number stays as it was typed. `usual` are the numbers offered as buttons, `unsaid` is the one that counts
    if none is given.
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
        """The current number, '' if it has a button."""
        return "" if self.value in self.usual else self.value


@dataclass(frozen=True, slots=True)
class Group:
    """Controls under one heading, '' if there is none; `changed` of them differ from the profile."""

    heading: Words
    controls: tuple[Control, ...]
    changed: int

    @property
    def has_errors(self) -> bool:
        return any(control.errors for control in self.controls)


@dataclass(frozen=True, slots=True)
class Profile:
    """Named house rules, chosen as a whole: the game's, or the circle's own."""

    key: str
    name: Words
    explanation: Words
    rules: Any
    is_own: bool = False
