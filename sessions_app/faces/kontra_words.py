"""The ladder of doublings in the user's language, for every game that has it."""

from django.utils.translation import gettext_lazy

from scorekeeper.games.kontra import Kontra
from sessions_app.wording import Words

KONTRAS: dict[Kontra, Words] = {
    Kontra.NONE: gettext_lazy("no kontra"),
    Kontra.KONTRA: gettext_lazy("kontra"),
    Kontra.REKONTRA: gettext_lazy("rekontra"),
    Kontra.SZUBKONTRA: gettext_lazy("szubkontra"),
    Kontra.HIRSKONTRA: gettext_lazy("hirskontra"),
    Kontra.MORDKONTRA: gettext_lazy("mordkontra"),
}
#: As they are said at the table.
SHORT_KONTRAS: dict[Kontra, Words] = {
    Kontra.NONE: gettext_lazy("none"),
    Kontra.KONTRA: gettext_lazy("kontra"),
    Kontra.REKONTRA: gettext_lazy("re"),
    Kontra.SZUBKONTRA: gettext_lazy("szub"),
    Kontra.HIRSKONTRA: gettext_lazy("hirs"),
    Kontra.MORDKONTRA: gettext_lazy("mord"),
}


def kontra_words(level: Kontra) -> str:
    """'kontra ×2', or nothing where nobody said it."""
    return f"{KONTRAS[level]} ×{level.factor}" if level else ""
