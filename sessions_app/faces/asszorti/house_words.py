"""The words of Asszorti's house rules."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scorekeeper.games.asszorti import Kontra
from scorekeeper.games.errors import Message
from sessions_app.faces.asszorti.words import refusal
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.house_words import HouseWords, SwitchWords, always
from sessions_app.words.wording import isolated


def _ladder(value: str) -> str:
    if value == "0":
        return _("no kontra")
    return _("kontra only") if value == "1" else _("kontra up to %(kontra)s") % {"kontra": KONTRAS[Kontra(int(value))]}


def _hands(value: str) -> str:
    return ngettext("%(count)s hand", "%(count)s hands", int(value)) % {"count": value}


def _points(value: str) -> str:
    return ngettext("to %(count)s point", "to %(count)s points", int(value)) % {"count": value}


SWITCHES: Final = {
    "six_five_nil": SwitchWords(
        gettext_lazy("6:5:0"),
        gettext_lazy("By the book the undoubled base is deducted."),
        always(gettext_lazy("no 6:5:0")),
        {
            "yes": pgettext_lazy("6:5:0", "deducted"),
            "no": pgettext_lazy("6:5:0", "counts like any six"),
        },
    ),
    "no_trump_arrivazs": SwitchWords(
        gettext_lazy("Arrivázs at no trumps"),
        gettext_lazy("By the book it can be announced there too."),
        always(gettext_lazy("no arrivázs at no trumps")),
        {
            "yes": pgettext_lazy("arrivázs at no trumps", "allowed"),
            "no": pgettext_lazy("arrivázs at no trumps", "not allowed"),
        },
    ),
    "ladder": SwitchWords(
        gettext_lazy("Highest kontra"),
        gettext_lazy("By the book up to mordkontra."),
        _ladder,
        {str(level.value): KONTRAS[level] for level in Kontra},
    ),
    "hands": SwitchWords(
        gettext_lazy("End after this many hands"),
        gettext_lazy("Only a reminder. Leave empty for no agreed end, as in the book."),
        _hands,
    ),
    "points": SwitchWords(
        gettext_lazy("End when somebody has this many points"),
        gettext_lazy("Only a reminder. Leave empty for no agreed end, as in the book."),
        _points,
    ),
}


def reminder(message: Message, names: Sequence[str]) -> str:
    """Return the reminder that the agreed end is reached."""
    if message.code == "points_reached":
        name, points = isolated(names[int(message.params["seat"])]), int(message.params["points"])
        return ngettext(
            "%(name)s has reached %(points)s point: the end you agreed on.",
            "%(name)s has reached %(points)s points: the end you agreed on.",
            points,
        ) % {"name": name, "points": points}
    hands, played = int(message.params["hands"]), int(message.params["played"])
    agreed = ngettext("%(hands)s hand was agreed on", "%(hands)s hands were agreed on", hands) % {"hands": hands}
    if played == hands:
        return _("%(agreed)s: this was the last.") % {"agreed": agreed}
    return _("%(agreed)s, %(played)s have been played.") % {"agreed": agreed, "played": played}


WORDS: Final = HouseWords(SWITCHES, refusal, reminder)
