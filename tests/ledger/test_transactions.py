"""One transaction, with locks in one order; it is retried when the database aborts it in favour of another."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import OperationalError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test import Client

from sessions_app import transactions
from sessions_app.models import Circle, Evening, Member, User
from tests.factories import UserFactory
from tests.ledger.books import at_once, nothing_written

pytestmark = pytest.mark.django_db(transaction=True)


class LetGo(Exception):
    """An error as a driver raises it."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


def failing(times: int, sqlstate: str) -> Callable[[], Circle]:
    """A writer whom the database lets go so many times after he has written."""
    left = iter(range(times))

    @transactions.writing
    def writer() -> Circle:
        circle = Circle.objects.create()
        if next(left, None) is not None:
            raise OperationalError("of two, you") from LetGo(sqlstate)
        return circle

    return writer


@pytest.mark.parametrize("sqlstate", transactions.AGAIN)
def test_transaction_that_lost_a_conflict_is_run_again_and_not_for_ever(
    sqlstate: str, caplog: pytest.LogCaptureFixture
) -> None:
    circle = failing(transactions.TRIES - 1, sqlstate)()
    assert list(Circle.objects.all()) == [circle]
    assert len(caplog.messages) == transactions.TRIES - 1
    for times, of_another_reason in ((transactions.TRIES, sqlstate), (1, "53100")):
        with nothing_written(), pytest.raises(OperationalError):
            failing(times, of_another_reason)()


def test_inner_transaction_leaves_running_again_to_the_outer_one(caplog: pytest.LogCaptureFixture) -> None:
    part = failing(1, "40P01")

    @transactions.writing
    def whole() -> None:
        UserFactory()
        part()

    whole()
    assert (User.objects.count(), Circle.objects.count()) == (1, 1)
    assert [message.partition(": ")[0].rpartition(".")[2] for message in caplog.messages] == ["whole"]


def test_transactions_locking_in_contrary_orders_both_commit() -> None:
    """PostgreSQL lets one of them go; on SQLite they cannot be in it together."""
    first, second = Circle.objects.create(), Circle.objects.create()
    meet = Barrier(2, timeout=30)

    def writer(one: Circle, other: Circle) -> Callable[[], None]:
        met: list[int] = []

        @transactions.writing
        def hold_both() -> None:
            transactions.hold_circle(one.pk)
            if not met and connection.features.has_select_for_update:
                met.append(meet.wait())
            transactions.hold_circle(other.pk)
            Circle.objects.filter(pk=one.pk).update(is_demo=True)

        return hold_both

    at_once([writer(first, second), writer(second, first)])
    assert Circle.objects.filter(is_demo=True).count() == 2


def test_lock_is_refused_outside_a_transaction_and_waited_for_no_longer_than_its_limit() -> None:
    with pytest.raises(TransactionManagementError):
        transactions.hold_circle(Circle.objects.create().pk)
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["timeout"] == 5
    else:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("5s",)


def test_a_page_opens_while_somebody_holds_all_that_it_would_note(owners: Client, evening: Evening) -> None:
    held, done = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            for rows in (Member.objects, Circle.objects, User.objects, Evening.objects):
                list(rows.select_for_update())
            held.set()
            done.wait()
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        held.wait()
        try:
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET lock_timeout = '100ms'")  # with the usual error, and sooner
            assert owners.get(f"/sessions/{evening.pk}/").status_code == 200
        finally:
            done.set()
            holding.result()
