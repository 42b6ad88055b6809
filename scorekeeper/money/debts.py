"""Debts between people and the payments that closed them: who owes whom, of what, and what each payment closed.

Amounts are exact, in the smallest unit of one currency. A source is what a debt comes from: an evening, or an opening
balance of a paper book. Payments never change a debt: what is open is the sum of the debts less what was paid.
Pure Python: standard library only.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from scorekeeper.games.amounts import Amount

type Source = Hashable
type Pair = tuple[int, int]
#: The source of what was paid ahead of any debt.
AHEAD: Final = None


@dataclass(frozen=True, slots=True)
class Debt:
    """A debt of the payer to the payee by one source; below zero the payee owes it."""

    source: Source
    payer: int
    payee: int
    amount: Amount


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment: what the payer handed the payee, and the sources that it is for, the oldest first; () for any."""

    key: int
    payer: int
    payee: int
    units: int
    sources: tuple[Source, ...] = ()


@dataclass(slots=True)
class PairBook:
    """Debts of the first of a pair to the second: amounts are below zero where the second owes the first.

    `owed` is by source what the debts come to, and `left` what is left of each after the payments, below zero where
    too much was paid. `ahead` was paid beyond all debts. `closed` is by payment what it closed of each source.
    """

    owed: dict[Source, Amount] = field(default_factory=dict)
    left: dict[Source, Amount] = field(default_factory=dict)
    ahead: Amount = 0
    closed: dict[int, dict[Source, Amount]] = field(default_factory=dict)

    @property
    def standing(self) -> Amount:
        """Return what the first owes the second in all: all debts less all payments."""
        return sum(self.left.values()) - self.ahead

    def of(self, sources: Iterable[Source]) -> Amount:
        """Return what is left of these sources; the rest of the standing is of everything else."""
        return sum(self.left.get(source, 0) for source in sources)

    def still_open(self) -> dict[Source, Amount]:
        """Return what is open once debts both ways have cancelled each other out, the oldest first.

        All amounts have the sign of the standing, and add up to it. AHEAD is the source of what was paid ahead.
        """
        parts = dict(self.left)
        if self.ahead:
            parts[AHEAD] = -self.ahead
        sign = 1 if self.standing > 0 else -1
        against = -sum(amount for amount in parts.values() if amount * sign < 0) * sign
        found = {}
        for source, amount in parts.items():
            size = amount * sign
            if size <= 0:
                continue
            cancelled = min(size, against)
            against -= cancelled
            if size > cancelled:
                found[source] = (size - cancelled) * sign
        return found

    def book(self, key: int, units: int, sources: Sequence[Source]) -> None:
        """Divide a payment of the first to the second, below zero of the second to the first.

        For one source it is of that as a whole. For several it closes these, the oldest first, and the rest is of the
        last. For none it closes all debts, the oldest first, and the rest is ahead of them.
        """
        sign = 1 if units > 0 else -1
        rest: Amount = units * sign
        closed: dict[Source, Amount] = {}
        for source in sources if len(sources) > 1 else () if sources else tuple(self.left):
            taken = min(rest, max(0, self.left.get(source, 0) * sign))
            if taken:
                closed[source] = taken * sign
                rest -= taken
        if rest and sources:
            closed[sources[-1]] = closed.get(sources[-1], 0) + rest * sign
        elif rest:
            self.ahead += rest * sign
            closed[AHEAD] = rest * sign
        for source in closed.keys() - {AHEAD}:
            self.left[source] = self.left.get(source, 0) - closed[source]
        self.closed[key] = closed


@dataclass(frozen=True)
class Book:
    """The debts of one currency, by pair; the first of a pair has the lower key."""

    pairs: Mapping[Pair, PairBook]

    @cached_property
    def balances(self) -> dict[int, Amount]:
        """Return what each player is owed in all, below zero what he owes. They sum to zero."""
        return _balances({pair: book.standing for pair, book in self.pairs.items()})

    @cached_property
    def open_pairs(self) -> dict[Pair, Amount]:
        """Return the debts that are not zero, by debtor and creditor."""
        return _by_debtor({pair: book.standing for pair, book in self.pairs.items()})

    def between(self, payer: int, payee: int, sources: Collection[Source] | None = None) -> Amount:
        """Return what the one owes the other, in all or of these sources; below zero the other owes it."""
        book = self.pairs.get((min(payer, payee), max(payer, payee)))
        if book is None:
            return 0
        owed = book.standing if sources is None else book.of(sources)
        return owed if payer < payee else -owed

    def balances_of(self, sources: Collection[Source]) -> dict[int, Amount]:
        """Return what is left of these sources, by player as `balances`."""
        return _balances({pair: book.of(sources) for pair, book in self.pairs.items()})

    def pairs_of(self, sources: Collection[Source]) -> dict[Pair, Amount]:
        """Return what is left of these sources, by debtor and creditor as `open_pairs`."""
        return _by_debtor({pair: book.of(sources) for pair, book in self.pairs.items()})

    def closed_by(self, key: int) -> dict[Source, Amount]:
        """Return what a payment closed of each source, above zero; AHEAD is the source of the rest."""
        found = next((book.closed[key] for book in self.pairs.values() if key in book.closed), {})
        return {source: amount if amount > 0 else -amount for source, amount in found.items()}


def book_of(debts: Iterable[Debt], payments: Iterable[Paid]) -> Book:
    """Divide the payments over the debts; both are given in order of time, opening balances before all evenings.

    Payments for some sources are divided before those for none.
    """
    pairs: dict[Pair, PairBook] = defaultdict(PairBook)
    for debt in debts:
        pair, amount = _of_pair(debt.payer, debt.payee, debt.amount)
        book = pairs[pair]
        book.owed[debt.source] = book.left[debt.source] = book.owed.get(debt.source, 0) + amount
    for paid in sorted(payments, key=lambda paid: not paid.sources):
        pair, units = _of_pair(paid.payer, paid.payee, paid.units)
        pairs[pair].book(paid.key, units, paid.sources)
    return Book(dict(pairs))


def _of_pair[A: Amount](payer: int, payee: int, amount: A) -> tuple[Pair, A]:
    return ((payer, payee), amount) if payer < payee else ((payee, payer), -amount)  # type: ignore[return-value]


def _balances(pairs: Mapping[Pair, Amount]) -> dict[int, Amount]:
    found: dict[int, Amount] = defaultdict(int)
    for (first, second), owed in pairs.items():
        found[first] -= owed
        found[second] += owed
    return dict(sorted(found.items()))


def _by_debtor(pairs: Mapping[Pair, Amount]) -> dict[Pair, Amount]:
    found: dict[Pair, Amount] = {}
    for (first, second), owed in pairs.items():
        if owed > 0:
            found[first, second] = owed
        elif owed:
            found[second, first] = -owed
    return dict(sorted(found.items()))
