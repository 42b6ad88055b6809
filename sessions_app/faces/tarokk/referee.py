"""The referee of Tarokk: its forms and moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict

from scorekeeper.games.errors import MalformedState
from scorekeeper.games.tarokk import Pagat, Side, referee
from scorekeeper.games.tarokk.announcing import ALONE, Said
from scorekeeper.games.tarokk.auction import Auction, Call
from scorekeeper.games.tarokk.hand_in_play import KINGS, HandState, Honour, Taken
from sessions_app.faces.base import Move, Tap
from sessions_app.faces.tarokk.announcing import AnnouncementForm as announcement_form
from sessions_app.faces.tarokk.announcing import NamingForm, values_of, with_noted
from sessions_app.faces.tarokk.open_hand import Step, step_of
from sessions_app.faces.tarokk.open_hand import view_of as view
from sessions_app.faces.tarokk.referee_words import announced_words, noted, refusal, so_far
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


def step_form(row: HandInPlay, evening: Evening, data: QueryDict | None) -> NamingForm | None:
    """Return the form of the contract while it is due."""
    hand = HandState.from_state(row.dealer, row.state)
    return NamingForm(data, rules=evening.house) if step_of(hand) is Step.NAMING else None


def naming_move(evening: Evening, data: QueryDict) -> Move | None:
    """Return the move that names the contract, None if the form is invalid."""
    form = NamingForm(data, rules=evening.house)
    return referee.name(form.cleaned_data["contract"]) if form.is_valid() else None


def end_answers(data: QueryDict) -> Mapping[str, Any]:
    """Return that a próba found no honour. The hand form asks for the end of any other hand."""
    return {"proba": bool(data.get("proba"))}


def _call(tap: Tap) -> Move:
    seat, call = tap.seat(), tap.one_of(Call, "call")
    return referee.bid(lambda auction: auction.call(seat, call))


def _say(tap: Tap) -> Move:
    seat, word = tap.seat(), tap.data.get("word", "")
    try:
        Said.of(seat, word)
    except MalformedState as wrong:
        raise ValueError("unknown word") from wrong
    return referee.say(seat, word)


def _partner(tap: Tap) -> Move:
    """Return the move that notes the partner: a seat, nobody, or not known any more."""
    said = tap.data.get("partner", "")
    if said in ("alone", "unknown"):
        return referee.know(ALONE if said == "alone" else None)
    seat = tap.seat()
    return referee.know_seat(seat)


def _take(tap: Tap) -> Move:
    """Return the move that notes in whose tricks a card lies; an empty value unsets it."""
    what, value = tap.data.get("what", ""), tap.data.get("value", "")
    if what == "kings":
        if value not in ("", *map(str, range(KINGS + 1))):
            raise ValueError("there are four kings")
        return referee.take(lambda taken: taken.with_kings(int(value) if value else None))
    if what == "last":
        last = Pagat(value or Pagat.NONE)
        return referee.take(lambda taken: taken.with_last(last))
    honour, caught = Honour(what), value.endswith("!")
    side = Side(value.removesuffix("!")) if value else None

    def change(taken: Taken) -> Taken:
        return taken.with_honour(honour, side, caught=caught)

    return referee.take(change)


moves: Final[Mapping[str, Callable[[Tap], Move]]] = {
    "call": _call,
    "uncall": lambda tap: referee.bid(Auction.undo),
    "honour": lambda tap: referee.find_honour,
    "unhonour": lambda tap: referee.find_no_honour,
    "declarer": lambda tap: referee.let_play(tap.seat()),
    "undeclarer": lambda tap: referee.let_play(None),
    "unannounce": lambda tap: referee.name(None),
    "say": _say,
    "unsay": lambda tap: referee.unsay,
    "close": lambda tap: referee.close,
    "partner": _partner,
    "take": _take,
}
