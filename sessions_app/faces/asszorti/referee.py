"""The referee of Asszorti: its forms, moves and notes."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict

from scorekeeper.games.asszorti import referee
from scorekeeper.games.asszorti.announcing import Doubling, Item
from scorekeeper.games.asszorti.auction import Auction, Call
from scorekeeper.games.asszorti.hand_in_play import HandState
from scorekeeper.games.asszorti.play import Play
from sessions_app.faces.asszorti import referee_words
from sessions_app.faces.asszorti.announcing import AnnouncementForm, NamingForm
from sessions_app.faces.asszorti.open_hand import Step, View, view_of
from sessions_app.faces.asszorti.provisional_words import SUITS
from sessions_app.faces.asszorti.words import CONTRACTS, TRUMPS
from sessions_app.faces.referee import Move, RefereeFace, Tap
from sessions_app.models import Evening
from sessions_app.words.parsing import whole_number
from sessions_app.words.wording import Words


def _call(tap: Tap) -> Move:
    seat, call = tap.seat(), tap.one_of(Call, "call")
    return referee.bid(lambda auction: auction.call(seat, call))


def _say(tap: Tap) -> Move:
    seat, item = tap.seat(), tap.one_of(Item, "item")
    return referee.double(lambda doubling: doubling.say(seat, item))


def _trick(tap: Tap) -> Move:
    seat = tap.seat()
    return referee.play(lambda play: play.won(seat))


MOVES: Final[Mapping[str, Callable[[Tap], Move]]] = {
    "call": _call,
    "uncall": lambda tap: referee.bid(Auction.undo),
    "declarer": lambda tap: referee.let_play(tap.seat()),
    "undeclarer": lambda tap: referee.let_play(None),
    "unannounce": lambda tap: referee.unname,
    "say": _say,
    "unsay": lambda tap: referee.double(Doubling.undo),
    "trick": _trick,
    "untrick": lambda tap: referee.play(Play.undo),
    "claim": lambda tap: referee.play(Play.claim),
    "stands": lambda tap: referee.play(Play.stands),
    "dispute": lambda tap: referee.play(Play.dispute),
    "concede": lambda tap: referee.play(Play.concede),
}


class Referee(RefereeFace):
    """The referee of Asszorti."""

    announcement_form = AnnouncementForm
    moves = MOVES

    view_of = staticmethod(view_of)
    so_far = staticmethod(referee_words.so_far)
    announced_words = staticmethod(referee_words.announced_words)
    refusal = staticmethod(referee_words.refusal)

    def step_form(self, view: View, evening: Evening, data: QueryDict | None) -> NamingForm | None:
        """Return the form of the announcement while it is due, with the only contract left chosen."""
        if view.step is not Step.NAMING:
            return None
        hand: HandState = view.hand
        left = hand.auction.contracts_allowed if hand.auction else ()
        initial = {"contract": left[0].value} if len(left) == 1 else None
        return NamingForm(data, auction=hand.auction, initial=initial, rules=evening.house)

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move of an announcement, None if the form is invalid."""
        # The game checks whether the auction, as it is by then, allows it.
        form = NamingForm(data, rules=evening.house)
        return referee.name(form.announcement) if form.is_valid() else None

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return the opponents' split and whether an arrivázs was idegen, None where not asked."""
        split = whole_number(data.get("split", ""))
        if split is None and data.get("split"):
            raise ValueError("split is not a number")
        return {"left": split, "idegen": {"1": True, "0": False}.get(data.get("idegen", ""))}

    def game_words(self, hand: HandState) -> Words:
        said = hand.announcement
        return f"{CONTRACTS[said.contract]}{SUITS.get(said.trump) or f' {TRUMPS[said.trump]}'}" if said else ""
