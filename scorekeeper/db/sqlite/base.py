"""Django's SQLite backend with a write queue: every transaction or statement that writes waits for its turn.

With all writers in the queue, one connection at a time writes to the database and checkpoints its WAL (SQLite does that
at the end of a write). That also avoids SQLite's WAL-reset bug of 3.7.0 to 3.51.2, which can lose a commit when two
connections write and checkpoint at the same instant; Debian 12 has 3.40.1. The checkpoint of the last connection to
close needs no turn: SQLite makes it only while no other connection is open.

Reads do not queue. The turn ends with the transaction, whether committed or rolled back, or with the connection.

A connection never makes the database's file: `migrate` does. No write is acknowledged unless the files under the
database's name are those that the connection has open: it looks when a request begins, when it has its turn, and after
the commit.
"""

import errno
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from django.db.backends.sqlite3 import base, features

from scorekeeper.db import cache
from scorekeeper.db.sqlite import open_files, write_queue
from scorekeeper.db.sqlite.open_files import error_of
from scorekeeper.ops import metrics

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
        self._database = Path()
        self._files: open_files.OpenFiles | None = None

    def make_file(self) -> None:
        """Make the database's file, empty, if there is none. Raise OperationalError."""
        if not self.is_in_memory_db():
            with self.wrap_database_errors:
                open_files.make(Path(self.settings_dict["NAME"]).resolve())

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        if not self.is_in_memory_db():
            self._database = Path(params["database"]).resolve()
            params["database"] = f"{self._database.as_uri()}?mode=rw"
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        before = open_files.check_before_opening(self._database)
        if open_files.is_replaced(self._database, before):
            cache.clear_all()
        connection = super().get_new_connection(conn_params)
        try:
            with suppress(OSError):  # a connection that only reads needs no queue
                self._queue()
            has_log = self._begin_log(connection)
            self._files = open_files.note_opened(self._database, before, connection, has_log=has_log)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_log(self, connection: sqlite3.Connection) -> bool:
        """Switch the database to WAL mode; return whether it has it."""
        mode = connection.execute("PRAGMA journal_mode").fetchone()
        if mode != ("wal",):
            # Without a turn, a second connection that opens the new database now would fail as locked at once.
            self._acquire()
            try:
                mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            finally:
                self._release()
        return bool(mode == ("wal",))

    def is_usable(self) -> bool:
        """Return whether the files that the connection has open are those under the database's name."""
        return self._files is None or self._files.are_in_place

    def close_if_unusable_or_obsolete(self) -> None:
        """Close a connection whose files were replaced, or that is too old: when a request begins or ends."""
        if self.connection is not None and not self.is_usable():
            self._leave_files()
        super().close_if_unusable_or_obsolete()

    def _leave_files(self) -> None:
        """Close a connection whose files are not in place; what a deleted log holds goes into the database first."""
        cache.clear_all()
        with suppress(sqlite3.Error, OSError):  # it is closed all the same
            self._acquire()
            try:
                if self._files:
                    self._files.save_log(self.connection)
            finally:
                self._release()
        self.close()

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
            raise error_of("attempt to write in a read transaction", "SQLITE_READONLY")
        return True

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Hold the turn for one statement, or to the end of the transaction that it begins."""
        self._acquire()
        if not self.is_usable():
            self._release()
            raise open_files.moved(f"{self._database} was deleted, moved or replaced. Nothing was written.")
        try:
            with self._limited_busy_timeout():
                yield
        finally:
            self.release_if_done()

    def release_if_done(self) -> None:
        """End the turn unless a transaction is open.

        Raise OperationalError if what was committed may be in a file that had lost its name by then.
        """
        if self._turn and not self.connection.in_transaction:
            self._release()
            if not self.is_usable():
                raise error_of(f"{self._database} was deleted, moved or replaced during a write.", "SQLITE_IOERR")

    def _acquire(self) -> None:
        limit, allowed = write_queue.max_wait(), self.settings_dict["OPTIONS"].get("timeout", TIMEOUT)
        try:
            queue = self._queue()
            begin = time.perf_counter()
            has_turn = queue.acquire(allowed if limit is None else limit)
        except OSError as error:
            raise _refused(error) from error
        metrics.count_turn("write", time.perf_counter() - begin)
        if not has_turn:
            raise error_of("database is locked", "SQLITE_BUSY")
        self._turn = queue

    def _release(self) -> None:
        queue, self._turn = self._turn, None
        if queue:
            queue.release()

    def _queue(self) -> write_queue.WriteQueue:
        return write_queue.queue_of(self._database)

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

    def commit(self) -> None:
        super().commit()
        with self.wrap_database_errors:
            self.release_if_done()

    def rollback(self) -> None:
        self.validate_thread_sharing()
        self.validate_no_atomic_block()
        try:
            super().rollback()
        finally:
            self._release()

    def close(self) -> None:
        self.validate_thread_sharing()
        if self._files:
            # Before SQLite deletes the log of the last connection: it counts as lost while one has it open.
            open_files.note_closed(self._files)
            self._files = None
        try:
            super().close()
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


def _refused(error: OSError) -> sqlite3.OperationalError:
    """Return the OperationalError that SQLite would raise for this error of the queue's file."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return error_of("database or disk is full", "SQLITE_FULL")
    return error_of(f"unable to open database file: {error}", "SQLITE_CANTOPEN")
