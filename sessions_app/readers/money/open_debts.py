"""The open debts of a circle: the debts of all its evenings and opening balances, less the payments that were made.

An evening with a stake counts in its currency, one without in the points of its game. Running evenings count as they
stand. Nothing here reads a hand: debts are counted from the evenings' own sheets.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from scorekeeper.money.debts import Book, Debt, Paid, book_of
from sessions_app.models import Action, Circle, Evening, Revision, Seat, house_rules_of
from sessions_app.readers.circle_versions import stamp_of_running, versions_of
from sessions_app.readers.evening.seating import sums
from sessions_app.readers.money import chips
from sessions_app.readers.money.repayments import RepaymentRow, currency_of, points_last, rows_of
from sessions_app.words.money import stake_of


class Opening(NamedTuple):
    """The source of a debt from a paper book: the opening balance by its key. An evening's is the evening's key."""

    repayment: int


@dataclass(frozen=True, slots=True)
class EveningDebts:
    """An evening with a hand, and its debts: (payer, payee, amount above zero) in the currency's smallest unit.

    `players` are by seat.
    """

    id: int
    game_key: str
    started_at: datetime
    ended_at: datetime | None
    title: str
    currency: str
    players: tuple[int, ...]
    in_chips: bool
    debts: tuple[tuple[int, int, Amount], ...]


@dataclass(frozen=True)
class OpenDebts:
    """The books of a circle by currency, money first; the evenings and rows that they are of, the oldest first.

    `stamp` differs whenever these do; it is None where they were counted anew.
    """

    evenings: dict[int, EveningDebts]
    rows: tuple[RepaymentRow, ...]
    books: dict[str, Book]
    stamp: tuple[Any, ...] | None = None

    @property
    def latest_row(self) -> int:
        """Return the highest key of a payment, 0 for none."""
        return self.rows[-1].id if self.rows else 0

    def book(self, currency: str) -> Book:
        return self.books.get(currency) or Book({})

    @cached_property
    def _counts(self) -> Counter[frozenset[int]]:
        return Counter(frozenset((row.payer, row.payee)) for row in self.rows)

    def rows_between(self, one: int, other: int) -> int:
        """Return the number of payments between two players, those taken back too."""
        return self._counts[frozenset((one, other))]

    def paid_for(self, evening: int) -> tuple[RepaymentRow, ...]:
        """Return the payments that are for this evening, those taken back too, the oldest first."""
        return tuple(row for row in self.rows if evening in row.evenings)

    def first_paid(self) -> dict[int, datetime]:
        """Return the evenings of which a payment closed something and something is open, and when it was first paid."""
        times = {row.id: row.made_at for row in self.rows}
        found: dict[int, datetime] = {}
        for pair in (pair for book in self.books.values() for pair in book.pairs.values()):
            for key, closed in pair.closed.items():
                for source in closed:
                    if isinstance(source, int) and pair.left[source]:
                        found[source] = min(times[key], found.get(source, times[key]))
        return found


#: The debts of a circle's ended evenings, and its books. A circle of 1,000 evenings takes about 1 MB.
_ended: LRUCache[tuple[EveningDebts, ...]] = LRUCache()
_books: LRUCache[OpenDebts] = LRUCache()


def counts_as_debts(evening: EveningDebts) -> bool:
    """Return whether an evening's debts are to be paid: they were, if it is paid in chips after each hand."""
    return not chips.is_paid(evening)


def open_debts(circle: Circle) -> OpenDebts:
    """Return what is owed in the circle: two queries while nothing has changed, else eight at most.

    The ended evenings are read again if one of them has changed, and the payments if one was made.
    """
    versions = versions_of(circle)
    if versions is None:
        return counted_debts(circle)
    key = (versions, stamp_of_running(circle))

    def count() -> OpenDebts:
        ended = _ended.get_or_make(versions.of_ended, lambda: tuple(_read(circle.pk, are_ended=True)))
        return replace(_counted(circle, ended), stamp=key)

    return _books.get_or_make(key, count)


def counted_debts(circle: Circle) -> OpenDebts:
    """Return what is owed in the circle, read and counted anew: six queries."""
    return _counted(circle, tuple(_read(circle.pk, are_ended=True)))


def _counted(circle: Circle, ended: tuple[EveningDebts, ...]) -> OpenDebts:
    """Return the books of these ended evenings and the running ones: four queries."""
    evenings = sorted(
        (*ended, *_read(circle.pk, are_ended=False)), key=lambda evening: (evening.started_at, evening.id)
    )
    rows = tuple(rows_of(circle.pk))
    debts: dict[str, list[Debt]] = defaultdict(list)
    payments: dict[str, list[Paid]] = defaultdict(list)
    for row in rows:
        if row.is_undone:
            continue
        if row.is_opening:
            debts[row.currency].append(Debt(Opening(row.id), row.payer, row.payee, row.units))
        else:
            payments[row.currency].append(Paid(row.id, row.payer, row.payee, row.units, row.evenings))
    for evening in filter(counts_as_debts, evenings):
        debts[evening.currency] += (Debt(evening.id, *debt) for debt in evening.debts)
    currencies = sorted(debts.keys() | payments.keys(), key=points_last)
    books = {currency: book_of(debts[currency], payments[currency]) for currency in currencies}
    return OpenDebts({evening.id: evening for evening in evenings}, rows, books)


def written_since_paid(debts: OpenDebts) -> dict[int, tuple[int, ...]]:
    """Return the hands that were recorded or corrected after their evening was first paid, by evening.

    Of evenings of which something is open: that is why. One query, none if nothing is open of an evening that was paid.
    """
    paid = debts.first_paid()
    if not paid:
        return {}
    written = Revision.objects.filter(hand__evening__in=paid).exclude(action=Action.RECOUNT).order_by()
    found: dict[int, set[int]] = defaultdict(set)
    for evening, number, made_at in written.values_list("hand__evening", "hand__number", "made_at"):
        if made_at > paid[evening]:
            found[evening].add(number)
    return {evening: tuple(sorted(numbers)) for evening, numbers in found.items()}


def _read(circle_id: int, *, are_ended: bool) -> Iterator[EveningDebts]:
    """Yield the evenings with a hand: two queries."""
    evenings = Evening.objects.filter(circle=circle_id, ended_at__isnull=not are_ended)
    rows = evenings.values_list(
        *("pk", "game_key", "rules", "stake", "currency", "sheet", "last_number"),
        *("started_at", "ended_at", "title", "in_chips"),
    )
    sitting = Seat.objects.filter(evening__in=evenings).order_by("evening", "position")
    players: dict[int, dict[int, int]] = defaultdict(dict)
    for evening, position, player in sitting.values_list("evening", "position", "player"):
        players[evening][position] = player
    for pk, game_key, rules, stake, currency, sheet, last, started_at, ended_at, title, in_chips in rows:
        if not last:
            continue
        seats = players[pk]
        owed = GAMES[game_key].pairwise(sums(sheet), tuple(seats), house_rules_of(game_key, rules))
        worth = stake_of(stake, currency)
        debts = (
            (seats[payer], seats[payee], worth.coins(points) if worth else points)
            for (payer, payee), points in owed.items()
        )
        yield EveningDebts(
            pk,
            game_key,
            started_at,
            ended_at,
            title,
            currency_of(game_key, currency, stake),
            tuple(seats.values()),
            in_chips,
            tuple(debts),
        )
