"""The steps that the referee can undo, in words: the latest step of the hand, and the latest kontra.

A kontra may be noted after tricks were played, and no row tells which of the two came later: both are offered.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scorekeeper.games.asszorti.hand_in_play import HandState
from scorekeeper.games.asszorti.play import Play, Ruling
from sessions_app.faces.asszorti.referee_words import CALLS, ITEMS
from sessions_app.faces.kontra_words import KONTRAS
from sessions_app.faces.referee import UndoStep
from sessions_app.words.wording import isolated


def latest_step(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    """Return the latest call, announcement, trick or claim; None if none is noted, or a kontra must go first."""
    if hand.play:
        return UndoStep("referee-untrick", _of_play(hand.play, names))
    if hand.announcement:
        doubled = hand.doubling and hand.doubling.said
        return None if doubled else UndoStep("referee-unannounce", _("the announcement"))
    if hand.auction and hand.auction.spoken:
        said = hand.auction.spoken[-1]
        return UndoStep("referee-uncall", f"{isolated(names[said.seat])}: {CALLS[said.call]}")
    return None if hand.declarer is None else UndoStep("referee-undeclarer", _("who plays"))


def latest_kontra(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    """Return the latest kontra to either item, None if none is noted."""
    if not (hand.doubling and hand.doubling.said):
        return None
    said = hand.doubling.said[-1]
    what = f"{isolated(names[said.seat])}: {KONTRAS[hand.doubling.level(said.item)]}"
    return UndoStep("referee-unsay", f"{what} ({ITEMS[said.item]})" if len(hand.doubling.items) > 1 else what)


def _of_play(play: Play, names: Sequence[str]) -> str:
    """Return the words of the step that `Play.undo` undoes."""
    claimed = play.claimed
    if claimed is None or (claimed.ruling is not Ruling.GIVEN_UP and play.tricks.played > claimed.after):
        name = isolated(names[play.tricks.winners[-1]])
        return _("trick %(number)s: %(name)s") % {"number": play.tricks.played, "name": name}
    return {
        Ruling.OPEN: _("the claim"),
        Ruling.STANDS: _("the answer"),
        Ruling.DISPUTED: _("the answer"),
        Ruling.GIVEN_UP: _("the giving up"),
        Ruling.CONCEDED: _("the concession"),
    }[claimed.ruling]
