"""The steps that the referee can undo, in words: the latest step of the hand."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scorekeeper.games.tarokk.announcing import MEHET, OF_OFFICE, Said
from scorekeeper.games.tarokk.hand_in_play import HandState
from sessions_app.faces.kontra_words import KONTRAS
from sessions_app.faces.referee import UndoStep
from sessions_app.faces.tarokk.referee_words import CALLS, step_words
from sessions_app.faces.tarokk.words import TAROKKS
from sessions_app.words.wording import isolated


def latest_step(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    """Return the latest call or announcement, None if nothing can be undone by itself."""
    said = hand.announcing
    if said and said.is_closed:
        return UndoStep("referee-unsay", _("the end of the announcements"))
    if said and said.said:
        latest = said.said[-1]
        return UndoStep("referee-unsay", f"{isolated(names[latest.seat])}: {_word(latest)}")
    return _before_words(hand, names) if hand.nothing_said else None


def _before_words(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    if hand.honour:
        return UndoStep("referee-unhonour", _("an honour in the talon"))
    if hand.auction and hand.auction.spoken:
        call = hand.auction.spoken[-1]
        return UndoStep("referee-uncall", f"{isolated(names[call.seat])}: {CALLS[call.call]}")
    if hand.announcing:
        return UndoStep("referee-unannounce", _("the announcement"))
    return None if hand.declarer is None else UndoStep("referee-undeclarer", _("who plays"))


def _word(said: Said) -> str:
    if said.word in (MEHET, OF_OFFICE) or said.item is None:
        return MEHET if said.word == MEHET else str(TAROKKS.get(said.tarokks) or KONTRAS[said.kontra])
    return step_words(said.item, said.kontra)
