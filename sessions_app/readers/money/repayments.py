"""The payments of a circle, as they are stored and as its pages list them, and the currencies that it may pay in."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db.models import Max, QuerySet

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import (
    POINTS,
    Action,
    Circle,
    Evening,
    FormerResult,
    Repayment,
    RepaymentEvening,
    Revision,
    User,
)
from sessions_app.readers.people.members import names_by_user


class PaidSession(NamedTuple):
    """A session that a payment is for, or may be for; `currency` is that of its result."""

    id: int
    game_key: str
    started_at: datetime
    title: str
    currency: str


@dataclass(frozen=True, slots=True)
class RepaymentRow:
    """A payment or an opening balance as it is stored; `sessions` are those it is for, in order of time."""

    sessions: tuple[PaidSession, ...]
    id: int
    kind: str
    payer: int
    payee: int
    units: int
    currency: str
    note: str
    made_at: datetime
    made_by: int | None
    undone_at: datetime | None
    undone_by: int | None
    payer_name: str
    payee_name: str

    @property
    def evenings(self) -> tuple[int, ...]:
        return tuple(session.id for session in self.sessions)

    @property
    def is_undone(self) -> bool:
        return self.undone_at is not None

    @property
    def is_opening(self) -> bool:
        return self.kind == Repayment.Kind.OPENING


def rows_of(circle_id: int) -> Iterator[RepaymentRow]:
    """Yield all payments and opening balances of the circle, the oldest first: two queries."""
    found = Repayment.objects.filter(circle=circle_id).order_by("pk")
    return _with_sessions(_columns(found), RepaymentEvening.objects.filter(repayment__circle=circle_id))


def rows_among(repayments: QuerySet[Repayment]) -> tuple[RepaymentRow, ...]:
    """Return these payments and opening balances, a page of them at most, in their order: two queries."""
    rows = tuple(_columns(repayments))
    return tuple(_with_sessions(rows, RepaymentEvening.objects.filter(repayment__in=[row[0] for row in rows])))


def _with_sessions(rows: Iterable[tuple[Any, ...]], links: QuerySet[RepaymentEvening]) -> Iterator[RepaymentRow]:
    sessions: dict[int, tuple[PaidSession, ...]] = defaultdict(tuple)
    columns = (f"evening__{column}" for column in ("pk", "game_key", "started_at", "title", "result_currency"))
    for repayment, *session in links.order_by("evening__started_at", "evening").values_list("repayment", *columns):
        sessions[repayment] += (PaidSession(*session),)
    for row in rows:
        yield RepaymentRow(sessions[row[0]], *row)


def _columns(repayments: QuerySet[Repayment]) -> QuerySet[Repayment, Any]:
    return repayments.values_list(
        *("pk", "kind", "payer", "payee", "units", "currency", "note"),
        *("made_at", "made_by", "undone_at", "undone_by", "payer__name", "payee__name"),
    )


# --- Currencies ---


def game_of(currency: str) -> str:
    """Return the key of the game whose points it is, '' for money."""
    return currency.removeprefix(POINTS) if currency.startswith(POINTS) else ""


def is_currency(text: str) -> bool:
    """Return whether it is a currency, or the points of a game, that there is."""
    return text in CURRENCIES or game_of(text) in GAMES


def currency_of(game_key: str, currency: str, stake: object) -> str:
    """Return the currency in which an evening counts: that of its stake, or its game's points."""
    return f"{POINTS}{game_key}" if stake is None else currency


def points_last(currency: str) -> tuple[bool, str]:
    """Return the key by which currencies are sorted."""
    return currency.startswith(POINTS), currency


def last_played_for(circle_id: int) -> str:
    """Return the currency of the circle's latest evening with a hand and without chips, '' for none: one query."""
    evenings = Evening.objects.filter(circle=circle_id, last_number__gte=1, in_chips=False)
    latest = evenings.order_by("-started_at", "-pk").values_list("game_key", "currency", "stake").first()
    return currency_of(*latest) if latest else ""


def currencies_played_for(circle: Circle) -> tuple[str, ...]:
    """Return the currencies of the circle's evenings and earlier payments, those of points last: two queries.

    One in which something was paid stays, as the stake of an evening may be changed afterwards; and one in which an
    evening that is reopened has ended stays until it ends again.
    """
    found = set(Repayment.objects.filter(circle=circle.pk).order_by().values_list("currency", flat=True).distinct())
    columns = ("result_currency", "game_key", "currency", "stake")
    for result_currency, *kind in Evening.objects.filter(circle=circle.pk).order_by().values_list(*columns).distinct():
        found |= {currency_of(*kind), result_currency or currency_of(*kind)}
    return tuple(sorted(found, key=points_last))


# --- As pages list them ---


ROWS_PER_PAGE: Final = 30
#: Sessions that the form of a payment offers; a link from an older one brings it along.
SESSIONS_OFFERED: Final = 12


@dataclass(frozen=True, slots=True)
class RepaymentView:
    """A payment or an opening balance; `by` and `undone_by` are names, '' for a phone that is nobody's."""

    row: RepaymentRow
    by: str
    by_me: bool
    undone_by: str
    undone_by_me: bool


@dataclass(frozen=True, slots=True)
class RepaymentPage:
    """Some payments, the newest first; `earlier` is the next page's `before`, None on the last."""

    views: tuple[RepaymentView, ...]
    earlier: int | None


