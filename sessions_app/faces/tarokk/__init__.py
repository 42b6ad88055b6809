"""How Hungarian Tarokk looks."""

from collections.abc import Mapping
from typing import Any, Final

from sessions_app.faces.tarokk import playing as in_play
from sessions_app.faces.tarokk import rules_page
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
on_table: Final = None
#: What one owes another is what the hands have brought between the two.
owed: Final = None


def tables(evening: Evening, columns: int) -> Mapping[str, Any] | None:
    """None: a hand of Tarokk is no product of its rows, and is counted when it is saved."""
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
