"""The questions of the referee on honours and kings at the end of a hand, in words."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from scorekeeper.games.tarokk import Pagat, Side
from scorekeeper.games.tarokk.hand_in_play import KINGS, Honour, Taken
from sessions_app.faces.tarokk.words import PAGATS, SHORT_SIDES
from sessions_app.words.wording import Words


class CardAnswer(NamedTuple):
    """An answer, and the value that a tap on it posts: '' unsets the answer that is chosen."""

    tap: str
    words: Words
    is_chosen: bool


class CardQuestion(NamedTuple):
    """The question about one card, and its answers."""

    what: str
    words: str
    answers: tuple[CardAnswer, ...]


def cards_asked(taken: Taken) -> Iterator[CardQuestion]:
    """Yield the questions in whose tricks the cards lie, with the answers given so far."""
    tricks = {side.value: SHORT_SIDES[side] for side in Side}
    fogas = {f"{side}!": _("fogás: %(side)s") % {"side": SHORT_SIDES[side]} for side in Side}
    xxi = f"{taken.xxi}!" if taken.xxi and taken.caught else taken.xxi or ""
    yield _row(Honour.SKIZ, _("In whose tricks is the skíz?"), tricks, taken.skiz or "")
    yield _row(Honour.XXI, _("In whose tricks is the XXI?"), {**tricks, **fogas}, xxi)
    yield _row(Honour.PAGAT, _("In whose tricks is the pagát?"), tricks, taken.pagat or "")
    kings = {str(number): str(number) for number in range(KINGS + 1)}
    yield _row("kings", _("Kings in the declarers' tricks"), kings, "" if taken.kings is None else str(taken.kings))
    last = {pagat.value: words for pagat, words in PAGATS.items() if pagat is not Pagat.NONE}
    yield _row("last", _("pagát in the last trick"), last, "" if taken.last is Pagat.NONE else taken.last)


def _row(what: str, words: str, answers: Mapping[str, Words], chosen: str) -> CardQuestion:
    taps = (CardAnswer("" if value == chosen else value, said, value == chosen) for value, said in answers.items())
    return CardQuestion(what, words, tuple(taps))
