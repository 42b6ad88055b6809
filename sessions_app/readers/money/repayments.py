"""The payments of a circle as they are stored, and the currencies that it may pay in."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from sessions_app.models import POINTS, Circle, Evening, Repayment, RepaymentEvening


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
