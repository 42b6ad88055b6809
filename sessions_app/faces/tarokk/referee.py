"""The referee of Tarokk: the view of a hand in play, its moves and forms. Nothing is counted here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.games import tarokk
from scorekeeper.games.errors import MalformedState
from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk import Contract, Pagat, Side, playing_seats, referee
from scorekeeper.games.tarokk.announcing import ALONE, MEHET, OF_OFFICE, Announcing, Item, Said, word_of
from scorekeeper.games.tarokk.auction import BIDS, PROBAS, Auction, Call, Card
from scorekeeper.games.tarokk.enums import OTHERS, drawn
from scorekeeper.games.tarokk.hand_in_play import KINGS, HandState, Honour, Taken
from scorekeeper.games.tarokk.house_rules import Rules
from scorekeeper.games.tarokk.scoring import PARTNERS, Worth, worth
from sessions_app.faces.announce import NamingForm
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.referee import HandInPlayView, Move, RefereeFace, Speaker, Tap, UndoStep, latest_call, speakers
from sessions_app.faces.tarokk import referee_words
from sessions_app.faces.tarokk.announce import AnnouncementForm
from sessions_app.faces.tarokk.fields import BY_THE_BOOK
from sessions_app.faces.tarokk.referee_words import CALLS, step_words
from sessions_app.faces.tarokk.words import CONTRACTS, TAROKKS
from sessions_app.models import Evening
from sessions_app.words.wording import Words, isolated


class Step(StrEnum):
    """The step that the referee waits for."""

    AUCTION = "auction"
    THROWN_IN = "thrown_in"
    NAMING = "naming"
    PROBA = "proba"
    ANNOUNCING = "announcing"
    END = "end"


class Offered(NamedTuple):
    """A call that may be made, and the card that it would promise."""

    call: Call
    card: Card | None


class Rung(NamedTuple):
    """A step that a player may say to an item, and its word in the notation."""

    seat: int
    kontra: Kontra
    word: str


class Ladder(NamedTuple):
    """An item, its kontra, and the steps that may be said next."""

    item: Item
    level: Kontra
    next: tuple[Rung, ...]


class Announceable(NamedTuple):
    """A word that may be said in a turn: a bonus, or a step to an item; `word` is its notation."""

    word: str
    item: Item
    kontra: Kontra

    def __str__(self) -> str:
        return step_words(self.item, self.kontra)


class Announcements(NamedTuple):
    """The announcements of one of the four."""

    seat: int
    words: tuple[Announceable, ...]
    tarokks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View(HandInPlayView):
    """The hand in play of Tarokk.

    `bids`, `tries` and `others` are calls at fixed positions, None where one may not be made. `places` are the seats by
    place, and `partner` is the partner's seat, both once they are known. `drawn` are the cards that each seat draws
    from the talon and discards. `times` is how many times the hand counts. `rows` are the points of the four for the
    game alone, won and lost by place, beside each possible partner's seat (None: alone).
    """

    hand: HandState
    replaced: HandState | None
    step: Step
    auction: Auction
    speakers: tuple[Speaker, ...]
    bids: tuple[Offered | None, ...]
    tries: tuple[Offered | None, ...]
    others: tuple[Offered | None, ...]
    places: tuple[int, ...]
    partner: int | None
    drawn: tuple[tuple[int, int], ...]
    spoken: tuple[Announcements, ...]
    turn: int | None
    bonuses: tuple[Announceable, ...]
    steps: tuple[Announceable, ...]
    tarokks: tuple[int, ...]
    ladders: tuple[Ladder, ...]
    may_say_of_office: tuple[int, ...]
    times: int
    worth: Worth | None
    rows: tuple[tuple[int | None, tuple[tuple[int, int], ...]], ...]
    taken: Taken

    @property
    def knows_partner(self) -> bool:
        return self.hand.partner is not None

    @property
    def brought(self) -> tuple[tuple[int, int], ...]:
        """The points of each seat for nyolc and kilenc tarokk; () while that depends on the partner."""
        amounts = set(self.worth.brought.values()) if self.worth else set()
        return tuple(zip(self.places, amounts.pop(), strict=True)) if len(amounts) == 1 else ()


def view_of(hand: HandState, evening: Evening, columns: int, **of_row: Any) -> View:
    """Return the view of a hand in play; `of_row` are the fields that it has in every game."""
    auction = hand.auction or Auction(playing_seats(evening.sitting, hand.dealer))
    said, rules = hand.announcing, evening.house
    turn = said.turn if said else None
    found = _worth(hand, evening)
    return View(
        **of_row,
        hand=hand,
        step=step_of(hand),
        auction=auction,
        speakers=tuple(speakers(auction, CALLS)),
        bids=_offered(auction, BIDS),
        tries=_offered(auction, PROBAS),
        others=_offered(auction, (Call.HOLD, Call.PASS)),
        places=said.seats if said else (),
        partner=said.seats[hand.partner] if said and hand.partner else None,
        drawn=_drawn(hand),
        spoken=tuple(_spoken(said)) if said else (),
        turn=turn,
        bonuses=tuple(_bonuses(said, turn, hand.partner)) if said and turn is not None else (),
        steps=tuple(_steps(said, turn, hand.partner, rules)) if said and turn is not None else (),
        tarokks=said.may_declare(turn) if said and turn is not None else (),
        ladders=tuple(_ladders(said, hand.partner, rules)) if said else (),
        may_say_of_office=tuple(seat for seat in said.seats if said.may_say_of_office(seat)) if said else (),
        times=_times(evening),
        worth=found,
        rows=tuple(_rows(found, said)) if found and said else (),
        taken=hand.taken or Taken(),
    )


def step_of(hand: HandState) -> Step:
    if hand.awaits_honour:
        return Step.PROBA
    if hand.announcing:
        return Step.END if hand.announcing.is_over else Step.ANNOUNCING
    if hand.is_thrown_in:
        return Step.THROWN_IN
    return Step.AUCTION if hand.declarer is None else Step.NAMING


def _offered(auction: Auction, calls: tuple[Call, ...]) -> tuple[Offered | None, ...]:
    """Return these calls at their positions, None where one may not be made."""
    legal = auction.legal_calls
    return tuple(Offered(call, auction.promises(call)) if call in legal else None for call in calls)


def _drawn(hand: HandState) -> tuple[tuple[int, int], ...]:
    if not (hand.announcing and hand.contract):
        return ()
    return tuple(zip(hand.announcing.seats, drawn(hand.contract), strict=True))


def _spoken(said: Announcing) -> Iterator[Announcements]:
    """Yield the announcements of each player by place. A form names nobody for them, except for the tarokks."""
    declared = dict(zip(said.seats, said.facts.tarokks, strict=True))
    for seat in said.seats:
        words = (each for each in said.said if each.seat == seat and each.item)
        told = tuple(Announceable(each.word, each.item, each.kontra) for each in words if each.item)
        yield Announcements(seat, told, declared[seat])


def _bonuses(said: Announcing, turn: int, partner: int | None) -> Iterator[Announceable]:
    return (Announceable(word_of(item), item, Kontra.NONE) for item in said.may_announce(turn, partner))


def _steps(said: Announcing, turn: int, partner: int | None, rules: Rules) -> Iterator[Announceable]:
    steps = said.may_double(turn, rules.ladder, partner)
    return (Announceable(word_of(item, step), item, step) for item, step in steps.items())


def _ladders(said: Announcing, partner: int | None, rules: Rules) -> Iterator[Ladder]:
    """Yield each item; with the next steps where it is nobody's turn."""
    may = {} if said.in_turn else {seat: said.may_double(seat, rules.ladder, partner) for seat in said.seats}
    for item, level in said.items.items():
        rungs = (Rung(seat, steps[item], word_of(item, steps[item])) for seat, steps in may.items() if item in steps)
        yield Ladder(item, level, tuple(rungs))


