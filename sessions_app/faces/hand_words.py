"""Words of a hand that several games share: the kontras, and the marks of a hand on the sheet."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.games.payment_game import Kontra
from sessions_app.base_forms import Choice
from sessions_app.faces.measure_words import FeatLabel
from sessions_app.words.wording import Words

# --- Kontras ---

#: The feat of the highest kontra of a hand.
BOLDEST = FeatLabel("kontra", gettext_lazy("Boldest kontra"))

KONTRAS: dict[Kontra, Words] = {
    Kontra.NONE: gettext_lazy("no kontra"),
    Kontra.KONTRA: gettext_lazy("kontra"),
    Kontra.REKONTRA: gettext_lazy("rekontra"),
    Kontra.SZUBKONTRA: gettext_lazy("szubkontra"),
    Kontra.HIRSKONTRA: gettext_lazy("hirskontra"),
    Kontra.MORDKONTRA: gettext_lazy("mordkontra"),
}
#: The short forms that players say.
SHORT_KONTRAS: dict[Kontra, Words] = {
    Kontra.NONE: gettext_lazy("none"),
    Kontra.KONTRA: gettext_lazy("kontra"),
    Kontra.REKONTRA: gettext_lazy("re"),
    Kontra.SZUBKONTRA: gettext_lazy("szub"),
    Kontra.HIRSKONTRA: gettext_lazy("hirs"),
    Kontra.MORDKONTRA: gettext_lazy("mord"),
}
#: The keys of a keyboard that choose them. No suit has one of these.
KONTRA_KEYS: dict[Kontra, str] = {
    Kontra.KONTRA: "k",
    Kontra.REKONTRA: "r",
    Kontra.SZUBKONTRA: "z",
    Kontra.HIRSKONTRA: "i",
    Kontra.MORDKONTRA: "m",
}


def kontra_words(level: Kontra) -> str:
    """Return 'kontra ×2', '' where nobody said it."""
    return f"{KONTRAS[level]} ×{level.factor}" if level else ""


def kontra_line(level: Kontra) -> Words:
    """Return the same in the language of whoever sees it."""
    return format_lazy("{} ×{}", KONTRAS[level], level.factor) if level else ""


def kontra_choices(highest: int, line_words: Callable[[Kontra], Words]) -> list[tuple[str, Choice]]:
    """Return the choices of a row of kontras up to the highest, with the words of each in a hand's line."""
    return [
        (
            str(kontra.value),
            Choice(
                f"×{kontra.factor}" if kontra else SHORT_KONTRAS[kontra],
                SHORT_KONTRAS[kontra] if kontra else "",
                key=KONTRA_KEYS.get(kontra, ""),
                line_words=line_words(kontra),
            ),
        )
        for kontra in Kontra
        if kontra <= highest
    ]


def kontra_steps(who: Mapping[Kontra, Words], highest: int) -> tuple[tuple[Kontra, Words], ...]:
    """Return the kontras for a page of rules, each with the players who may say it."""
    return tuple((kontra, words) for kontra, words in who.items() if kontra <= highest)


# --- Tricks ---


def tricks_words(number: int) -> str:
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", number) % {"tricks": number}


#: The same in the language of whoever sees it.
lazy_tricks_words: Callable[[int], Words] = lazy(tricks_words, str)


# --- Marks on the sheet: announcements, doublings and the like, in words where its row has room for them ---

#: The number of characters that fit in a row on a phone 390 px wide, beside a short deal.
ROOM: Final = 42
#: The width of the dot and the two spaces before a mark.
DOT: Final = 3
#: The number of a mark's characters in the whole row: on a phone 390 px wide, and on one of 320 px.
ROW: Final = 57
NARROW_ROW: Final = 43


class Mark(NamedTuple):
    """A mark of a hand: as it is written in letters, in full, and in as few words as players say."""

    text: str
    words: str
    short: str = ""


class Marks(NamedTuple):
    """All marks of a hand, and whether its row has room for their words.

    `deal_in_words` is whether it has room for the words of the deal too, `deal_is_brief` whether a narrow phone's row
    has, beside the marks in letters.
    """

    marks: Sequence[Mark] = ()
    in_words: bool = True
    deal_in_words: bool = False
    deal_is_brief: bool = False


def marks_beside(marks: Sequence[Mark], *beside: str, said: str = "") -> Marks:
    """Return the marks, in words if they have room together with the names and words that stand `beside` them.

    `said` is the deal in words, with its declarer; '' if its row never says it so.
    """
    words = sum(len(mark.short) + DOT for mark in marks)
    letters = sum(len(mark.text) + DOT for mark in marks)
    worded = sum(map(len, beside)) + words <= ROOM
    # The letters of a deal are larger by a third.
    deal = len(said) * 4 // 3
    return Marks(
        [mark for mark in marks if mark.text or worded],
        worded,
        deal_in_words=0 < deal <= ROW - (words if worded else letters),
        deal_is_brief=0 < deal <= NARROW_ROW - letters,
    )
