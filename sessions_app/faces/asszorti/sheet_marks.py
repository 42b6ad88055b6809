"""The marks of an Asszorti hand on the sheet: kontra, 6:5:0, arrivázs."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy

from scorekeeper.games.asszorti import Arrivazs, Deal
from sessions_app.faces.asszorti.words import (
    ARRIVAZS_MARKS,
    CONTRACTS,
    KONTRA_MARKS,
    arrivazs_mark,
    arrivazs_words,
    is_six_five_nil,
    kontra_mark,
)
from sessions_app.faces.kontra_words import KONTRAS, kontra_words
from sessions_app.faces.sheet_marks import Mark, Marks, marks_beside
from sessions_app.words.wording import Words

_ARRIVAZS: Final[dict[Arrivazs, Words]] = {
    Arrivazs.WON: gettext_lazy("arrivázs won"),
    Arrivazs.LOST: gettext_lazy("arrivázs lost"),
    Arrivazs.IDEGEN: gettext_lazy("idegen arrivázs"),
}
#: The letters of the marks, for a reader of the sheet.
LETTERS: Final[tuple[tuple[str, Words], ...]] = (
    *((f"{mark}×{level.factor}", KONTRAS[level]) for level, mark in KONTRA_MARKS.items() if level),
    *((ARRIVAZS_MARKS[ended], words) for ended, words in _ARRIVAZS.items()),
)


def marks_of(deal: Deal, players: Sequence[str], before: str) -> Marks:
    """Return the marks of a hand. They do not depend on the standing before it."""
    kontra, arrivazs = kontra_words(deal.game_kontra), arrivazs_words(deal)
    marks = [
        Mark(kontra_mark(deal.game_kontra), kontra, kontra),
        Mark("6:5:0", "6:5:0", "6:5:0") if is_six_five_nil(deal) else Mark("", ""),
        Mark(arrivazs_mark(deal), arrivazs, arrivazs),
    ]
    return marks_beside([mark for mark in marks if mark.text], *players[:1], str(CONTRACTS[deal.contract]))
