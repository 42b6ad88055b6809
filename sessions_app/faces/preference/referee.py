"""The referee of Preference: its forms and moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.games.preference import referee
from scorekeeper.games.preference.announcing import Answer, Named
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.hand_in_play import HandState, Step
from sessions_app.faces.preference import referee_words
from sessions_app.faces.preference.announcing import AnnouncementForm, NamingForm, ResultForm, tricks_in
from sessions_app.faces.preference.open_hand import View, view_of
from sessions_app.faces.preference.referee_words import contract_sign
from sessions_app.faces.referee import Move, Names, RefereeFace, Tap
from sessions_app.models import Evening
from sessions_app.words.wording import Words


def _take_back(tap: Tap) -> Move:
    return referee.take_back


MOVES: Final[Mapping[str, Callable[[Tap], Move]]] = {
    "call": lambda tap: referee.call(tap.seat(), tap.one_of(Call, "call")),
    "uncall": _take_back,
    "declarer": lambda tap: referee.let_play(tap.seat()),
    "undeclarer": _take_back,
    "unannounce": _take_back,
    "say": lambda tap: referee.answer(tap.seat(), tap.one_of(Answer, "word")),
    "unsay": _take_back,
    "concede": lambda tap: referee.give_up,
}


class Referee(RefereeFace):
    """The referee of Preference."""

    announcement_form = AnnouncementForm
    moves = MOVES

    view_of = staticmethod(view_of)
    so_far = staticmethod(referee_words.so_far)
    announced_words = staticmethod(referee_words.announced_words)
    refusal = staticmethod(referee_words.refusal)

    def step_form(self, view: View, evening: Evening, data: QueryDict | None) -> NamingForm | ResultForm | None:
        """Return the form of the contract while it is due, or of the tricks once it is played."""
        match view.step:
            case Step.NAMING:
                return NamingForm(data)
            case Step.TRICKS:
                asked = referee.tricks_of(view.hand, evening.sitting, evening.house)
                return ResultForm(data, hand=view.hand, evening=evening, asked=asked)
        return None

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move that names the contract, None if the form is invalid."""
        form = NamingForm(data)
        return referee.name(Named.from_text(form.cleaned_data["contract"])) if form.is_valid() else None

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return the tricks, as far as they were tapped."""
        return {"tricks": tricks_in(data)}

    def noted(self, hand: HandState, names: Names) -> str:
        return _("All have passed: a raspasovka is played.") if hand.is_raspasovka else super().noted(hand, names)

    def game_words(self, hand: HandState) -> Words:
        return contract_sign(hand.contract) if hand.declarer is not None and hand.contract else ""
