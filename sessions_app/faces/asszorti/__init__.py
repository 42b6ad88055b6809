"""The face of Asszorti."""

from typing import Final

from sessions_app.faces.asszorti import referee, rules_page
from sessions_app.faces.asszorti.hand_form import HandForm as form
from sessions_app.faces.asszorti.house_words import WORDS as house_words
from sessions_app.faces.asszorti.provisional import of as provisional_tables
from sessions_app.wording import Words

key: Final = "asszorti"
#: All that is written comes of hands.
entries_form: Final = None
name: Words = "Asszorti"
#: Its sheet is the list of hands.
drawn: Final = None
#: Its balances say all there is to see from across the table.
table_figures: Final = None
#: What one owes another is what the hands have brought between the two.
debt_terms: Final = None

__all__ = [
    "debt_terms",
    "drawn",
    "entries_form",
    "form",
    "house_words",
    "key",
    "name",
    "provisional_tables",
    "referee",
    "rules_page",
    "table_figures",
]