def page_of(circle_id: int, viewer: User, before: int | None = None) -> RepaymentPage:
    """Return a page of the circle's payments below the key `before` (None: the latest): four queries."""
    found = Repayment.objects.filter(circle=circle_id).order_by("-pk")
    below = found if before is None else found.filter(pk__lt=before)
    rows = rows_among(below[: ROWS_PER_PAGE + 1])
    shown = rows[:ROWS_PER_PAGE]
    return RepaymentPage(views_of(circle_id, shown, viewer), shown[-1].id if len(rows) > len(shown) else None)


def view_at(circle_id: int, key: int, viewer: User) -> RepaymentView | None:
    """Return a payment of the circle by its key: four queries."""
    rows = rows_among(Repayment.objects.filter(circle=circle_id, pk=key))
    return views_of(circle_id, rows, viewer)[0] if rows else None


def views_of(circle_id: int, rows: Iterable[RepaymentRow], viewer: User) -> tuple[RepaymentView, ...]:
    """Return these payments as the viewer sees them: two queries, none for no payment."""
    shown = tuple(rows)
    by_user = names_by_user(circle_id) if shown else {}
    return tuple(
        RepaymentView(
            row,
            by_user.get(row.made_by or 0, ""),
            row.made_by == viewer.pk,
            by_user.get(row.undone_by or 0, ""),
            row.undone_by == viewer.pk,
        )
        for row in shown
    )


def latest_key(circle_id: int) -> int:
    """Return the highest key of a payment of the circle, 0 for none: one query."""
    latest = Repayment.objects.filter(circle=circle_id).order_by().aggregate(key=Max("pk"))
    return latest["key"] or 0


def sessions_to_pay(circle: Circle, asked: Collection[int]) -> tuple[PaidSession, ...]:
    """Return the latest sessions that a payment may be for, and those asked for, the newest first: two queries at most.

    They have a result. In a demo none has: there a sheet with a hand will do.
    """
    written = Evening.objects.filter(circle=circle.pk, last_number__gte=1, in_chips=False)
    may_be_paid = written if circle.is_demo else written.exclude(result_currency="")
    rows = may_be_paid.order_by("-started_at", "-pk").values_list(
        *("pk", "game_key", "started_at", "title", "result_currency", "currency", "stake")
    )
    found = {row[0]: row for row in (*rows[:SESSIONS_OFFERED], *rows.filter(pk__in=asked))}
    return tuple(
        PaidSession(pk, game_key, started_at, title, result_currency or currency_of(game_key, currency, stake))
        for pk, game_key, started_at, title, result_currency, currency, stake in found.values()
    )


# --- Changes of a session after the first payment for it ---


class ChangedResult(NamedTuple):
    """A player's result when the session was first paid, and that of today; `now` is None if he has none."""

    name: str
    was: Amount
    was_in: str
    now: Amount | None


class StrayPayment(NamedTuple):
    """A payment for the session in a currency in which it counts no more: the payee has it to hand back.

    `is_for_others`: another session that it is for counts in its currency, so it is not to be taken back as a whole.
    """

    row: RepaymentRow
    is_for_others: bool


@dataclass(frozen=True, slots=True)
class SincePaid:
    """The changes of a session after the first payment for it.

    `hands` are those recorded or corrected, by number; `results` those that differ, by seat, in today's `currency`, ''
    if it has no result; `strays` the payments in another one, the oldest first.
    """

    currency: str
    hands: tuple[int, ...]
    results: tuple[ChangedResult, ...]
    strays: tuple[StrayPayment, ...]


def since_paid(evening: Evening, paid: Iterable[RepaymentRow]) -> SincePaid | None:
    """Return the changes of an evening after the first of these payments for it: three queries.

    Those taken back do not count. None if no other is left: no query.
    """
    rows = sorted((row for row in paid if not row.is_undone), key=lambda row: (row.made_at, row.id))
    if not rows:
        return None
    first, currency = rows[0].made_at, evening.result_currency
    written = Revision.objects.filter(hand__evening=evening.pk, made_at__gt=first).exclude(action=Action.RECOUNT)
    hands = written.order_by("hand__number").values_list("hand__number", flat=True).distinct()
    strays = tuple(
        StrayPayment(row, any(session.currency == row.currency for session in row.sessions))
        for row in rows
        if row.currency != currency
    )
    return SincePaid(currency, tuple(hands), _results(evening, first), strays)


def _results(evening: Evening, first: datetime) -> tuple[ChangedResult, ...]:
    """Return the results that differed at this moment: two queries."""
    was: dict[int, tuple[Fraction, str]] = {}
    former = FormerResult.objects.filter(seat__evening=evening.pk, replaced_at__gt=first).order_by("-pk")
    for key, result, parts, currency in former.values_list("seat", "result", "result_parts", "currency"):
        was[key] = Fraction(result, parts), currency
    changed = []
    for seat in evening.seats.select_related("player"):
        now = None if seat.result is None else simplified(Fraction(seat.result, seat.result_parts))
        if seat.pk in was and was[seat.pk] != (now, evening.result_currency):
            then, currency = was[seat.pk]
            changed.append(ChangedResult(seat.player.name, simplified(then), currency, now))
    return tuple(changed)
