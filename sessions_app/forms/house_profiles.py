"""Named house rules as a form offers them, the game's own and those a circle saved; and the form that names them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.base import Game
from sessions_app.bounded_form import BoundedForm
from sessions_app.faces import house_rules
from sessions_app.faces.house_words import HouseWords
from sessions_app.forms.controls import Profile
from sessions_app.forms.fields import NameField
from sessions_app.readers.people.house_profiles import SavedProfile

#: Takes a game's key, returns the profiles that the circle has saved for it.
type FindProfiles = Callable[[str], Sequence[SavedProfile]]


class ProfileNameForm(BoundedForm):
    """The name of a saved profile, under the rules for a player's name."""

    name = NameField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].error_messages["required"] = _("Enter a name.")


def no_profiles(game_key: str) -> Sequence[SavedProfile]:
    """Return nothing: `FindProfiles` where no circle is known."""
    return ()


def of_game(game: Game[Any, Any, Any], words: HouseWords) -> Mapping[str, Profile]:
    """Return the game's profiles by key, the book's first; the book's alone if the game has no words for profiles."""
    if not words.profiles:
        key, rules = next(iter(game.PROFILES.items()))
        return {key: Profile(key, _("By the book"), "", rules)}
    return {key: Profile(key, each.name, each.explanation, game.PROFILES[key]) for key, each in words.profiles.items()}


def of_circle(game_key: str, saved: Sequence[SavedProfile]) -> Mapping[str, Profile]:
    """Return the circle's readable profiles by key, each explained by its differences from the book."""
    return {key_of(each.id): _own(game_key, each) for each in saved if each.rules is not None}


def key_of(profile_id: int) -> str:
    """Return the key of a saved profile, which is no key of a game's profile."""
    return f"own:{profile_id}"


def _own(game_key: str, saved: SavedProfile) -> Profile:
    explanation = house_rules.describe(game_key, saved.rules).line or _("As in the book.")
    return Profile(key_of(saved.id), saved.name, explanation, saved.rules, is_own=True)
