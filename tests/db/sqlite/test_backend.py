"""Statements that wait for the write queue, those that do not, and the release of the turn."""

import errno
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from scorekeeper.db.sqlite import write_queue
from scorekeeper.db.sqlite.write_queue import WriteQueue, waiting_at_most
from sessions_app.models import Circle, Invite, Role, User
from tests.db.sqlite.holding import held, is_free

pytestmark = pytest.mark.django_db(transaction=True)


def insert() -> None:
    Circle.objects.create()


def in_a_transaction() -> None:
    with transaction.atomic():
        Circle.objects.count()


def many_at_once() -> None:
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE sessions_app_circle SET is_demo = %s", [[True], [False]])


def by_hand() -> None:
    """Begin and commit by SQL alone, without Django's transactions."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("COMMIT")


def under_the_old_manners() -> None:
    transaction.set_autocommit(False)
    try:
        Circle.objects.update(is_demo=True)
        transaction.commit()
    finally:
        transaction.rollback()
        transaction.set_autocommit(True)


WRITES = {
    "insert": insert,
    "insert many": lambda: Circle.objects.bulk_create([Circle(), Circle()]),
    "update": lambda: Circle.objects.update(is_demo=True),
    "delete": lambda: Circle.objects.all().delete(),
    "transaction": in_a_transaction,
    "many at once": many_at_once,
    "by hand": by_hand,
    "no autocommit": under_the_old_manners,
}


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Let somebody write past the queue."""
    with closing(sqlite3.connect(database)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        yield


def test_every_write_waits_for_its_turn_and_gives_it_back(database: Path) -> None:
    Circle.objects.create()
    with held(database), waiting_at_most(0.01):
        for write in WRITES.values():
            with pytest.raises(OperationalError, match="database is locked"):
                write()
    for write in WRITES.values():
        write()
        assert is_free(database)


def test_reading_waits_for_nobody(database: Path) -> None:
    Circle.objects.create()
    with held(database) as holder:
        holder.send_signal(signal.SIGSTOP)
        assert Circle.objects.count() == 1
        connection.close()  # a new connection, too
        assert Circle.objects.get().is_demo is False


def test_row_returned_by_a_write_is_committed(database: Path) -> None:
    """A statement that returns rows ends with the last of them: the turn is not given back before."""
    with connection.cursor() as cursor:
        rows = "('2026-01-01', 0, '', 0, 0, '{}'), ('2026-01-02', 1, '', 0, 0, '{}')"
        columns = "created_at, is_demo, name, repayment_version, ended_version, cash_coins"
        insert = f"INSERT INTO sessions_app_circle ({columns}) VALUES {rows}"  # noqa: S608  no input
        cursor.execute(f"{insert} RETURNING is_demo")
        assert is_free(database)
        with closing(sqlite3.connect(database)) as raw:
            assert raw.execute("SELECT count(*) FROM sessions_app_circle").fetchone() == (2,)
        assert cursor.fetchone() == (False,)
        assert cursor.fetchmany(5) == [(True,)]
        assert cursor.fetchone() is None
        assert cursor.fetchall() == []
        cursor.execute(f"{insert} RETURNING is_demo")
        assert list(cursor) == [(False,), (True,)]
        cursor.execute("SELECT count(*) FROM sessions_app_circle")
        assert cursor.fetchall() == [(4,)]


def rolled_back() -> None:
    with transaction.atomic():
        insert()
        raise KeyError


def refused() -> None:
    User.objects.bulk_create([User(username="anna"), User(username="anna")])


def refused_at_its_commit() -> None:
    with transaction.atomic():
        Invite.objects.create(circle_id=2**40, role=Role.VIEWER, made_by_id=2**40)


@pytest.mark.parametrize(
    ("write", "error"), [(rolled_back, KeyError), (refused, IntegrityError), (refused_at_its_commit, IntegrityError)]
)
def test_a_write_that_fails_gives_the_turn_back(
    database: Path, write: Callable[[], None], error: type[Exception]
) -> None:
    with pytest.raises(error):
        write()
    assert is_free(database)


def test_a_transaction_that_does_not_begin_gives_the_turn_back(database: Path) -> None:
    with locked(database), waiting_at_most(0), pytest.raises(OperationalError, match="database is locked"):
        in_a_transaction()
    assert is_free(database)
    in_a_transaction()


def test_writer_past_the_queue_is_waited_for(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
    with locked(database), pytest.raises(OperationalError, match="database is locked"):
        insert()
    insert()
    assert Circle.objects.count() == 1
    connection.close()


def test_a_connection_that_is_closed_gives_the_turn_back(database: Path) -> None:
    def job() -> None:
        with transaction.atomic():
            User.objects.create(username=uuid4().hex)
            connection.close()
            assert is_free(database)
            User.objects.count()

    with pytest.raises(DatabaseError):
        job()
    assert User.objects.count() == 0


def test_a_disk_with_no_room_for_the_queue_is_called_full(monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(WriteQueue, "acquire", Mock(side_effect=full))
    with pytest.raises(OperationalError, match="database or disk is full"):
        insert()
    assert Circle.objects.count() == 0


def test_impatient_writer_leaves_the_timeout_of_others_and_every_write_is_synced() -> None:
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()
        with waiting_at_most(0):
            insert()
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == before
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)
    assert write_queue.max_wait() is None


def test_json_support_is_not_probed_during_a_write(database: Path) -> None:
    with held(database):
        assert type(connection.features)(connection).supports_json_field
        assert type(connection.features)(connection).has_json_object_function
    assert connection.cursor().execute("SELECT json('[1]')").fetchone() == ("[1]",)
