"""The face of Asszorti."""

from typing import Final

from sessions_app.faces.asszorti import measures, rules_page
from sessions_app.faces.asszorti.hand_form import HandForm as form
from sessions_app.faces.asszorti.house_words import WORDS as house_words
from sessions_app.faces.asszorti.measures import feat_words
from sessions_app.faces.asszorti.provisional import of as provisional_tables
from sessions_app.faces.asszorti.referee import Referee
from sessions_app.faces.asszorti.sample_hands import SAMPLE_HANDS as sample_hands
from sessions_app.faces.kontra_words import BOLDEST as boldest_feat
from sessions_app.words.wording import Words

referee: Final = Referee()
key: Final = "asszorti"
#: There are no agreed entries.
entries_form: Final = None
name: Words = "Asszorti"
#: The list of hands is the sheet.
drawn: Final = None
#: The table view shows balances only.
table_figures: Final = None
#: A debt is the sum of the payments between the two.
debt_terms: Final = None

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
