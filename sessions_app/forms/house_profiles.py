"""House rules as a form shows them: controls, the named profiles of the game and of the circle; and the name's form."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.base import Game
from sessions_app.base_forms import BoundedForm
from sessions_app.faces import house_rules
from sessions_app.faces.house_words import HouseWords
from sessions_app.forms.fields import NameField
from sessions_app.readers.people.circles import SavedProfile
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


#: Takes a game's key, returns the profiles that the circle has saved for it.
type FindProfiles = Callable[[str], Sequence[SavedProfile]]


class ProfileNameForm(BoundedForm):
    """The name of a saved profile, under the rules for a player's name."""

    name = NameField(error_messages={"required": _("Enter a name.")})


def of_game(game: Game[Any, Any, Any], words: HouseWords) -> Mapping[str, Profile]:
    """Return the game's profiles by key, the book's first; the book's alone if the game has no words for profiles."""
    if not words.profiles:
        key, rules = next(iter(game.PROFILES.items()))
        return {key: Profile(key, _("By the book"), "", rules)}
    return {key: Profile(key, each.name, each.explanation, game.PROFILES[key]) for key, each in words.profiles.items()}


def of_circle(game_key: str, saved: Sequence[SavedProfile]) -> Mapping[str, Profile]:
    """Return the circle's readable profiles by key, each explained by its differences from the book."""
    found = {}
    for each in saved:
        if each.rules is not None:
            key = f"own:{each.id}"  # no key of a game's profile
            explanation = house_rules.describe(game_key, each.rules).line or _("As in the book.")
            found[key] = Profile(key, each.name, explanation, each.rules, is_own=True)
    return found
