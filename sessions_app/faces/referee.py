"""The referee of a game, as far as it is the same for every game: a hand while it is played, its moves and words."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.games.auction import Calling
from scorekeeper.games.errors import Message
from sessions_app.faces.announce import AnnouncementForm
from sessions_app.models import Evening, HandInPlay
from sessions_app.readers.evening import seating
from sessions_app.words.wording import Words, isolated, whole_number

type Names = Sequence[str]
#: Takes the hand in play, the sitting seats and the house rules; returns the hand after the move.
type Move = Callable[[Any, tuple[int, ...], Any], Any]


class Tap(NamedTuple):
    """The fields that a tap in the referee has posted."""

    data: QueryDict

    def seat(self) -> int:
        """Return the seat that the tap names. Raise ValueError if it names none."""
        seat = whole_number(self.data.get("seat", ""))
        if seat is None:
            raise ValueError("seat is not a number")
        return seat

    def one_of[Value: Enum](self, kind: type[Value], name: str) -> Value:
        """Return the member of an enum that a field names. Raise ValueError for any other value."""
        return kind(self.data.get(name, ""))


class UndoStep(NamedTuple):
    """The name of the URL that undoes a step, and the words of the step."""

    url: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInPlayView:
    """The hand that is being played, or the next one before anything is noted (version 0).

    `hand` is the game's own state, `replaced` the one that the latest announcement replaced. A game adds what its
    templates show.
    """

    number: int
    version: int
    token: UUID
    hand: Any
    replaced: Any

    @property
    def is_announced(self) -> bool:
        return self.hand.summary is not None


class RefereeFace(ABC):
    """The referee of a game: forms, moves and words of a hand while it is played."""

    #: The hand form before the hand is played.
    announcement_form: ClassVar[type[AnnouncementForm]]
    #: The moves by their verbs. They raise ValueError for a post that no page of ours can send.
    moves: ClassVar[Mapping[str, Callable[[Tap], Move]]]

    def view(self, row: HandInPlay, evening: Evening, columns: int) -> Any:
        """Return the hand in play as pages show it; `columns` is the number of seats on the sheet."""
        replaced = seating.referee_of(evening).state.from_state(**row.replaced) if row.replaced else None
        of_row = {"number": row.number, "version": row.version, "token": row.token, "replaced": replaced}
        return self.view_of(seating.read_in_play(evening, row), evening, columns, **of_row)

    @staticmethod
    @abstractmethod
    def view_of(hand: Any, evening: Evening, columns: int, **of_row: Any) -> HandInPlayView:
        """Return the game's own view of a hand; `of_row` are the fields that it has in every game."""

    @abstractmethod
    def step_form(self, view: Any, evening: Evening, data: QueryDict | None) -> Any:
        """Return the form of the referee's present step, bound to `data` if given; None if it asks by taps alone."""

    @abstractmethod
    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """Return the move that names the game to be played, or None if the form is invalid."""

    @abstractmethod
    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """Return the answers that end a hand, as the game's `finish` takes them. Raise ValueError."""

    def noted(self, hand: Any, names: Names) -> str:
        """Return all that is noted of the hand, as one sentence."""
        called = self.game_words(hand)
        if not called:
            return _("Another phone is already refereeing this hand.")
        return _("%(name)s has announced %(deal)s.") % {"name": isolated(names[hand.declarer]), "deal": called}

    @staticmethod
    @abstractmethod
    def so_far(hand: Any, names: Names) -> str:
        """Return the notes before an announcement as one sentence."""

    @staticmethod
    @abstractmethod
    def announced_words(hand: Any, names: Names) -> str:
        """Return the announcement in a few words, '' if there is none."""

    @staticmethod
    @abstractmethod
    def refusal(message: Message, names: Names) -> str:
        """Return the sentence for a move that is not allowed."""

    @abstractmethod
    def game_words(self, hand: Any) -> Words:
        """Return the announced game in a few words, '' before it is known."""


# --- Calls before a hand ---


class Speaker(NamedTuple):
    """A player in the order of speaking, with all calls made so far in words."""

    seat: int
    calls: tuple[Words, ...]
    has_passed: bool
    is_to_call: bool


def speakers(auction: Calling[Any, Any], words: Mapping[Any, Words]) -> Iterator[Speaker]:
    """Yield the players in the order of speaking; `words` are those of each call."""
    for seat in auction.seats:
        calls = tuple(words[spoken.call] for spoken in auction.spoken if spoken.seat == seat)
        yield Speaker(seat, calls, seat in auction.passed, seat == auction.to_call)


def latest_call(auction: Calling[Any, Any], words: Mapping[Any, Words], names: Names) -> UndoStep:
    """Return the latest call as a step to undo; there must be one."""
    said = auction.spoken[-1]
    return UndoStep("referee-uncall", f"{isolated(names[said.seat])}: {words[said.call]}")


def so_far(auction: Calling[Any, Any] | None, declarer: int | None, words: Mapping[Any, Words], names: Names) -> str:
    """Return the notes before the announcement as a sentence, '' if there are none."""
    if auction and auction.spoken:
        said = ", ".join(f"{isolated(names[each.seat])}: {words[each.call]}" for each in auction.spoken)
        if auction.to_call is None:
            return _("Called: %(said)s.") % {"said": said}
        return _("Called: %(said)s; %(name)s is to call.") % {"said": said, "name": isolated(names[auction.to_call])}
    return _("%(name)s plays.") % {"name": isolated(names[declarer])} if declarer is not None else ""


#: The sentences of refusals that several games have, by their codes.
REFUSALS: Final[Mapping[str, Words]] = {
    "auction_over": gettext_lazy("The auction is over."),
    "auction_not_over": gettext_lazy("The auction is not over yet."),
    "calls_impossible": gettext_lazy("Calls cannot come in this order."),
    "not_your_turn": gettext_lazy("It is %(turn)s's turn, not %(seat)s's."),
    "nothing_to_hold": gettext_lazy("Nobody has bid yet: there is nothing to hold."),
    "not_higher": gettext_lazy("Bid higher than %(bid)s."),
    "contract_too_low": gettext_lazy("The contract is the final bid (%(least)s) or higher."),
    "not_playing": gettext_lazy("%(seat)s does not play this hand."),
    "nothing_to_undo": gettext_lazy("There is nothing to undo."),
    "later_first": gettext_lazy("First take back what came after it."),
    "not_announced": gettext_lazy("Nothing is announced yet."),
}


def refusal_params(
    params: Mapping[str, int | str], names: Names, words: Mapping[str, Callable[[str], Words]]
) -> dict[str, object]:
    """Return a refusal's parameters for its sentence: seats as names, and others by the game's `words`."""
    said: dict[str, object] = dict(params)
    for key, value in params.items():
        if key in ("seat", "turn"):
            said[key] = isolated(names[int(value)]) if int(value) in range(len(names)) else "?"
        elif key in words:
            said[key] = words[key](str(value))
    return said
