"""How Russian Preference looks."""

from collections.abc import Mapping
from typing import Any, Final

from sessions_app.faces.preference import playing as in_play
from sessions_app.faces.preference import rules_page
from sessions_app.faces.preference.entries_form import EntriesForm as entries_form
from sessions_app.faces.preference.hand_form import HandForm as form
from sessions_app.faces.preference.house_words import WORDS as house_words
from sessions_app.faces.preference.on_table import on_table
from sessions_app.faces.preference.pairs import owed
from sessions_app.faces.preference.pulka import pulka as drawn
from sessions_app.models import GameSession
from sessions_app.wording import Words

key: Final = "preference"
name: Words = "Preference"


def tables(evening: GameSession, columns: int) -> Mapping[str, Any] | None:
    """None: what a hand writes depends on those before it, and is counted when it is saved."""
    return None


__all__ = [
    "drawn",
    "entries_form",
    "form",
    "house_words",
    "in_play",
    "key",
    "name",
    "on_table",
    "owed",
    "rules_page",
    "tables",
]
