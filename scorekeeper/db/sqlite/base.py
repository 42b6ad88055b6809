"""Django's SQLite backend with a write queue: every transaction or statement that writes waits for its turn.

With all writers in the queue, one connection at a time writes to the database and checkpoints its WAL (SQLite does that
at the end of a write). That also avoids SQLite's WAL-reset bug of 3.7.0 to 3.51.2, which can lose a commit when two
connections write and checkpoint at the same instant; Debian 12 has 3.40.1. The checkpoint of the last connection to
close needs no turn: SQLite makes it only while no other connection is open.

Reads do not queue. The turn ends with the transaction, whether committed or rolled back, or with the connection.
"""

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from django.db.backends.sqlite3 import base, features

from scorekeeper.db.sqlite import write_queue

#: Statements that change nothing in the file.
READS: Final = re.compile(r"\s*(?:SELECT|EXPLAIN|PRAGMA\s+(?:foreign_key|table_|index_|legacy_))", re.IGNORECASE)
#: SQLite's default busy timeout, in seconds.
TIMEOUT: Final = 5.0


class DatabaseFeatures(features.DatabaseFeatures):
    """SQLite's features, of which JSON is known without a test.

    Django tests for JSON in a transaction, when a thread first needs it. That would wait for a turn; a database that is
    locked at that moment would count as one without JSON as long as the thread lives.
    """

    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection in WAL mode whose writes go through the write queue."""

    features_class = DatabaseFeatures

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turn: write_queue.WriteQueue | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        if not self.is_in_memory_db():
            with suppress(OSError):  # a connection that only reads needs no queue
                self._queue()
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                # Without a turn, a second connection that opens the new database now would fail as locked at once.
                self._acquire()
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                finally:
                    self._release()
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    def has_to_queue(self, query: str) -> bool:
        """Return whether the query writes and the connection does not have its turn. Raise OperationalError.

        A transaction that began by reading must not write: SQLite refuses it once another connection has written.
        """
        if self._turn or READS.match(query) or self.is_in_memory_db():
            return False
        if self.connection.in_transaction:
            raise _error("attempt to write in a read transaction", "SQLITE_READONLY")
        return True

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Hold the turn for one statement, or to the end of the transaction that it begins."""
        self._acquire()
        try:
            with self._limited_busy_timeout():
                yield
        finally:
            self.release_if_done()

    def release_if_done(self) -> None:
        if self._turn and not self.connection.in_transaction:
            self._release()

    def _acquire(self) -> None:
        limit, allowed = write_queue.max_wait(), self.settings_dict["OPTIONS"].get("timeout", TIMEOUT)
        try:
            queue = self._queue()
            has_turn = queue.acquire(allowed if limit is None else limit)
        except OSError as error:
            raise _refused(error) from error
        if not has_turn:
            raise _error("database is locked", "SQLITE_BUSY")
        self._turn = queue

    def _release(self) -> None:
        queue, self._turn = self._turn, None
        if queue:
            queue.release()

    def _queue(self) -> write_queue.WriteQueue:
        return write_queue.queue_of(_resolved(self.settings_dict["NAME"]))

    @contextmanager
    def _limited_busy_timeout(self) -> Iterator[None]:
        """Limit the busy timeout to max_wait, for writers past the queue.

        A caller that will not queue must not block on SQLite's busy handler either.
        """
        limit = write_queue.max_wait()
        if limit is None:
            yield
            return
        (before,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        self.connection.execute(f"PRAGMA busy_timeout = {int(limit * 1000)}")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {before}")

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # unknown to the stubs, as the two below
        self._release()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._release()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release()


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that waits for its connection's turn before it writes."""

    wrapper: DatabaseWrapper
    _rows: Iterator[Any] | None = None

    def execute(self, query: str, params: Any = None) -> Self:
        self._rows = None
        if self.wrapper.has_to_queue(query):
            with self.wrapper.in_turn():
                super().execute(query, params)
                if self.description:
                    # A statement that returns rows has not ended, and not committed, before the last row is read.
                    self._rows = iter(super().fetchall())
        else:
            super().execute(query, params)
            self.wrapper.release_if_done()  # after a COMMIT in plain SQL
        return self

    def executemany(self, query: str, param_list: Any) -> Self:
        self._rows = None
        if self.wrapper.has_to_queue(query):
            with self.wrapper.in_turn():
                super().executemany(query, param_list)
        else:
            super().executemany(query, param_list)
        return self

    def __next__(self) -> Any:
        return super().__next__() if self._rows is None else next(self._rows)

    def fetchone(self) -> Any:
        return super().fetchone() if self._rows is None else next(self._rows, None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        size = self.arraysize if size is None else size
        if self._rows is None:
            return super().fetchmany(size)
        return [row for _, row in zip(range(size), self._rows, strict=False)]

    def fetchall(self) -> list[Any]:
        return super().fetchall() if self._rows is None else list(self._rows)


@cache
def _resolved(name: str | Path) -> Path:
    return Path(name).resolve()


def _refused(error: OSError) -> sqlite3.OperationalError:
    """Return the OperationalError that SQLite would raise for this error of the queue's file."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _error("database or disk is full", "SQLITE_FULL")
    return _error(f"unable to open database file: {error}", "SQLITE_CANTOPEN")


def _error(message: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname, error.sqlite_errorcode = name, getattr(sqlite3, name)
    return error
