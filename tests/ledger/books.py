"""Helpers of the ledger's tests: all rows, an evening's books recounted, writers at once, payments by names."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from threading import Barrier
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models import Model

from sessions_app.errors import LedgerError
from sessions_app.models import Circle, Evening, Hand, Installation, Player, RateCount, Repayment, User
from sessions_app.readers import verify
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import evening_edit, evenings, repayments
from sessions_app.writers.repayments import Booked, Wanted
from tests.factories import record, repeat

type Pair = tuple[int, int | None]
type Refusals = type[Exception] | tuple[type[Exception], ...]


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of the app, but for the counts of anonymous requests and the installation's own row."""
    return {
        model.__name__: _rows(model)
        for model in apps.get_app_config("sessions_app").get_models()
        if model not in (Installation, RateCount)
    }


def _rows(model: type[Model]) -> list[dict[str, Any]]:
    """Read the rows by plain SQL: many tests compare all there is, and querysets cost ten times as much."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {model._meta.pk.column}")  # noqa: S608
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def nothing_written() -> Iterator[None]:
    before = everything()
    yield
    assert everything() == before


def payments_of(hand: Hand) -> set[tuple[int, int, int]]:
    return set(hand.entries.values_list("seat", "against", "amount"))


def pair_totals(evening: Evening) -> dict[Pair, tuple[int, int]]:
    """(points, hands) of the pairs that have paid each other anything."""
    totals = Evening.objects.get(pk=evening.pk).sheet
    return {(payer, payee): tuple(total) for (_account, payer, payee), total in totals.items()}


def history_of(hand: Hand) -> list[tuple[int, str]]:
    return list(hand.revisions.order_by("number").values_list("number", "action"))


def faults() -> list[str]:
    """Return what the program itself finds when it counts every hand again."""
    found: list[str] = []
    verify.verify(lambda fault: found.append(str(fault)))
    return found


def assert_verified() -> None:
    """Assert that the program finds no fault; but for rows that constraints of this database let nobody write."""
    with patch.object(verify, "row_faults", tuple):
        assert faults() == []


def said_by(command: str, *arguments: object, **options: object) -> str:
    """Return the output of a command."""
    output = StringIO()
    call_command(command, *arguments, stdout=output, **options)
    return output.getvalue()


def edit(evening: Evening, by: User, **changed: Any) -> None:
    """Edit an evening as a form does that shows it as it is."""
    now = Evening.objects.get(pk=evening.pk)
    evening_edit.edit(evening.pk, replace(shape_of(now), **changed), seen=latest_change(now), by=by)


PHONES = 8


def at_once[T](jobs: Sequence[Callable[[], T]], refusal: Refusals = LedgerError) -> list[T | Exception]:
    """Let all jobs begin together, and return the result or the refusal of each. Any other error is raised."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T | Exception:
        try:
            barrier.wait()
            return job()
        except refusal as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def ended(evening: Evening, by: User, declarer: int | None = None) -> None:
    record(evening, by, declarer=declarer)
    evenings.end(evening.pk)


def key(name: str) -> int:
    return Player.objects.get(name=name).pk


def wanted(payer: str = "Anna", payee: str = "Béla", units: int = 100, currency: str = "HUF", **more: Any) -> Wanted:
    return Wanted(key(payer), key(payee), units, currency, **more)


def book(evening: Evening, by: User, wants: Wanted | None = None, token: UUID | None = None, **said: Any) -> Booked:
    return repayments.book(evening.circle_id, wants or wanted(), token=token or uuid4(), by=by, **said)


def version_of(evening: Evening) -> int:
    return Circle.objects.get(pk=evening.circle_id).repayment_version


def payers_and_payees() -> list[tuple[str, str]]:
    return [(row.payer.name, row.payee.name) for row in Repayment.objects.order_by("pk")]


NAMES = ["Anna", "Béla", "Cili"]


def grow(evening: Evening, by: User, hands: int) -> None:
    """Let an evening be as if that many hands had been played."""
    for _dealer in range(min(hands, 3)):
        record(evening, by)
    if hands > 3:
        repeat(evening, hands)
    evening.refresh_from_db()


def as_it_is(evening: Evening) -> Evening:
    return Evening.objects.get(pk=evening.pk)
