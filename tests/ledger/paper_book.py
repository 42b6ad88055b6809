"""A paper book of sessions and payments, kept as people would with a pencil: the oracle of balances and nights."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Bela")
#: The three games, and what the declarer of a hand wins from each of the others, on paper.
GAMES = {
    "asszorti": {"2H 7": 6, "2H 5": -4, "1N 5": -12},
    "tarokk": {"s= 66": 4},
    "preference": {"+1": Fraction(-10, 3), "-1": Fraction(10, 3)},
}
STAKES = ((None, ""), ("10", "HUF"), ("3", "HUF"), ("0.05", "EUR"), ("0.01", "EUR"))


@dataclass
class Session:
    """A session as people would remember it: the hand with its declarer and deal, None for one struck out.

    `result` is what it ended with, by name, in `result_currency`; '' if there is none.
    """

    game: str
    names: tuple[str, ...]
    stake: tuple[str | None, str]
    day: int
    begun: int
    in_chips: bool = False
    has_ended: bool = False
    hands: list[tuple[str, str] | None] = field(default_factory=list)
    result_currency: str = ""
    result: Counter[str] = field(default_factory=Counter)

    @property
    def counts_in(self) -> str:
        return self.result_currency

    @property
    def currency(self) -> str:
        return self.stake[1] or f"points:{self.game}"

    def end(self) -> None:
        self.has_ended = True
        stake, currency = self.stake
        worth = 1 if stake is None else Fraction(stake) * (100 if currency == "EUR" else 1)
        self.result_currency, self.result = "", Counter()
        if self.in_chips or not any(self.hands):
            return
        self.result_currency = self.currency
        for declarer, deal in filter(None, self.hands):
            for name in self.names:
                if name != declarer:
                    gains = GAMES[self.game][deal] * worth
                    self.result[declarer] += gains  # type: ignore[assignment]
                    self.result[name] -= gains  # type: ignore[assignment]


class Paid(NamedTuple):
    payer: str
    payee: str
    units: int
    currency: str
    sessions: tuple[int, ...]
    is_opening: bool
    booked: int

    @property
    def counts_in(self) -> str:
        return self.currency

    @property
    def names(self) -> tuple[str, ...]:
        return self.payer, self.payee


class Paper:
    """A circle's books as people would keep them with a pencil."""

    def __init__(self) -> None:
        self.sessions: dict[int, Session] = {}
        self.rows: dict[int, Paid] = {}
        self.merged: dict[str, str] = {}
        self.day = self.clock = 0

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def person(self, name: str) -> str:
        return self.merged.get(name, name)

    def balances(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for session in self.sessions.values():
            for name, amount in session.result.items():
                found[session.result_currency][self.person(name)] += amount
        for row in self.rows.values():
            units = -row.units if row.is_opening else row.units
            found[row.currency][self.person(row.payer)] += units
            found[row.currency][self.person(row.payee)] -= units
        return found

    def night(self, of: int) -> tuple[str, set[int], Counter[str], bool]:
        """The currency of a session's night, its sessions, balances of all who sat there, and whether it is apart."""
        day, currency = self.sessions[of].day, self.sessions[of].result_currency
        night = {pk: each for pk, each in self.sessions.items() if (each.day, each.result_currency) == (day, currency)}
        found: Counter[str] = Counter()
        for session in night.values():
            for name in session.names:
                found[self.person(name)] += session.result[name]
        is_apart, sat = True, set(found)
        for row in self.rows.values():
            both = {self.person(row.payer), self.person(row.payee)}
            if row.currency != currency or row.is_opening:
                continue
            if night.keys() & set(row.sessions) and both <= sat:
                found[self.person(row.payer)] += row.units
                found[self.person(row.payee)] -= row.units
                is_apart &= set(row.sessions) <= night.keys()
            elif not row.sessions and both & sat and row.booked > min(each.begun for each in night.values()):
                is_apart = False
        return currency, set(night), found, is_apart
