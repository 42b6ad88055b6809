"""The referee of Preference: its forms and moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict

from scorekeeper.games.preference import referee
from scorekeeper.games.preference.announcing import Answer, Named
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.hand_in_play import HandState, Step
from sessions_app.faces.base import Move, Tap
from sessions_app.faces.preference.announcing import AnnouncementForm as announcement_form
from sessions_app.faces.preference.announcing import NamingForm, ResultForm, tricks_in, values_of, with_noted
from sessions_app.faces.preference.open_hand import view_of as view
from sessions_app.faces.preference.referee_words import announced_words, noted, refusal, so_far
from sessions_app.models import Evening, HandInPlay

__all__ = [
    "announced_words",
    "announcement_form",
    "end_answers",
    "moves",
    "naming_move",
    "noted",
    "refusal",
    "so_far",
    "step_form",
    "values_of",
    "view",
    "with_noted",
]


def step_form(row: HandInPlay, evening: Evening, data: QueryDict | None) -> NamingForm | ResultForm | None:
    """Return the form of the contract while it is due, or of the tricks once it is played."""
    hand = HandState.from_state(row.dealer, row.state)
    match hand.step(evening.house):
        case Step.NAMING:
            return NamingForm(data)
        case Step.TRICKS:
            asked = referee.tricks_of(hand, evening.sitting, evening.house)
            return ResultForm(data, row=row, asked=asked, is_raspasovka=hand.is_raspasovka)
    return None


def naming_move(evening: Evening, data: QueryDict) -> Move | None:
    """Return the move that names the contract, None if the form is invalid."""
    form = NamingForm(data)
    return referee.name(Named.from_text(form.cleaned_data["contract"])) if form.is_valid() else None


def end_answers(data: QueryDict) -> Mapping[str, Any]:
    """Return the tricks, as far as they were tapped."""
    return {"tricks": tricks_in(data)}


def _take_back(tap: Tap) -> Move:
    return referee.take_back


moves: Final[Mapping[str, Callable[[Tap], Move]]] = {
    "call": lambda tap: referee.call(tap.seat(), tap.one_of(Call, "call")),
    "uncall": _take_back,
    "declarer": lambda tap: referee.let_play(tap.seat()),
    "undeclarer": _take_back,
    "unannounce": _take_back,
    "say": lambda tap: referee.answer(tap.seat(), tap.one_of(Answer, "word")),
    "unsay": _take_back,
    "concede": lambda tap: referee.give_up,
}
