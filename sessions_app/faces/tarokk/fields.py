"""The fields of Tarokk's hand form, and which rows are folded away."""

from typing import Any, Final, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy

from scorekeeper.games.tarokk import BOOK, Bonus, Kontra, Side
from sessions_app.faces import hand_form as hand
from sessions_app.faces.shallow_fields import ShallowFieldsMetaclass
from sessions_app.faces.tarokk.form_codes import LETTERS, NOBODY
from sessions_app.faces.tarokk.rows import BOTH, MADE, announced, doubled, rows
from sessions_app.faces.tarokk.words import BONUSES
from sessions_app.hand_facts import MOST_SEATS

TAROKKS: Final = tuple(f"tarokks_{seat}" for seat in range(MOST_SEATS))
OF_SIDE: Final = {letter: side for side, letter in LETTERS.items()}
ALL_POINTS: Final = 94
ALONE_WORD: Final = gettext_lazy("alone")
ANNOUNCEMENTS: Final = {announced(*each): each for each in BOTH}


def _words(bonus: Bonus) -> Any:
    return BONUSES[bonus]


def level(value: str) -> Kontra:
    return Kontra(int(value))


NOT_OFFERED: Final = {"invalid_choice": gettext_lazy("Choose one of the options.")}
#: The choices by the book stand in the class, so that most forms need not set their own.
BY_THE_BOOK: Final = rows(BOOK)
BLANK: Final = (None, "", False, "0", NOBODY)


def ladder(label: Any) -> forms.TypedChoiceField:
    offered: Any = BY_THE_BOOK["game_kontra"]
    return forms.TypedChoiceField(
        label=label, coerce=level, required=False, empty_value="0", choices=offered, error_messages=NOT_OFFERED
    )


def asked(name: str, label: Any) -> forms.ChoiceField:
    offered: Any = BY_THE_BOOK[name]
    return forms.ChoiceField(label=label, required=False, choices=offered, error_messages=NOT_OFFERED)


def number(name: str, label: Any, empty: str) -> forms.TypedChoiceField:
    offered: Any = BY_THE_BOOK[name]
    return forms.TypedChoiceField(
        label=label, coerce=int, required=False, empty_value=empty, choices=offered, error_messages=NOT_OFFERED
    )


BOXES: Final = {announced(*each): forms.BooleanField(required=False, label=_words(each[1])) for each in BOTH}
LADDERS: Final = {doubled(*each): ladder(_words(each[1])) for each in BOTH}
_DECLARED: Final = {name: number(name, gettext_lazy("Tarokks"), "0") for name in TAROKKS}
#: Built by name, as many fields are alike.
Announcements: Any = ShallowFieldsMetaclass("Announcements", (hand.HandForm,), {**BOXES, **LADDERS, **_DECLARED})
#: The rows that are folded away.
MORE: Final = (*BOXES, *LADDERS, *(bonus.value for bonus in MADE), "pagat", "proba", "points", *TAROKKS)
#: The rows that a lost próba does not have.
BESIDE_PROBA: Final = ("partner", "result", "game_kontra", *(name for name in MORE if name != "proba"))


class BonusRows(NamedTuple):
    """The fields of one bonus: by side its box and kontra, and the field for the side that made it (None where the
    result tells).
    """

    bonus: Bonus
    boxes: list[tuple[Side, forms.BoundField, forms.BoundField]]
    made: forms.BoundField | None
    needed_at: str


def made_in(bonus: Bonus) -> str:
    """Return the field for the side that made a bonus."""
    return "pagat" if bonus is Bonus.ULTIMO else bonus.value
