"""The words of the kontras, for every game that has them."""

from collections.abc import Callable

from django.utils.translation import gettext_lazy

from scorekeeper.games.kontra import Kontra
from sessions_app.faces.choices import Choice
from sessions_app.faces.measure_words import FeatLabel
from sessions_app.words.wording import Words

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
