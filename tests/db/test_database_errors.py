"""Classification of database errors: a mistake of the program itself gets no class."""

import sqlite3

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, InternalError, OperationalError, ProgrammingError

from scorekeeper.db import database_errors
from tests.views.failing import GONE, caused, of_postgres, of_sqlite


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (of_sqlite(sqlite3.SQLITE_BUSY, "database is locked"), "locked"),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT, "database is locked"), "locked"),
        (of_sqlite(sqlite3.SQLITE_LOCKED, "database table is locked"), "locked"),
        (of_sqlite(sqlite3.SQLITE_FULL, "database or disk is full"), "full"),
        (of_sqlite(sqlite3.SQLITE_READONLY, "attempt to write a readonly database"), "readonly"),
        (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED, "the database was moved"), "moved"),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE, "disk I/O error"), "gone"),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN, "unable to open database file"), "gone"),
        (of_sqlite(sqlite3.SQLITE_ERROR, "no such table: hands"), None),
        (of_postgres("40P01"), "locked"),
        (of_postgres("40001"), "locked"),
        (of_postgres("55P03"), "locked"),
        (of_postgres("53100"), "full"),
        (of_postgres("57P01"), "gone"),
        (of_postgres("08006"), "gone"),
        (of_postgres("53300"), "gone"),
        (of_postgres("42P01"), None),
        (caused(InternalError(), psycopg.errors.lookup("25006")()), "readonly"),
        (caused(OperationalError("connection refused"), psycopg.OperationalError("connection refused")), "gone"),
        (OperationalError("database is locked"), "locked"),
        (GONE, "gone"),
        (InterfaceError("connection already closed"), "gone"),
        (caused(IntegrityError(), sqlite3.IntegrityError()), None),
        (ProgrammingError(), None),
        (DatabaseError(), None),
        (RuntimeError("database is locked"), None),
        (None, None),
    ],
)
def test_database_error_is_classified(error: BaseException | None, word: str | None):
    assert database_errors.classify(error) == word
