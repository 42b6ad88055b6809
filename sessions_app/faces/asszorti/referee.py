"""The referee of Asszorti: the view of a hand in play, its moves and forms. Nothing is counted here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.games.amounts import Amount
from scorekeeper.games.asszorti import Deal, Kontra, Rules, Score, leader, playing_seats, referee, score
from scorekeeper.games.asszorti.announcing import Auction, Call, Doubling, Item
from scorekeeper.games.asszorti.deal import Arrivazs
from scorekeeper.games.asszorti.hand_in_play import HandState, Question
from scorekeeper.games.asszorti.play import Play, Ruling
from scorekeeper.games.asszorti.scoring import Worth, worth
from scorekeeper.games.base import Place
from sessions_app.faces.asszorti import referee_words
from sessions_app.faces.asszorti.hand_form import AnnouncementForm, NamingForm
from sessions_app.faces.asszorti.referee_words import CALLS, ITEMS
from sessions_app.faces.asszorti.words import CONTRACTS, SUITS, TRUMPS
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.referee import HandInPlayView, Move, RefereeFace, Speaker, Tap, UndoStep, latest_call, speakers
from sessions_app.models import Evening
from sessions_app.readers.evening import recount
from sessions_app.words.wording import Words, isolated, whole_number


class Step(StrEnum):
    """The step that the referee waits for."""

    AUCTION = "auction"
    NAMING = "naming"
    PLAY = "play"
    END = "end"


@dataclass(frozen=True, slots=True)
class Ladder:
    """The kontras to one item: those said, and those that may be said next, each with the seat that says it."""

    item: Item
    level: Kontra
    said: tuple[tuple[int, Kontra], ...]
    next: tuple[tuple[int, Kontra], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of one number of tricks; `possible` while the hand can still end with it."""

    tricks: int
    points: int
    possible: bool


