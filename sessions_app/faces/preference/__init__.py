"""How Russian Preference looks."""

from typing import Final

from sessions_app.faces.preference import playing as in_play
from sessions_app.faces.preference import rules_page
from sessions_app.faces.preference.entries_form import EntriesForm as entries_form
from sessions_app.faces.preference.hand_form import HandForm as form
from sessions_app.faces.preference.house_words import WORDS as house_words
from sessions_app.faces.preference.on_table import on_table
from sessions_app.faces.preference.pairs import owed
from sessions_app.faces.preference.provisional import of as tables
from sessions_app.faces.preference.pulka import pulka as drawn
from sessions_app.wording import Words

key: Final = "preference"
name: Words = "Preference"


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
