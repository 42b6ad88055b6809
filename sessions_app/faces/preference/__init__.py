"""The face of Russian Preference."""

from typing import Final

from sessions_app.faces.preference import measures, rules_page
from sessions_app.faces.preference.hand_form import EntriesForm as entries_form
from sessions_app.faces.preference.hand_form import HandForm as form
from sessions_app.faces.preference.house_words import WORDS as house_words
from sessions_app.faces.preference.measures import feat_words
from sessions_app.faces.preference.provisional import of as provisional_tables
from sessions_app.faces.preference.pulka import debt_terms, table_figures
from sessions_app.faces.preference.pulka import pulka as drawn
from sessions_app.faces.preference.referee import Referee
from sessions_app.words.wording import Words

referee: Final = Referee()
key: Final = "preference"
name: Words = "Preference"
#: Home draws the evening of another game.
sample_hands: Final = None
#: Nobody doubles.
boldest_feat: Final = None


__all__ = [
    "boldest_feat",
    "debt_terms",
    "drawn",
    "entries_form",
    "feat_words",
    "form",
    "house_words",
    "key",
    "measures",
    "name",
    "provisional_tables",
    "referee",
    "rules_page",
    "sample_hands",
    "table_figures",
]
