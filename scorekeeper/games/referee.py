"""The abstract base class of a game's referee: it notes a hand that is being played.

A state is an immutable value, and a move returns the next one. Each part of it has one short text, from
which it is read back.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scorekeeper.games.errors import IllegalMove, MalformedState

if TYPE_CHECKING:
    from scorekeeper.games.base import Seating


@dataclass(frozen=True, slots=True)
class HandInPlay[Summary](ABC):
    """The state of a hand that is being played; of one that was just dealt nothing is known but the dealer.

    It is stored by the names of its fields; a part that has not begun, or was skipped, is None.
    """

    dealer: int

    #: The readers of the stored fields: set by the game.
    READERS: ClassVar[Mapping[str, Callable[[Any], Any]]]

    @classmethod
    def from_state(cls, dealer: int, state: Mapping[str, Any]) -> Self:
        """Return the hand that `to_state` wrote. Raise GameError, or ValueError for damaged data."""
        hand = cls(dealer, **{name: read(state[name]) for name, read in cls.READERS.items() if name in state})
        hand.check()
        return hand

    def check(self) -> None:  # noqa: B027  nothing to say of two games
        """Raise GameError if the parts of the hand, which are sound by themselves, do not go together."""

    def to_state(self) -> dict[str, int | str]:
        """Return the notes of the hand in JSON values for the database; empty if there are none."""
        fields = {name: getattr(self, name) for name in self.READERS}
        return {
            name: _stored(value)
            for name, value in fields.items()
            if value is not None and value is not False and value != ()
        }

    @property
    @abstractmethod
    def has_begun(self) -> bool:
        """True if anything is noted but the dealer."""

    @property
    @abstractmethod
    def summary(self) -> Summary | None:
        """All that was announced so far, as `Referee.announce` takes it; None before the first announcement."""

    @abstractmethod
    def passed_over(self, declarer: int | None) -> Self:
        """Return the hand with a declarer and no auction; None: with neither. Raise IllegalMove."""


def _stored(value: Any) -> int | str:
    if isinstance(value, int | str):
        return value
    text: str = " ".join(value) if isinstance(value, tuple) else value.to_text()
    return text


class Referee[Hand: HandInPlay[Any], Summary, Deal, Rules](ABC):
    """Notes a hand of one game that is being played. `seats` are those at the table.

    A move is a function of the hand, the seats and the rules of the evening; it returns the hand after the move, or
    raises IllegalMove. The moves of a game stand beside its referee.
    """

    #: The class of its hands' states, and the turn at its table.
    state: type[Hand]
    seating: "Seating"

    def playing(self, dealer: int, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats that play when this seat deals. Raise IllegalMove `not_playing` (seat)."""
        if dealer not in seats:
            raise IllegalMove("not_playing", seat=dealer)
        return self.seating.playing_seats(seats, dealer)

    def let_play(self, declarer: int | None) -> Callable[[Hand, tuple[int, ...], Rules], Hand]:
        """Return the move that notes the declarer without an auction; None takes that back."""

        def noted(hand: Hand, seats: tuple[int, ...], rules: Rules) -> Hand:
            if declarer is not None and declarer not in self.playing(hand.dealer, seats):
                raise IllegalMove("not_playing", seat=declarer)
            return hand.passed_over(declarer)

        return noted

    @abstractmethod
    def announce(self, hand: Hand, said: Summary, seats: tuple[int, ...], rules: Rules) -> Hand:
        """Return the hand once this was announced or corrected. Raise IllegalMove."""

    @abstractmethod
    def is_continued(self, before: Hand, after: Hand) -> bool:
        """Return whether `after` still has the notes of `before` on the way in which the declarer was found."""

    def passes_over(self, before: Hand, after: Hand) -> bool:
        """Return whether an announcement would replace something noted that is not itself an announcement."""
        return before.summary is None and before.has_begun and not self.is_continued(before, after)

    def gives_way(self, before: Hand, after: Hand) -> bool:
        """Return whether anything that was noted before is lost."""
        return self.passes_over(before, after) or before.summary not in (None, after.summary)

    #: Return the deal that was played, None if the players' calls have thrown it in. Called with the hand, the rules of
    #: the evening, and by keyword the answers that this game asks for at the end. Raise IllegalMove if the hand is not
    #: over, or for impossible answers.
    finish: Callable[..., Deal | None]

    @abstractmethod
    def agrees(self, hand: Hand, dealer: int, declarer: int | None, deal: Deal | None) -> bool:
        """Return whether a deal (None: thrown in) agrees with the notes of the hand."""


def by_place(playing: tuple[int, ...], declarer: int) -> tuple[int, ...]:
    """Return the playing seats by place: the declarer's is 0. Raise IllegalMove `not_playing` (seat)."""
    if declarer not in playing:
        raise IllegalMove("not_playing", seat=declarer)
    at = playing.index(declarer)
    return playing[at:] + playing[:at]


def without_latest[Step](steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return all steps but the latest. Raise IllegalMove `nothing_to_undo` if there is none."""
    if not steps:
        raise IllegalMove("nothing_to_undo")
    return steps[:-1]


def seats_to_text(seats: Sequence[int]) -> str:
    return "-".join(map(str, seats))


def seats_of_text(text: str, number: int) -> tuple[int, ...]:
    """Read that number of different seats. Raise MalformedState."""
    seats = tuple(seat_from_text(word) for word in text.split("-"))
    if len(seats) != number or len(set(seats)) != number:
        raise MalformedState(text)
    return seats


def seat_from_text(text: str) -> int:
    """Read one seat. Raise MalformedState."""
    if not text.isdecimal() or text != str(int(text)):
        raise MalformedState(text)
    return int(text)
