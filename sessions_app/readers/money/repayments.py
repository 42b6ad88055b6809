"""The payments of a circle, as they are stored and as its pages list them, and the currencies that it may pay in."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from django.db.models import Max, Prefetch, QuerySet

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import POINTS, Action, Circle, Evening, FormerResult, Repayment, Revision, User
from sessions_app.readers.people.members import names_by_user

#: Payments of a circle in memory at once.
AT_ONCE: Final = 500


def rows_of(circle_id: int) -> Iterator[Repayment]:
    """Yield all payments and opening balances of the circle, the oldest first: two queries for each `AT_ONCE`."""
    return with_sessions(Repayment.objects.filter(circle=circle_id).order_by("pk")).iterator(AT_ONCE)


def with_sessions(repayments: QuerySet[Repayment]) -> QuerySet[Repayment]:
    """Return these payments with both players, and the sessions each is for, in order of time: two queries."""
    sessions = Evening.objects.only("game_key", "started_at", "title", "result_currency").order_by("started_at", "pk")
    return repayments.select_related("payer", "payee").prefetch_related(Prefetch("evenings", sessions))


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

    row: Repayment
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
    rows = list(with_sessions(below)[: ROWS_PER_PAGE + 1])
    shown = rows[:ROWS_PER_PAGE]
    return RepaymentPage(views_of(circle_id, shown, viewer), shown[-1].pk if len(rows) > len(shown) else None)


def view_at(circle_id: int, key: int, viewer: User) -> RepaymentView | None:
    """Return a payment of the circle by its key: four queries."""
    rows = with_sessions(Repayment.objects.filter(circle=circle_id, pk=key))
    return views_of(circle_id, rows, viewer)[0] if rows else None


def views_of(circle_id: int, rows: Iterable[Repayment], viewer: User) -> tuple[RepaymentView, ...]:
    """Return these payments as the viewer sees them: two queries, none for no payment."""
    shown = tuple(rows)
    by_user = names_by_user(circle_id) if shown else {}
    return tuple(
        RepaymentView(
            row,
            by_user.get(row.made_by_id or 0, ""),
            row.made_by_id == viewer.pk,
            by_user.get(row.undone_by_id or 0, ""),
            row.undone_by_id == viewer.pk,
        )
        for row in shown
    )


def latest_key(circle_id: int) -> int:
    """Return the highest key of a payment of the circle, 0 for none: one query."""
    latest = Repayment.objects.filter(circle=circle_id).order_by().aggregate(key=Max("pk"))
    return latest["key"] or 0


class PayableSession(NamedTuple):
    """A session that a payment may be for; `currency` is that of its result."""

    id: int
    game_key: str
    started_at: datetime
    title: str
    currency: str


def sessions_to_pay(circle: Circle, asked: Collection[int]) -> tuple[PayableSession, ...]:
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
        PayableSession(pk, game_key, started_at, title, result_currency or currency_of(game_key, currency, stake))
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

    row: Repayment
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


def since_paid(evening: Evening, paid: Iterable[Repayment]) -> SincePaid | None:
    """Return the changes of an evening after the first of these payments for it: three queries.

    Those taken back do not count. None if no other is left: no query.
    """
    rows = sorted((row for row in paid if not row.is_undone), key=lambda row: (row.made_at, row.pk))
    if not rows:
        return None
    first, currency = rows[0].made_at, evening.result_currency
    written = Revision.objects.filter(hand__evening=evening.pk, made_at__gt=first).exclude(action=Action.RECOUNT)
    hands = written.order_by("hand__number").values_list("hand__number", flat=True).distinct()
    strays = tuple(
        StrayPayment(row, any(session.result_currency == row.currency for session in row.evenings.all()))
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