def _worth(hand: HandState, evening: Evening) -> Worth | None:
    if not (hand.contract and hand.announcing):
        return None
    known = hand.partner
    partners = PARTNERS if known is None else (known or None,)
    counts = _times(evening)
    return worth(hand.contract, hand.announcing.facts, partners=partners, times=counts, rules=evening.house)


def _times(evening: Evening) -> int:
    """Return the factor of the next hand."""
    return tarokk.times(tarokk.GAME.standing_from_text(evening.standing))


def _rows(found: Worth, said: Announcing) -> Iterator[tuple[int | None, tuple[tuple[int, int], ...]]]:
    for partner in (*OTHERS, None):
        if partner in found.plain:
            plain = found.plain[partner]
            seat = None if partner is None else said.seats[partner]
            yield seat, tuple(zip(plain.won, plain.lost, strict=True))


# --- Steps to undo ---


def latest_step(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    """Return the latest call or announcement, None if nothing can be undone by itself."""
    said = hand.announcing
    if said and said.is_closed:
        return UndoStep("referee-unsay", _("the end of the announcements"))
    if said and said.said:
        latest = said.said[-1]
        return UndoStep("referee-unsay", f"{isolated(names[latest.seat])}: {_word(latest)}")
    return _before_words(hand, names) if hand.nothing_said else None


def _before_words(hand: HandState, names: Sequence[str]) -> UndoStep | None:
    if hand.honour:
        return UndoStep("referee-unhonour", _("an honour in the talon"))
    if hand.auction and hand.auction.spoken:
        return latest_call(hand.auction, CALLS, names)
    if hand.announcing:
        return UndoStep("referee-unannounce", _("the announcement"))
    return None if hand.declarer is None else UndoStep("referee-undeclarer", _("who plays"))


def _word(said: Said) -> str:
    if said.word in (MEHET, OF_OFFICE) or said.item is None:
        return MEHET if said.word == MEHET else str(TAROKKS.get(said.tarokks) or KONTRAS[said.kontra])
    return step_words(said.item, said.kontra)


# --- Moves and forms ---


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
    "honour": lambda tap: referee.note_honour(found=True),
    "unhonour": lambda tap: referee.note_honour(found=False),
    "declarer": lambda tap: referee.let_play(tap.seat()),
    "undeclarer": lambda tap: referee.let_play(None),
    "unannounce": lambda tap: referee.name(None),
    "say": _say,
    "unsay": lambda tap: referee.announce(Announcing.undo),
    "close": lambda tap: referee.announce(Announcing.close),
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
        return self._naming_form(evening, data) if view.step is Step.NAMING else None

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move that names the contract, None if the form is invalid."""
        form = self._naming_form(evening, data)
        return referee.name(Contract(form.cleaned_data["contract"])) if form.is_valid() else None

    def _naming_form(self, evening: Evening, data: QueryDict | None) -> NamingForm:
        return NamingForm(data, offered=BY_THE_BOOK["contract"])

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return that a próba found no honour. The hand form asks for the end of any other hand."""
        return {"proba": bool(data.get("proba"))}

    def game_words(self, hand: HandState) -> Words:
        return CONTRACTS[hand.contract] if hand.declarer is not None and hand.contract else ""
