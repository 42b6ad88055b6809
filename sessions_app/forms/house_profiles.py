"""House rules that go by a name, as a form offers them: the game's own, and what a table has kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.base import Game
from sessions_app.faces import house_rules
from sessions_app.faces.house_switches import HouseWords
from sessions_app.forms.controls import Profile
from sessions_app.readers.house_profiles import Kept

#: Finds what a table has kept of a game.
type Own = Callable[[str], Sequence[Kept]]


def nobody_s(game_key: str) -> Sequence[Kept]:
    """Where no table is known."""
    return ()


def of_game(game: Game[Any, Any, Any], words: HouseWords) -> Mapping[str, Profile]:
    """The game's by their keys, the book's first; of one that has no words for them but the book's."""
    if not words.profiles:
        key, rules = next(iter(game.PROFILES.items()))
        return {key: Profile(key, _("By the book"), "", rules)}
    return {key: Profile(key, each.name, each.explanation, game.PROFILES[key]) for key, each in words.profiles.items()}


def of_circle(game_key: str, kept: Sequence[Kept]) -> Mapping[str, Profile]:
    """The table's own by their keys; what they are is said by how they differ from the game's."""
    return {key_of(each.id): _own(game_key, each) for each in kept if each.rules is not None}


def key_of(profile_id: int) -> str:
    """No game's profile goes by such a key."""
    return f"own:{profile_id}"


def _own(game_key: str, kept: Kept) -> Profile:
    explanation = house_rules.said(game_key, kept.rules).line or _("As in the book.")
    return Profile(key_of(kept.id), kept.name, explanation, kept.rules, is_own=True)
