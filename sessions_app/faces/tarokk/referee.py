"""The referee of Tarokk: its forms and moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict

from scorekeeper.games.errors import MalformedState
from scorekeeper.games.tarokk import Pagat, Side, referee
from scorekeeper.games.tarokk.announcing import ALONE, Said
from scorekeeper.games.tarokk.auction import Auction, Call
from scorekeeper.games.tarokk.hand_in_play import KINGS, HandState, Honour, Taken
from sessions_app.faces.referee import Move, RefereeFace, Tap
from sessions_app.faces.tarokk import referee_words
from sessions_app.faces.tarokk.announcing import AnnouncementForm, NamingForm
from sessions_app.faces.tarokk.open_hand import Step, View, view_of
from sessions_app.faces.tarokk.words import CONTRACTS
from sessions_app.models import Evening
from sessions_app.words.wording import Words


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


MOVES: Final[Mapping[str, Callable[[Tap], Move]]] = {
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


class Referee(RefereeFace):
    """The referee of Tarokk."""

    announcement_form = AnnouncementForm
    moves = MOVES

    view_of = staticmethod(view_of)
    so_far = staticmethod(referee_words.so_far)
    announced_words = staticmethod(referee_words.announced_words)
    refusal = staticmethod(referee_words.refusal)

    def step_form(self, view: View, evening: Evening, data: QueryDict | None) -> NamingForm | None:
        """Return the form of the contract while it is due."""
        return NamingForm(data, rules=evening.house) if view.step is Step.NAMING else None

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move that names the contract, None if the form is invalid."""
        form = NamingForm(data, rules=evening.house)
        return referee.name(form.cleaned_data["contract"]) if form.is_valid() else None

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return that a próba found no honour. The hand form asks for the end of any other hand."""
        return {"proba": bool(data.get("proba"))}

    def game_words(self, hand: HandState) -> Words:
        return CONTRACTS[hand.contract] if hand.declarer is not None and hand.contract else ""
