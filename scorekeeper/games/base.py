"""The abstract base class of a game, and the values that all games share.

A seat is a whole number that stands for the same player all evening. The seats at the table are a tuple in clockwise
order: (0, 1, 2), and (0, 1, 3, 2) once a fourth player has sat down between two. Entries are whole numbers; balances
may be fractions. The rules answer in codes, and the web layer translates these for players.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from scorekeeper.games.amounts import Amount
from scorekeeper.games.errors import Message, NotPlaying, Params
from scorekeeper.games.house_rules import Difference, HouseRules, Switch
from scorekeeper.games.measures import Feat, Measure, Merit, shared_measures
from scorekeeper.games.referee import Referee

#: The seats at the table, clockwise; or their number, if they are 0 … n−1.
type Seats = int | tuple[int, ...]
#: An account of a seat, against another or None.
type Account = tuple[str, int, int | None]
#: The sums of entries by account.
type Sheet = Mapping[Account, int]


@dataclass(frozen=True, slots=True, order=True)
class Payment:
    """A payment of points from one seat to another for one hand.

    Raise ValueError for the same seat twice, and for points not above zero. Any set of payments sums to zero.
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
    """One step of the count: its item, its code and parameters, and its amount. The amounts sum to the points."""

    item: str
    code: str
    params: Params = field(hash=False)
    amount: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An amount that a hand writes into an account of a seat, `against` another seat or None, and its reason.

    In the account `paid` the amount, above zero, is paid by the seat to the other, so such entries sum to zero.
    Raise ValueError for an amount of 0 and for a seat against itself.
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


class EntryLike(Protocol):
    """An entry, counted or stored."""

    @property
    def account(self) -> str: ...
    @property
    def seat(self) -> int: ...
    @property
    def against(self) -> int | None: ...
    @property
    def amount(self) -> int: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a hand: the seats at the table, clockwise, the dealer, and the declarer (None: none, or not known).

    Raise ValueError for a dealer who is not seated. The game checks that the declarer plays.
    """

    seats: tuple[int, ...]
    dealer: int
    declarer: int | None = None

    def __post_init__(self) -> None:
        if self.dealer not in self.seats or len(set(self.seats)) < len(self.seats):
            raise ValueError(f"seat {self.dealer} cannot deal to {self.seats}")


@dataclass(frozen=True, slots=True)
class Count[Standing]:
    """The count of a hand: its entries, the lines that explain them, and the standing after it."""

    entries: tuple[Entry, ...]
    lines: tuple[ScoreLine, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Seating:
    """The turn at the table: of `counts` possible numbers of seats, `players` play a hand, those after the dealer.

    Its methods raise ValueError for another number of seats, and for a dealer who is not seated.
    """

    counts: tuple[int, ...]
    players: int
    clockwise: bool = True

    def playing_seats(self, seats: Seats, dealer: int) -> tuple[int, ...]:
        """Return the seats that play, in the order in which they speak: the dealer last, or, if one too many, out."""
        sitting = tuple(range(seats)) if isinstance(seats, int) else seats
        if len(sitting) not in self.counts:
            raise ValueError(f"the game is played by {self.counts}, not by {len(sitting)}")
        if dealer not in sitting:
            raise ValueError(f"no seat {dealer} at a table of {sitting}")
        at, step = sitting.index(dealer), 1 if self.clockwise else -1
        return tuple(sitting[(at + step * nth) % len(sitting)] for nth in range(1, self.players + 1))

    def next_dealer(self, seats: Seats, dealer: int) -> int:
        """Return the seat after the dealer's."""
        return self.playing_seats(seats, dealer)[0]

    def places(self, seats: Seats, dealer: int, declarer: int) -> tuple[int, ...]:
        """Return the playing seats by place: the declarer's is 0. Raise NotPlaying if he does not play."""
        playing = self.playing_seats(seats, dealer)
        if declarer not in playing:
            raise NotPlaying(f"seat {declarer} does not play when seat {dealer} of {seats} deals")
        at = playing.index(declarer)
        return playing[at:] + playing[:at]


