"""The payments of a circle as its pages list them: who paid whom, for what, and who booked it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Max

from sessions_app.models import Circle, Evening, Repayment, User
from sessions_app.readers.money.repayments import PaidSession, RepaymentRow, currency_of, rows_among
from sessions_app.readers.people.members import names_by_user

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
