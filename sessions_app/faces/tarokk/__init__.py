"""The face of Hungarian Tarokk."""

from collections.abc import Mapping
from typing import Any, Final

from sessions_app.faces.kontra_words import BOLDEST as boldest_feat
from sessions_app.faces.tarokk import measures, rules_page
from sessions_app.faces.tarokk.hand_form import HandForm as form
from sessions_app.faces.tarokk.house_words import WORDS as house_words
from sessions_app.faces.tarokk.measures import feat_words
from sessions_app.faces.tarokk.referee import Referee
from sessions_app.models import Evening
from sessions_app.words.wording import Words

referee: Final = Referee()
key: Final = "tarokk"
#: There are no agreed entries.
entries_form: Final = None
name: Words = "Tarokk"
#: The list of hands is the sheet.
drawn: Final = None
#: The table view shows balances only.
table_figures: Final = None
#: A debt is the sum of the payments between the two.
debt_terms: Final = None
#: Home draws the evening of another game.
sample_hands: Final = None


def provisional_tables(evening: Evening, columns: int) -> Mapping[str, Any] | None:
    """Return None: a Tarokk count is no product of table values, so it waits for the server."""
    return None


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