class Game[Deal, Rules, Standing](ABC):
    """A game. Its package has one instance, which the registry lists.

    `seats` are those at the table; `dealer` and `declarer` are two of them. The questions about seats raise ValueError
    for a number of seats that the game does not have or a dealer who is not seated, and NotPlaying for a declarer who
    does not play the hand. `rules` are the evening's house rules wherever a deal is read or counted.
    """

    #: The name under which the game is registered and stored.
    key: str
    #: The accounts that its hands write into.
    accounts: tuple[str, ...]
    #: The turn at its table.
    seating: Seating
    #: True if players may join or leave between two hands of an evening.
    seats_may_change: bool
    #: True if its hands write nothing but payments, so that each can be paid as soon as it is played.
    pays_per_hand: bool = False
    #: The ways in which the deal may go on after a hand that was thrown in, the usual first.
    #: `stays`: the same dealer again; `passes`: as after a hand that was played.
    redeals: tuple[str, ...]
    #: The profiles and switches of its house rules, and the reading and writing of rules.
    house_rules: HouseRules[Rules]
    #: The referee of a hand that is being played; None for a game whose hands are recorded only when they are over.
    referee: Referee[Any, Any, Deal, Rules] | None = None
    #: The points of its merit ranking.
    merit: Merit = Merit()
    #: The measures with keys for which every hand of a wider measure counts: its amounts sum to the `of` of each key.
    counted_over: Mapping[str, str] = MappingProxyType({"declared": "hands"})

    # --- Seating ---

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The possible numbers of seats at the table."""
        return self.seating.counts

    def playing_seats(self, seats: Seats, dealer: int) -> tuple[int, ...]:
        """Return the seats that play the hand, in the order in which they speak."""
        return self.seating.playing_seats(seats, dealer)

    def next_dealer(self, seats: Seats, dealer: int) -> int:
        """Return the seat that deals the following hand."""
        return self.seating.next_dealer(seats, dealer)

    def leaders(self, seats: Seats, dealer: int) -> Mapping[int, int]:
        """Return the seat that leads first by the seat that declares, for each that may: by default the first."""
        playing = self.playing_seats(seats, dealer)
        return dict.fromkeys(sorted(playing), playing[0])

    # --- House rules ---

    @property
    def PROFILES(self) -> Mapping[str, Rules]:
        """Named rules by their keys; the first are the book's, and the default."""
        return self.house_rules.profiles

    @property
    def SWITCHES(self) -> tuple[Switch, ...]:
        """The house rules that may differ from the book, in the order of the form and of the text."""
        return self.house_rules.switches

    def rules_from_text(self, text: str) -> Rules:
        """Read rules: a profile's key, and `switch=value` for each that differs, with spaces; '' is the book.

        Raise InvalidRules.
        """
        return self.house_rules.read(text)

    def rules_to_text(self, rules: Rules) -> str:
        """Write rules in their one spelling, '' for the book's."""
        return self.house_rules.write(rules)

    def differences(self, rules: Rules, base: Rules | None = None) -> tuple[Difference, ...]:
        """Return the switches whose value is not that of `base`, or of the book if `base` is None."""
        return self.house_rules.differences(rules, base)

    # --- A deal ---

    @abstractmethod
    def deal_from_text(self, text: str, rules: Rules = ...) -> Deal:
        """Read the one-line notation.

        Raise NotationError if it is malformed, InvalidDeal if the deal is impossible under these rules.
        """

    @abstractmethod
    def deal_to_text(self, deal: Deal) -> str:
        """Write the one-line notation, from which `deal_from_text` makes an equal deal."""

    @abstractmethod
    def reads_as(self, one: Deal, other: Deal, rules: Rules = ...) -> bool:
        """Return whether both deals may record the same hand under these rules, one of them in more detail."""

    @abstractmethod
    def is_agreed(self, deal: Deal) -> bool:
        """Return whether the deal is agreed entries: no cards were dealt for them, and the dealer stays."""

    @abstractmethod
    def agreed(self, balances: Mapping[int, int]) -> Deal:
        """Return the agreed entries that alone come to these balances, which sum to zero and are not all zero."""

    # --- The count ---

    @abstractmethod
    def start(self, rules: Rules) -> Standing:
        """Return the standing before the first hand."""

    @abstractmethod
    def standing_from_text(self, text: str) -> Standing:
        """Read a standing as `standing_to_text` writes it. Raise ValueError.

        '' is the standing of a game in which no hand depends on another.
        """

    @abstractmethod
    def standing_to_text(self, standing: Standing) -> str:
        """Write a standing in its one spelling."""

    @abstractmethod
    def count(self, deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Count[Standing]:
        """Count a hand; `deal` is None if it was thrown in.

        Raise NotPlaying if the declarer does not play, is missing, or is given where nobody declares, and InvalidDeal
        for a deal that is impossible under these rules.
        """

    @abstractmethod
    def check_place(self, deal: Deal, place: Place, rules: Rules) -> None:
        """Raise InvalidDeal if nobody may record such a deal at this place.

        Called only for new deals: `count` takes hands that were recorded before this check.
        """

    @abstractmethod
    def may_follow(self, deal: Deal, standing: Standing, rules: Rules) -> None:
        """Raise InvalidDeal if the deal must not be recorded after this standing.

        Called only for new deals; `count` takes all, for a correction of an earlier hand may change the standing after
        which a later one was recorded.
        """

    def objection(self, deal: Deal, after: Standing, rules: Rules) -> Message | None:
        """Return why a recorded deal could not be recorded now, by the standing after it; None if it could.

        The hand still counts: a correction of an earlier hand has changed its standing.
        """
        return None

    def is_finished(self, standing: Standing, rules: Rules) -> bool:
        """Return whether the game is over. `may_follow` refuses every hand then, though not all agreed entries."""
        return False

    def next_hand_note(self, standing: Standing, rules: Rules) -> Message | None:
        """Return the message about the next hand that follows from the standing, or None."""
        return None

    @abstractmethod
    def balances(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[int, Amount]:
        """Return the amount that each seat has won or lost by the sheet; they sum to zero.

        `seats` are all that were ever taken in the evening.
        """

    @abstractmethod
    def pairwise(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[tuple[int, int], Amount]:
        """Return the amount, above zero, that the first seat of each pair owes the second; together the balances."""

    def reminder(self, sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
        """Return the message that the evening has reached its end, or None. Hands may follow unless `is_finished`."""
        return None

    # --- Statistics ---

    def measures(
        self, deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: Iterable[EntryLike]
    ) -> tuple[Measure, ...]:
        """Return the contributions of a played hand to the statistics; a seat that sat it out has none.

        `entries` are all that the hand wrote, and `amounts` the balances that they come to, by seat.
        """
        part, declaring = self.participants(place, rules), self.declaring_seats(deal, place)
        shared = shared_measures(part, declaring, amounts, self.merit, is_made=self.is_made(deal, rules))
        return (*shared, *self.own_measures(deal, place, amounts, rules, tuple(entries)))

    def participants(self, place: Place, rules: Rules) -> tuple[int, ...]:
        """Return the seats that played a hand at this place; without a declarer one that nobody declared."""
        return self.playing_seats(place.seats, place.dealer)

    def declaring_seats(self, deal: Deal, place: Place) -> tuple[int, ...]:
        """Return the declarer's seat and then the partner's, if there is one; () if nobody declared."""
        return () if place.declarer is None else (place.declarer,)

    @abstractmethod
    def is_made(self, deal: Deal, rules: Rules) -> bool:
        """Return whether the declarer made the hand; False if nobody declared."""

    def own_measures(
        self, deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
    ) -> Iterable[Measure]:
        """Return the measures that not every game has."""
        return ()

    def feats(self, deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterable[Feat]:
        """Return the reasons, besides its amount, to remember a hand that was played; `measures` are the hand's."""
        return ()

    # --- For demo evenings and tests ---

    @abstractmethod
    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
        """Return a declarer and a deal of a usual kind."""


def place_of(account: Account, accounts: Sequence[str]) -> tuple[int, int, int]:
    """Return the sort key of an account in the short form: the order of the game's accounts, then the seats."""
    name, seat, against = account
    return accounts.index(name) if name in accounts else len(accounts), seat, -1 if against is None else against


def short_form(sheet: Sheet, accounts: Sequence[str]) -> str:
    """Write the sum of each account; sums of zero are left out."""
    return " ".join(
        f"{name[0].upper()}{seat}{'' if against is None else f'>{against}'}{sheet[name, seat, against]:+}"
        for name, seat, against in sorted(sheet, key=lambda account: place_of(account, accounts))
        if sheet[name, seat, against]
    )
