"""The face of Hungarian Tarokk."""

from collections.abc import Mapping
from typing import Any, Final

from sessions_app.faces.tarokk import referee, rules_page
from sessions_app.faces.tarokk.hand_form import HandForm as form
from sessions_app.faces.tarokk.house_words import WORDS as house_words
from sessions_app.models import Evening
from sessions_app.wording import Words

key: Final = "tarokk"
#: All that is written comes of hands.
entries_form: Final = None
name: Words = "Tarokk"
#: Its sheet is the list of hands.
drawn: Final = None
#: Its balances say all there is to see from across the table.
table_figures: Final = None
#: What one owes another is what the hands have brought between the two.
debt_terms: Final = None


def provisional_tables(evening: Evening, columns: int) -> Mapping[str, Any] | None:
    """None: a hand of Tarokk is no product of its rows, and is counted when it is saved."""
    return None


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
