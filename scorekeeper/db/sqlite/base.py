"""Django's SQLite backend, and every write waits for its turn: those of transactions, and those outside any.

With all who write in that queue, one connection at a time writes to the database and moves its log into it (SQLite does
that at the end of a write). That also keeps clear of SQLite's WAL-reset fault of 3.7.0 to 3.51.2, which can lose what
two connections write and move at the same instant; Debian 12 has 3.40.1. What the last connection moves when it is
closed needs no turn: SQLite lets it only while no other has the database open.

Reading takes no turn. A turn is given back with the transaction, however that ends, or with the connection.
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

#: What changes nothing in the file.
READS: Final = re.compile(r"\s*(?:SELECT|EXPLAIN|PRAGMA\s+(?:foreign_key|table_|index_|legacy_))", re.IGNORECASE)
#: As long as SQLite itself waits unless it is told otherwise, in seconds.
TIMEOUT: Final = 5.0


class DatabaseFeatures(features.DatabaseFeatures):
    """What SQLite can do, without asking it.

    Django tries JSON in a transaction, when a thread first needs it. That would wait for a turn, and a database in
    which somebody writes too long would be held for one that knows no JSON as long as the thread lives.
    """

    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that writes in its turn, and keeps its log ahead of the database (WAL)."""

    features_class = DatabaseFeatures

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turn: write_queue.Turns | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        if not self.is_in_memory_db():
            with suppress(OSError):  # who only reads needs none
                self._turns()
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                # Whoever else opens the new database at this moment would be told that it is locked, at once.
                self._take()
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                finally:
                    self._give()
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    def has_to_queue(self, query: str) -> bool:
        """Tell whether the query writes, and the connection does not have its turn. Raises OperationalError.

        A transaction that began by reading may not write: SQLite would refuse it as soon as another has written since.
        """
        if self._turn or READS.match(query) or self.is_in_memory_db():
            return False
        if self.connection.in_transaction:
            raise _error("attempt to write in a read transaction", "SQLITE_READONLY")
        return True

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Have the turn for one statement, and keep it where that begins a transaction."""
        self._take()
        try:
            with self._busy_as_told():
                yield
        finally:
            self.let_go_if_done()

    def let_go_if_done(self) -> None:
        if self._turn and not self.connection.in_transaction:
            self._give()

    def _take(self) -> None:
        told, allowed = write_queue.patience(), self.settings_dict["OPTIONS"].get("timeout", TIMEOUT)
        try:
            line = self._turns()
            is_mine = line.take(allowed if told is None else told)
        except OSError as error:
            raise _refused(error) from error
        if not is_mine:
            raise _error("database is locked", "SQLITE_BUSY")
        self._turn = line

    def _give(self) -> None:
        line, self._turn = self._turn, None
        if line:
            line.give()

    def _turns(self) -> write_queue.Turns:
        return write_queue.of(_resolved(self.settings_dict["NAME"]))

    @contextmanager
    def _busy_as_told(self) -> Iterator[None]:
        """Who would not wait for his turn does not wait for one either who writes past the queue."""
        told = write_queue.patience()
        if told is None:
            yield
            return
        (before,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        self.connection.execute(f"PRAGMA busy_timeout = {int(told * 1000)}")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {before}")

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # unknown to the stubs, as the two below
        self._give()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give()


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
                    # A statement that returns rows has not ended, and so not written for good, before the last of them.
                    self._rows = iter(super().fetchall())
        else:
            super().execute(query, params)
            self.wrapper.let_go_if_done()  # after a COMMIT in plain SQL
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
    """Why there is no turn, as SQLite would say it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _error("database or disk is full", "SQLITE_FULL")
    return _error(f"unable to open database file: {error}", "SQLITE_CANTOPEN")


def _error(message: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname, error.sqlite_errorcode = name, getattr(sqlite3, name)
    return error
