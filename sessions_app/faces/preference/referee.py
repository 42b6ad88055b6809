"""The referee of Preference: the view of a hand in play, its moves and forms. Nothing is counted here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.http import QueryDict
from django.template.loader import get_template
from django.utils.translation import gettext as _

from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import Deal, Strain, lowest_level, next_price, places, playing_seats, referee
from scorekeeper.games.preference.announcing import Answer, Named
from scorekeeper.games.preference.auction import BIDS, Auction, Call, is_below_ladder
from scorekeeper.games.preference.counting import Prospect, prospects
from scorekeeper.games.preference.deal import LEVELS
from scorekeeper.games.preference.hand_in_play import HandState, Step
from scorekeeper.games.preference.referee import REFEREE
from scorekeeper.games.preference.standing import Standing
from sessions_app.faces.announce import NamingForm
from sessions_app.faces.preference import referee_words
from sessions_app.faces.preference.announce import AnnouncementForm, ResultForm, tricks_in
from sessions_app.faces.preference.referee_words import ANSWERS, CALLS, contract_sign
from sessions_app.faces.referee import (
    HandInPlayView,
    Move,
    Names,
    RefereeFace,
    Speaker,
    Tap,
    UndoStep,
    latest_call,
    speakers,
)
from sessions_app.models import Evening
from sessions_app.readers.evening import recount
from sessions_app.readers.evening.recount import CountView
from sessions_app.words.wording import Words, isolated

#: The contracts of a naming form. The game checks whether the auction, as it is by then, allows the one that is named.
BID_CHOICES: Final = tuple((bid.value, bid.value) for bid in BIDS)


class Offered(NamedTuple):
    """A bid or contract that may be named, and whether it is below the exit ladder."""

    call: Call
    is_low: bool

    @property
    def contract(self) -> Named:
        return Named.from_text(self.call)


class Ending(NamedTuple):
    """A hand of which nothing is played: its deal, the count, and its players, the declarer first."""

    deal: Deal
    counted: CountView
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View(HandInPlayView):
    """The hand in play of Preference.

    `ladder` are the bids, or the contracts that the declarer may name, a row for each level; `others` are mizer, here
    and pass; `answers` are whist, half and pass. All have fixed positions, with None for a call that is not allowed.
    `places` are the declarer, the first and the second once they are known. `answered` are the seats of the first, who
    may answer twice, and of the second, with their answers; `turn` is the seat whose answer is due.
    `price` is that of a trick in the next raspasovka, after `row` of them, and `lowest` is where the exit ladder
    begins.
    """

    hand: HandState
    replaced: HandState | None
    step: Step
    auction: Auction
    speakers: tuple[Speaker, ...]
    ladder: tuple[tuple[Offered | None, ...], ...]
    others: tuple[Call | None, ...]
    row: int
    price: int
    lowest: int
    places: tuple[int, ...]
    answered: tuple[tuple[int, tuple[Answer, ...]], ...]
    answers: tuple[Answer | None, ...]
    turn: int | None
    may_give_up: bool
    prospects: tuple[Prospect, ...]
    evening: Evening
    columns: int

    @property
    def has_ladder(self) -> bool:
        """True if the exit ladder is above the lowest level."""
        return self.lowest > LEVELS.start

    @property
    def low(self) -> Named | None:
        """The contract, or the present bid, if it is below the exit ladder."""
        bid = self.auction.bid if self.hand.let is None else None
        said = self.hand.contract or (Named.from_text(bid) if bid else None)
        return said if said and is_below_ladder(said.highest, self.lowest) else None

    @property
    def is_asked(self) -> bool:
        """True if the two opponents are asked for answers."""
        return self.turn is not None or bool(self.hand.answers)


def view_of(hand: HandState, evening: Evening, columns: int, **of_row: Any) -> View:
    """Return the view of a hand in play; `of_row` are the fields that it has in every game."""
    rules = evening.house
    standing = recount.standing_from_text(evening, evening.standing)
    lowest = lowest_level(standing, rules)
    auction = hand.auction or Auction(playing_seats(evening.sitting, hand.dealer))
    step = hand.step(rules)
    sat = places(evening.sitting, hand.dealer, hand.declarer) if hand.declarer is not None else ()
    whisting = hand.whisting(rules)
    offered = hand.contracts_allowed if step is Step.NAMING else auction.legal_calls
    return View(
        **of_row,
        hand=hand,
        step=step,
        auction=auction,
        speakers=tuple(speakers(auction, {each.call: call_sign(each.call) for each in auction.spoken})),
        ladder=tuple(_ladder(offered, lowest)),
        others=tuple(call if call in offered else None for call in (Call.MIZER, Call.HERE, Call.PASS)),
        row=standing.row,
        price=next_price(standing, rules),
        lowest=lowest,
        places=sat,
        answered=((sat[1], hand.answers[::2]), (sat[2], hand.answers[1:2])) if whisting else (),
        answers=tuple(each if whisting and each in whisting.legal_answers else None for each in Answer),
        turn=referee.who_answers(hand, evening.sitting, rules),
        may_give_up=bool(rules.give_up and whisting and step in (Step.ANSWERING, Step.TRICKS)),
        prospects=_prospects(hand, evening, standing),
        evening=evening,
        columns=columns,
    )


def ending(view: View, names: Sequence[str]) -> Ending | None:
    """Return the count of a hand of which nothing is played, None if it can no longer be recorded."""
    hand, evening = view.hand, view.evening
    deal = REFEREE.finish(hand, evening.house)
    place = Place(evening.sitting, hand.dealer, hand.declarer)
    try:
        counted = recount.count(evening, deal, place, view.columns)
    except InvalidDeal:
        return None
    return Ending(deal, counted, tuple(names[seat] for seat in view.places))


def _ladder(offered: tuple[Call, ...], lowest: int) -> Iterator[tuple[Offered | None, ...]]:
    """Yield all contracts, a row for each level; None where one may not be named."""
    for level in LEVELS:
        bids = (Call(f"{level}{strain}") for strain in Strain)
        yield tuple(Offered(bid, is_below_ladder(bid, lowest)) if bid in offered else None for bid in bids)


def call_sign(call: Call) -> Words:
    """Return a call with its suit drawn."""
    if call not in BIDS or call is Call.MIZER:
        return CALLS[call]
    return get_template("games/preference/face.html#contract").render({"deal": Named.from_text(call)})


def _prospects(hand: HandState, evening: Evening, standing: Standing) -> tuple[Prospect, ...]:
    if hand.contract is None:
        return ()
    place = Place(evening.sitting, hand.dealer, hand.declarer)
    return prospects(hand.contract, hand.result(evening.house), place, standing, evening.house)


# --- Steps to undo ---


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
    return latest_call(hand.auction, CALLS, names) if hand.auction else None


# --- Moves and forms ---


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
                return NamingForm(data, offered=BID_CHOICES)
            case Step.TRICKS:
                asked = referee.tricks_of(view.hand, evening.sitting, evening.house)
                return ResultForm(data, hand=view.hand, evening=evening, asked=asked)
        return None

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move that names the contract, None if the form is invalid."""
        form = NamingForm(data, offered=BID_CHOICES)
        return referee.name(Named.from_text(form.cleaned_data["contract"])) if form.is_valid() else None

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return the tricks, as far as they were tapped."""
        return {"tricks": tricks_in(data)}

    def noted(self, hand: HandState, names: Names) -> str:
        return _("All have passed: a raspasovka is played.") if hand.is_raspasovka else super().noted(hand, names)

    def game_words(self, hand: HandState) -> Words:
        return contract_sign(hand.contract) if hand.declarer is not None and hand.contract else ""
