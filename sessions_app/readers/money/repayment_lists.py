"""The payments of a circle as its pages list them: whose, for what, what each closed, and who booked it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sessions_app.models import User
from sessions_app.readers.money.open_debts import EveningDebts
from sessions_app.readers.money.repayments import RepaymentRow
from sessions_app.readers.money.who_owes import Part, WhoOwes
from sessions_app.readers.people.circles import CirclePlayer

ROWS_PER_PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class RepaymentView:
    """A payment or an opening balance; `by` and `undone_by` are names, '' for a phone that is nobody's."""

    row: RepaymentRow
    payer: CirclePlayer
    payee: CirclePlayer
    evenings: tuple[EveningDebts, ...]
    closed: tuple[Part, ...]
    by: str
    by_me: bool
    undone_by: str
    undone_by_me: bool


@dataclass(frozen=True, slots=True)
class RepaymentPage:
    """Some payments, the newest first; `earlier` is the next page's `before`, None on the last."""

    views: tuple[RepaymentView, ...]
    earlier: int | None


def page_of(who: WhoOwes, by_user: Mapping[int, str], viewer: User, before: int | None = None) -> RepaymentPage:
    """Return a page of the circle's payments below the key `before` (None: the latest). No query."""
    rows = [row for row in reversed(who.debts.rows) if before is None or row.id < before]
    shown = rows[:ROWS_PER_PAGE]
    return RepaymentPage(views_of(who, shown, by_user, viewer), shown[-1].id if len(rows) > len(shown) else None)


def views_of(
    who: WhoOwes, rows: Iterable[RepaymentRow], by_user: Mapping[int, str], viewer: User
) -> tuple[RepaymentView, ...]:
    """Return these payments as the viewer sees them. No query."""
    return tuple(
        RepaymentView(
            row,
            who.players[row.payer],
            who.players[row.payee],
            tuple(who.debts.evenings[evening] for evening in row.evenings if evening in who.debts.evenings),
            _closed(who, row),
            by_user.get(row.made_by or 0, ""),
            row.made_by == viewer.pk,
            by_user.get(row.undone_by or 0, ""),
            row.undone_by == viewer.pk,
        )
        for row in rows
    )


def _closed(who: WhoOwes, row: RepaymentRow) -> tuple[Part, ...]:
    closed = who.debts.book(row.currency).closed_by(row.id)
    return tuple(who.part(source, amount) for source, amount in closed.items())
