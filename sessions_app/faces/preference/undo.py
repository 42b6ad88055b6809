"""The step that the referee can undo, in words: the latest of the hand."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scorekeeper.games.preference.hand_in_play import HandState
from sessions_app.faces.preference.open_hand import View
from sessions_app.faces.preference.referee_words import ANSWERS, CALLS, contract_sign
from sessions_app.faces.referee import UndoStep
from sessions_app.words.wording import isolated


def latest_step(view: View, names: Sequence[str]) -> UndoStep | None:
    """Return the latest call, contract, answer or giving up, None if nothing is noted."""
    hand = view.hand
    if hand.given_up:
        return UndoStep("referee-unsay", _("giving up"))
    if hand.answers:
        seat = view.places[2 if len(hand.answers) == 2 else 1]
        return UndoStep("referee-unsay", f"{isolated(names[seat])}: {ANSWERS[hand.answers[-1]]}")
    if hand.named:
        return UndoStep("referee-unannounce", _("the contract: %(contract)s") % {"contract": contract_sign(hand.named)})
    if hand.let is not None:
        return UndoStep("referee-undeclarer", _("who plays"))
    return _latest_call(hand, names)


def _latest_call(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    if hand.auction is None:
        return None
    call = hand.auction.spoken[-1]
    return UndoStep("referee-uncall", f"{isolated(names[call.seat])}: {CALLS[call.call]}")
