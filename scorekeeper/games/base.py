"""What a game is, and the values that every game speaks in.

A seat is a whole number, and stands for the same player all evening. Who sits at the table, clockwise, is a tuple of
seats: (0, 1, 2), and (0, 1, 3, 2) once a fourth has sat down between two. What is written are whole numbers; what a
sheet comes to may be fractions. No text here is meant for a player: rules answer in codes, and the web layer puts them
into words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, Protocol

type Params = Mapping[str, int | str]
#: Who sits at the table, clockwise; or how many, if they are 0 … n−1.
type Seats = int | tuple[int, ...]
#: An account of a seat, against another or None.
type Account = tuple[str, int, int | None]
#: The sums of entries by account.
type Sheet = Mapping[Account, int]
type Amount = int | Fraction


class Message(NamedTuple):
    """What a rule says, in no language: a code, and the values that its sentence will need."""

    code: str
    params: Params


class GameError(Exception):
    """Anything that a game's rules refuse."""


class InvalidDeal(GameError):
    """A deal that is well formed but cannot be.

    `errors` maps each offending field of the deal to one message; it is never empty.
    """

    def __init__(self, errors: dict[str, Message]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return ", ".join(f"{name}: {message.code}" for name, message in self.errors.items())


class NotationError(GameError):
    """Text that is not the notation of any deal, possible or not."""


class NotPlaying(GameError):
    """A seat was asked for as one of the players of a hand in which it does not play."""


class IllegalMove(GameError):
    """A move in a hand that is being played, which the rules or its state do not allow. `.message` says why."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code, params)
        self.message = Message(code, params)

    def __str__(self) -> str:
        return f"{self.message.code} {dict(self.message.params)}"


@dataclass(frozen=True, slots=True, order=True)
class Payment:
    """Who pays whom how many points for one hand: two different seats, points above zero.

    Raises ValueError for anything else. As no payment is one-sided, any set of them sums to zero.
    """

    payer: int
    payee: int
    points: int

    def __post_init__(self) -> None:
        if self.payer == self.payee:
            raise ValueError(f"seat {self.payer} cannot pay itself")
        if self.points <= 0:
            raise ValueError(f"a payment must be above zero, not {self.points}")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One step of the count: the item it belongs to, why, and what it adds. The amounts sum to the points."""

    item: str
    code: str
    params: Params = field(hash=False)
    amount: int


class InvalidRules(GameError):
    """House rules that cannot be: `errors` maps each offending switch, or "" for the text, to one message."""

    def __init__(self, errors: dict[str, Message]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return ", ".join(f"{name}: {message.code}" for name, message in self.errors.items())


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a hand writes: an amount into an account of a seat, `against` another seat or None, and why.

    In the account `paid` the seat has paid the other that much, above zero: whatever is written so sums to zero.
    Raises ValueError for an amount of 0 and for a seat against itself.
    """

    account: str
    seat: int
    against: int | None
    amount: int
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.amount:
            raise ValueError("the amount of an entry cannot be 0")
        if self.seat == self.against:
            raise ValueError(f"an entry of seat {self.seat} cannot be against itself")

    @property
    def of(self) -> Account:
        return self.account, self.seat, self.against


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hand is played: who sits, clockwise, who deals, and who declares (None: nobody, or not known).

    Raises ValueError for a dealer who does not sit there. Whether the declarer plays is the game's to say.
    """

    seats: tuple[int, ...]
    dealer: int
    declarer: int | None = None

    def __post_init__(self) -> None:
        if self.dealer not in self.seats or len(set(self.seats)) < len(self.seats):
            raise ValueError(f"seat {self.dealer} cannot deal to {self.seats}")


@dataclass(frozen=True, slots=True)
class Count[Standing]:
    """What a hand comes to: what it writes, the steps that explain it, and the standing after it."""

    entries: tuple[Entry, ...]
    lines: tuple[ScoreLine, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule: its name, and the values it may have as they are written; none for a number from low to high.

    `book` is the value that the book has.
    """

    name: str
    values: tuple[str, ...]
    low: int = 0
    high: int = 0
    book: str = ""


class Difference(NamedTuple):
    """A switch that does not stand as in other rules, with both values as they are written."""

    switch: str
    value: str
    base: str


class HandInPlay(Protocol):
    """A hand that is being played, at some point: a value that nobody changes."""

    @property
    def dealer(self) -> int: ...

    @property
    def declarer(self) -> int | None:
        """Who plays, as soon as that is known."""

    @property
    def has_begun(self) -> bool:
        """Whether anything is noted but who deals."""

    @property
    def summary(self) -> Any:
        """What was announced so far, as `announce` takes it; None while nothing is."""

    def to_state(self) -> Mapping[str, Any]:
        """What is noted, for the database, in values of JSON; empty while nothing is."""


class Noting(Protocol):
    """How a game notes a hand that is being played. `seats` are those at the table.

    A move of the game's own is a function of the hand, the seats and the rules; it gives the hand as it then stands, or
    raises IllegalMove.
    """

    def begin(self, dealer: int) -> HandInPlay:
        """A hand of which nothing is known but who deals."""

    def from_state(self, dealer: int, state: Mapping[str, Any]) -> HandInPlay:
        """The hand as `to_state` wrote it."""

    def announce(self, hand: Any, said: Any, seats: tuple[int, ...], rules: Any) -> HandInPlay:
        """The hand once this was announced or corrected. Raises IllegalMove."""

    def passes_over(self, before: Any, after: Any) -> bool:
        """Whether an announcement would take the place of something that nobody has announced."""

    def gives_way(self, before: Any, after: Any) -> bool:
        """Whether anything that was noted before is noted no more."""

    def finish(self, hand: Any, rules: Any, **answers: Any) -> Any:
        """Return the deal that was played, None where the players' calls have thrown it in.

        Raises IllegalMove while it is not over, or for answers that cannot be.
        """

    def agrees(self, hand: Any, dealer: int, declarer: int | None, deal: Any) -> bool:
        """Whether a deal (None: thrown in) says of the hand what is noted of it."""


class Game[Deal, Rules, Standing](Protocol):
    """What a game offers; a game's package, as a module, is one.

    `seats` are those at the table; `dealer` and `declarer` are two of them. The questions about seats raise ValueError
    for a table that the game is not played at or a dealer who is not there, and NotPlaying for a declarer who does not
    play the hand. `rules` are the evening's house rules wherever a deal is read or counted.
    """

    @property
    def key(self) -> str:
        """The name under which the game is registered and stored."""

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that its hands write into."""

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many people may sit at the table."""

    @property
    def seats_may_change(self) -> bool:
        """Whether somebody may sit down or go home between two hands of an evening."""

    # --- Seating ---

    def playing_seats(self, seats: Seats, dealer: int) -> tuple[int, ...]:
        """The seats that play the hand, in the order in which they speak."""

    def next_dealer(self, seats: Seats, dealer: int) -> int:
        """The seat that deals the following hand."""

    @property
    def redeals(self) -> tuple[str, ...]:
        """How the deal may go on after a hand that was thrown in, the usual first.

        `stays`: the same dealer again; `passes`: as after one that was played.
        """

    def leaders(self, seats: Seats, dealer: int) -> Mapping[int, int]:
        """Who leads first, by who may declare; the same for all where it does not depend on that."""

    # --- House rules ---

    @property
    def PROFILES(self) -> Mapping[str, Rules]:
        """Rules that go by a name; the first is the book's, and the default."""

    @property
    def SWITCHES(self) -> tuple[Switch, ...]:
        """What a house may change, in the order in which it is asked and written."""

    def rules_from_text(self, text: str) -> Rules:
        """Read rules: a profile's key, and `switch=value` for each that differs, with spaces; '' is the book.

        Raises InvalidRules.
        """

    def rules_to_text(self, rules: Rules) -> str:
        """Write rules in their one spelling, '' for the book's."""

    def differences(self, rules: Rules, base: Rules | None = None) -> tuple[Difference, ...]:
        """The switches that stand otherwise than in `base`, or in the book where that is None."""

    # --- A deal ---

    def deal_from_text(self, text: str, rules: Rules = ...) -> Deal:
        """Read the one-line notation; NotationError if malformed, InvalidDeal if it cannot be under these rules."""

    def deal_to_text(self, deal: Deal) -> str:
        """Write the one-line notation, from which `deal_from_text` makes an equal deal."""

    def reads_as(self, one: Deal, other: Deal, rules: Rules = ...) -> bool:
        """Whether both may have been noted of one hand under these rules, by two who were not equally careful."""

    def is_hand(self, deal: Deal) -> bool:
        """Whether it is a hand; else what the table agreed to write: it is not counted as one, and the deal stays."""

    # --- The count ---

    def start(self, rules: Rules) -> Standing:
        """The standing before the first hand."""

    def standing_from_text(self, text: str) -> Standing:
        """Read a standing as `standing_to_text` writes it; '' is that of a game in which no hand depends on another."""

    def standing_to_text(self, standing: Standing) -> str:
        """Write a standing in its one spelling."""

    def count(self, deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Count[Standing]:
        """Count a hand, or None for one that was thrown in.

        Raises NotPlaying for a declarer who does not play, is missing, or stands where nobody declares, and InvalidDeal
        for what cannot be under these rules.
        """

    def check_place(self, deal: Deal, place: Place, rules: Rules) -> None:
        """Raise InvalidDeal where nobody may record such a deal at this place.

        It is asked of what is new. `count` still takes a hand that was recorded before this was asked.
        """

    def may_follow(self, deal: Deal, standing: Standing, rules: Rules) -> None:
        """Raise InvalidDeal where a deal cannot be written down after this standing.

        It is asked of what is new, and `count` takes it all the same: a correction of an earlier hand may change the
        standing after which a later one was written.
        """

    def objection(self, deal: Deal, after: Standing, rules: Rules) -> Message | None:
        """Return why a recorded deal could not be recorded any more, by the standing after it; None where it could.

        It stands and counts all the same: a correction of an earlier hand has brought it there.
        """

    def is_finished(self, standing: Standing, rules: Rules) -> bool:
        """Whether the game is over: `may_follow` refuses every hand then, though not all that the table may agree."""

    def next_hand_note(self, standing: Standing, rules: Rules) -> Message | None:
        """Return what the standing makes of the next hand, where players are told it beforehand; else None."""

    def balances(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[int, Amount]:
        """What each of the seats, all that ever sat, has won or lost by the sheet. Sums to zero."""

    def pairwise(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[tuple[int, int], Amount]:
        """What the first of each pair owes the second, above zero; the balances, read by pairs."""

    def reminder(self, sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
        """That the evening has come to its end, or None; unless the game is finished it takes hands all the same."""

    @property
    def in_play(self) -> Noting | None:
        """How a hand is noted before it is over; None where it is written down only then."""

    # --- For demo evenings, and for whoever wants to see that all of this holds ---

    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
        """A declarer and a hand such as an evening brings."""
