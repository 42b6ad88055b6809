"""The referee of Tarokk: its forms and moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict

from scorekeeper.games.state_text import MalformedState
from scorekeeper.games.tarokk import Pagat, Side, hand_moves
from scorekeeper.games.tarokk.announcement_text import Said
from scorekeeper.games.tarokk.announcing import ALONE
from scorekeeper.games.tarokk.auction import Auction, Call
from scorekeeper.games.tarokk.captured_honours import KINGS, Honour, Taken
from scorekeeper.games.tarokk.hand_state import InPlay
from sessions_app.faces.base import Move, Tap
from sessions_app.faces.tarokk.announcing import AnnouncementForm as announcement_form
from sessions_app.faces.tarokk.announcing import NamingForm, values_of, with_noted
from sessions_app.faces.tarokk.open_hand import Step, step_of
from sessions_app.faces.tarokk.open_hand import view_of as view
from sessions_app.faces.tarokk.referee_words import announced_words, noted, refusal, so_far
from sessions_app.models import Evening, OpenHand

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


def step_form(row: OpenHand, evening: Evening, data: QueryDict | None) -> NamingForm | None:
    """Return the form of the contract while it is due."""
    hand = InPlay.from_state(row.dealer, row.state)
    return NamingForm(data, rules=evening.house) if step_of(hand) is Step.NAMING else None


def naming_move(evening: Evening, data: QueryDict) -> Move | None:
    """Return the move that names the contract, None if the form is invalid."""
    form = NamingForm(data, rules=evening.house)
    return hand_moves.name(form.cleaned_data["contract"]) if form.is_valid() else None


def end_answers(data: QueryDict) -> Mapping[str, Any]:
    """Return that a próba found no honour. The hand form asks for the end of any other hand."""
    return {"proba": bool(data.get("proba"))}


def _call(tap: Tap) -> Move:
    seat, call = tap.seat(), tap.one_of(Call, "call")
    return hand_moves.bid(lambda auction: auction.call(seat, call))


def _say(tap: Tap) -> Move:
    seat, word = tap.seat(), tap.data.get("word", "")
    try:
        Said.of(seat, word)
    except MalformedState as wrong:
        raise ValueError("unknown word") from wrong
    return hand_moves.say(seat, word)


def _partner(tap: Tap) -> Move:
    """Return the move that notes the partner: a seat, nobody, or not known any more."""
    said = tap.data.get("partner", "")
    if said in ("alone", "unknown"):
        return hand_moves.know(ALONE if said == "alone" else None)
    seat = tap.seat()
    return hand_moves.know_seat(seat)


def _take(tap: Tap) -> Move:
    """Return the move that notes in whose tricks a card lies; an empty value unsets it."""
    what, value = tap.data.get("what", ""), tap.data.get("value", "")
    if what == "kings":
        if value not in ("", *map(str, range(KINGS + 1))):
            raise ValueError("there are four kings")
        return hand_moves.take(lambda taken: taken.with_kings(int(value) if value else None))
    if what == "last":
        last = Pagat(value or Pagat.NONE)
        return hand_moves.take(lambda taken: taken.with_last(last))
    honour, caught = Honour(what), value.endswith("!")
    side = Side(value.removesuffix("!")) if value else None

    def change(taken: Taken) -> Taken:
        return taken.with_honour(honour, side, caught=caught)

    return hand_moves.take(change)


moves: Final[Mapping[str, Callable[[Tap], Move]]] = {
    "call": _call,
    "uncall": lambda tap: hand_moves.bid(Auction.undo),
    "honour": lambda tap: hand_moves.find_honour,
    "unhonour": lambda tap: hand_moves.find_no_honour,
    "declarer": lambda tap: hand_moves.let_play(tap.seat()),
    "undeclarer": lambda tap: hand_moves.let_play(None),
    "unannounce": lambda tap: hand_moves.name(None),
    "say": _say,
    "unsay": lambda tap: hand_moves.unsay,
    "close": lambda tap: hand_moves.close,
    "partner": _partner,
    "take": _take,
}