@dataclass(frozen=True, slots=True)
class WorthTable:
    """The points of the hand: won with 6 … 11 tricks, lost with 5 … 0."""

    won: tuple[Cell, ...]
    lost: tuple[Cell, ...]
    six_five_nil: int | None
    arrivazs: tuple[tuple[Arrivazs, int], ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The hand counted for one answer of the players; `answer` is '' if nothing is asked."""

    answer: str
    deal: Deal
    score: Score
    amounts: tuple[Amount | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View(HandInPlayView):
    """The hand in play of Asszorti.

    `trick` is the number of the trick that is played next, and `leader` leads to it.
    """

    hand: HandState
    replaced: HandState | None
    step: Step
    auction: Auction
    speakers: tuple[Speaker, ...]
    leader: int | None
    talon_open: bool
    ladders: tuple[Ladder, ...]
    tricks: tuple[tuple[int, int | None], ...]
    trick: int
    worth: WorthTable | None
    question: str
    endings: tuple[Ending, ...]


def view_of(hand: HandState, evening: Evening, columns: int, **of_row: Any) -> View:
    """Return the view of a hand in play; `of_row` are the fields that it has in every game."""
    seats = evening.sitting
    auction = hand.auction or Auction(playing_seats(seats, hand.dealer))
    step = step_of(hand)
    return View(
        **of_row,
        hand=hand,
        step=step,
        auction=auction,
        speakers=tuple(speakers(auction, CALLS)),
        leader=_leader(hand, seats),
        talon_open=step is not Step.END and _talon_open(hand),
        ladders=tuple(_ladders(hand.doubling, evening.house)) if hand.doubling else (),
        tricks=_tricks(hand, auction.seats),
        trick=len(hand.played.winners) + 1 if hand.played else 1,
        worth=_worth(hand, evening.house),
        question=next((question.value for question in hand.asked(evening.house)), ""),
        endings=tuple(_endings(hand, evening, columns)) if step is Step.END else (),
    )


def step_of(hand: HandState) -> Step:
    if hand.played and hand.played.is_over:
        return Step.END
    if hand.announcement:
        return Step.PLAY
    return Step.AUCTION if hand.declarer is None else Step.NAMING


def _talon_open(hand: HandState) -> bool:
    return bool(hand.doubling and hand.played and hand.doubling.talon_shown(len(hand.played.winners)))


def _leader(hand: HandState, seats: tuple[int, ...]) -> int | None:
    """Return the seat that leads to the next trick, once the declarer is known."""
    if hand.played:
        return hand.played.leader
    return None if hand.declarer is None else leader(seats, hand.dealer, hand.declarer)


def _ladders(doubling: Doubling, rules: Rules) -> Iterator[Ladder]:
    for item in doubling.items:
        said = tuple((seat, Kontra(step)) for step, seat in enumerate(doubling.speakers(item), 1))
        may_say = doubling.may_say(item).items()
        following = tuple((seat, kontra) for seat, kontra in may_say if kontra <= rules.ladder)
        yield Ladder(item, doubling.level(item), said, following)


def _tricks(hand: HandState, playing: tuple[int, ...]) -> tuple[tuple[int, int | None], ...]:
    """Return each player's seat and tricks, in the order of speaking; None where no rule decides the number."""
    if not hand.played or not hand.sides:
        return ()
    outcome = hand.played.outcome
    split = outcome.tricks if outcome else hand.played.split
    won = dict(zip(hand.sides, split, strict=True))
    return tuple((seat, won[seat]) for seat in playing)


def _worth(hand: HandState, rules: Rules) -> WorthTable | None:
    if not (hand.announcement and hand.doubling and hand.played):
        return None
    points: Worth = worth(hand.announcement, hand.doubling, rules)
    cells = [Cell(tricks, each, tricks in hand.played.possible) for tricks, each in enumerate(points.game)]
    return WorthTable(tuple(cells[6:]), tuple(reversed(cells[:6])), points.six_five_nil, tuple(points.arrivazs.items()))


def _endings(hand: HandState, evening: Evening, columns: int) -> Iterator[Ending]:
    """Yield the deals that the hand may have come to: one, unless the players must be asked."""
    rules = evening.house
    asked = hand.asked(rules)
    deals = {"": hand.finished(rules=rules)} if not asked else {}
    if Question.SPLIT in asked and hand.play and hand.play.outcome:
        deals = {str(left): hand.finished(left=left, rules=rules) for left in reversed(hand.play.outcome.shares)}
    if Question.IDEGEN in asked:
        deals = {str(int(idegen)): hand.finished(idegen=idegen, rules=rules) for idegen in (False, True)}
    for answer, deal in deals.items():
        if hand.sides:
            place = Place(evening.sitting, hand.dealer, hand.declarer)
            amounts = recount.count(evening, deal, place, columns).amounts
            yield Ending(answer, deal, score(deal, rules), amounts)


# --- Steps to undo ---


def latest_step(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    """Return the latest call, announcement, trick or claim; None if none is noted, or a kontra must go first."""
    if hand.play:
        return UndoStep("referee-untrick", _of_play(hand.play, names))
    if hand.announcement:
        doubled = hand.doubling and hand.doubling.said
        return None if doubled else UndoStep("referee-unannounce", _("the announcement"))
    if hand.auction and hand.auction.spoken:
        return latest_call(hand.auction, CALLS, names)
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
    if claimed is None or (claimed.ruling is not Ruling.GIVEN_UP and len(play.winners) > claimed.after):
        name = isolated(names[play.winners[-1]])
        return _("trick %(number)s: %(name)s") % {"number": len(play.winners), "name": name}
    return {
        Ruling.OPEN: _("the claim"),
        Ruling.STANDS: _("the answer"),
        Ruling.DISPUTED: _("the answer"),
        Ruling.GIVEN_UP: _("the giving up"),
        Ruling.CONCEDED: _("the concession"),
    }[claimed.ruling]


# --- Moves and forms ---


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
