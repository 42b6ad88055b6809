"""One snapshot of the database for all queries of a page.

Without it each query sees the state committed when it begins, and a write between two of them gives a page the sums of
one version and the hands of the next. A read transaction takes no lock that a writer waits for, and waits for none.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

from django.db import DatabaseError, connection

#: SQLite takes its snapshot at the transaction's first query; PostgreSQL's default takes one for each query.
BEGIN: Final = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}

#: The versions of evenings read in the open snapshot, by primary key; None where no snapshot is open.
_versions: ContextVar[dict[int, int] | None] = ContextVar("versions", default=None)


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all queries of the block on one state of the database. Writing in the block is an error of the program.

    Within a transaction or another snapshot the block joins that one. Raise OperationalError.
    """
    if connection.in_atomic_block or _versions.get() is not None:
        yield
        return
    _begin()
    token = _versions.set({})
    try:
        yield
    finally:
        _versions.reset(token)
        _end()


def versions() -> dict[int, int] | None:
    """Return the versions read in the open snapshot, where each holds until its end; None if no snapshot is open."""
    return _versions.get()


def _begin() -> None:
    # Bypass Django's cursor, which would log it as a query, and its autocommit, which must not notice it.
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        connection.connection.execute(BEGIN[connection.vendor])


def _end() -> None:
    """End the transaction; close a connection that cannot, so that nothing is read in an old snapshot later."""
    if connection.connection is None:
        return
    try:
        with connection.wrap_database_errors:
            connection.connection.execute("COMMIT")
    except DatabaseError:
        with suppress(DatabaseError):
            connection.close()
