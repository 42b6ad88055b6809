"""The referee of Asszorti: its forms, moves and notes."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.games.asszorti import referee
from scorekeeper.games.asszorti.announcing import Doubling, Item
from scorekeeper.games.asszorti.auction import Auction, Call
from scorekeeper.games.asszorti.hand_in_play import HandState
from scorekeeper.games.asszorti.play import Play
from sessions_app.faces.asszorti.announcing import AnnouncementForm as announcement_form
from sessions_app.faces.asszorti.announcing import NamingForm, values_of, with_noted
from sessions_app.faces.asszorti.open_hand import Step, step_of
from sessions_app.faces.asszorti.open_hand import view_of as view
from sessions_app.faces.asszorti.provisional_words import SUITS
from sessions_app.faces.asszorti.referee_words import refusal, so_far
from sessions_app.faces.asszorti.words import CONTRACTS, TRUMPS, announcement
from sessions_app.faces.base import Move, Names, Tap
from sessions_app.models import Evening, HandInPlay
from sessions_app.words.parsing import whole_number
from sessions_app.words.wording import isolated

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


def noted(hand: HandState, names: Names) -> str:
    """Return the notes of the hand in play as one sentence."""
    if hand.announcement is None or hand.declarer is None:
        return _("Another phone is already refereeing this hand.")
    suit = SUITS.get(hand.announcement.trump) or f" {TRUMPS[hand.announcement.trump]}"
    said = {"name": isolated(names[hand.declarer]), "deal": f"{CONTRACTS[hand.announcement.contract]}{suit}"}
    return _("%(name)s has announced %(deal)s.") % said


def announced_words(hand: HandState, names: Names) -> str:
    """Return the declarer and the announcement: 'Béla, 2, hearts'; '' if there is none."""
    if hand.announcement is None or hand.declarer is None:
        return ""
    return f"{isolated(names[hand.declarer])}, {announcement(hand.announcement.contract, hand.announcement.trump)}"


def step_form(row: HandInPlay, evening: Evening, data: QueryDict | None) -> NamingForm | None:
    """Return the form of the announcement while it is due, with the only contract left chosen."""
    hand = HandState.from_state(row.dealer, row.state)
    if step_of(hand) is not Step.NAMING:
        return None
    left = hand.auction.contracts_allowed if hand.auction else ()
    initial = {"contract": left[0].value} if len(left) == 1 else None
    return NamingForm(data, auction=hand.auction, initial=initial, rules=evening.house)


def naming_move(evening: Evening, data: QueryDict) -> Move | None:
    """Return the move of an announcement, None if the form is invalid."""
    # The game checks whether the auction, as it is by then, allows it.
    form = NamingForm(data, rules=evening.house)
    return referee.name(form.announcement) if form.is_valid() else None


def end_answers(data: QueryDict) -> Mapping[str, Any]:
    """Return the opponents' split and whether an arrivázs was idegen, None where not asked."""
    split = whole_number(data.get("split", ""))
    if split is None and data.get("split"):
        raise ValueError("split is not a number")
    return {
        "left": split,
        "idegen": {"1": True, "0": False}.get(data.get("idegen", "")),
    }


def _call(tap: Tap) -> Move:
    seat, call = tap.seat(), tap.one_of(Call, "call")
    return referee.bid(lambda auction: auction.call(seat, call))


def _say(tap: Tap) -> Move:
    seat, item = tap.seat(), tap.one_of(Item, "item")
    return referee.double(lambda doubling: doubling.say(seat, item))


def _trick(tap: Tap) -> Move:
    seat = tap.seat()
    return referee.play(lambda play: play.won(seat))


moves: Final[Mapping[str, Callable[[Tap], Move]]] = {
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
