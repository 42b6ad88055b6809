"""Check that the files under a database's name are those that a connection has open. No Django.

SQLite goes on writing to a file that was deleted, renamed or replaced, and says nothing: such a write is lost with the
last connection. So a connection notes device and inode of its files, and compares them before it acknowledges a write.

In WAL mode the write-ahead log and its index belong to the files. A connection keeps a lock on the database for as long
as it is open, and no other one deletes them meanwhile.
"""

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple
from weakref import WeakSet

from scorekeeper.db.sqlite.write_queue import open_beside

#: Suffixes of the write-ahead log and its index.
LOG: Final = "-wal"
INDEX: Final = "-shm"
#: The applied migrations: a database with other ones is of another version of the program.
VERSION: Final = "SELECT app, name FROM django_migrations ORDER BY app, name"

type Identity = tuple[int, int] | None
type Version = tuple[tuple[str, str], ...]


class Files(NamedTuple):
    """Device and inode of a database, of its write-ahead log, and of the log's index; None: there is no such file."""

    database: Identity
    log: Identity
    shm: Identity


@dataclass(frozen=True, eq=False)
class OpenFiles:
    """The files that a connection has open. The connection keeps this object for as long."""

    database: Path
    files: Files

    @property
    def are_in_place(self) -> bool:
        """True if they are still those under the database's name."""
        return files_of(self.database) == self.files

    def save_log(self, connection: sqlite3.Connection) -> None:
        """Write a log that was deleted into its database, if that is in place, and begin a new one.

        The caller has its turn to write: nobody else begins a new log meanwhile. Raise OSError, sqlite3.Error.
        """
        now = files_of(self.database)
        log = self.database.with_name(f"{self.database.name}{LOG}")
        has_index = now.shm == self.files.shm
        if now.database != self.files.database or (now.log and (not has_index or log.stat().st_size)):
            return
        (is_busy, _pages, _written) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if has_index and not is_busy:
            # The index, which all connections share, is as empty as this file now.
            os.close(open_beside(self.database, LOG))


#: The files that each open connection of this process has open. Threads open and close connections at any time: a
#: set that changes while it is iterated raises RuntimeError, so each use holds the lock.
_open: WeakSet[OpenFiles] = WeakSet()
_lock = Lock()
#: The files of each database that this process has opened last, and the version of the data in them.
_latest: dict[Path, tuple[Files, Version]] = {}
# Forking waits for the lock: a child would never get one that another thread held.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
os.register_at_fork(after_in_child=_open.clear)


def files_of(database: Path) -> Files:
    """Return the files that are under the database's name now."""
    name = str(database)
    # The index first: SQLite makes it after the log, and deletes it before.
    shm = _identity(f"{name}{INDEX}")
    return Files(_identity(name), _identity(f"{name}{LOG}"), shm)


def is_replaced(database: Path, files: Files) -> bool:
    """Return whether this process has last opened another database under this name than that of `files`."""
    return database in _latest and _latest[database][0].database != files.database


def make(database: Path) -> None:
    """Make an empty database if there is none. Raise OperationalError if there was one that somebody has moved."""
    there = files_of(database)
    if there.database is None and there.log:
        raise moved(
            f"There is no database {database}, but {database}{LOG} may hold its latest hands. Put the database back, "
            f"or restore a backup, or move {database}{LOG} and {database}{INDEX} away to begin a new one."
        )
    database.touch()


def check_before_opening(database: Path) -> Files:
    """Return the files that are under the database's name, if a connection may open them. Raise OperationalError.

    Opening files that do not belong together would damage them.
    """
    with _lock:
        open_before = set(_open)
    there = files_of(database)
    if there.database is None:
        raise moved(f"There is no database {database}: it was deleted or moved. Put it back, or restore a backup.")
    # Connections that were open all the while: SQLite would give their index to the new one.
    with _lock:
        lasting = open_before.intersection(_open)
    has_other_index = any(each.files.database == there.database and each.files.shm != there.shm for each in lasting)
    is_lost = there.shm and not there.log and there.shm == _identity(f"{database}{INDEX}")
    if has_other_index or is_lost:
        raise moved(
            f"{database}{LOG} or {database}{INDEX} was deleted while the database was in use. Restart the server. If "
            f"the error remains, and no process has the database open, delete {database}{INDEX}."
        )
    if is_replaced(database, there) and _share(_latest[database][0], there):
        raise moved(
            f"Another file was moved to {database}, but {database}{LOG} beside it belongs to the former one and may "
            f"hold its latest hands. Put the former one back, or move {database}{LOG} and {database}{INDEX} away too."
        )
    return there


def note_opened(database: Path, before: Files, connection: sqlite3.Connection, *, has_log: bool) -> OpenFiles:
    """Return the files that a new connection has open, after its first read. Raise OperationalError.

    `before` are those that were under the database's name before it was opened.
    """
    version = _version(connection)
    now = files_of(database)
    if now.database != before.database or (has_log and not (now.log and now.shm)):
        raise moved(f"{database} was replaced, or a file beside it deleted, while it was opened.")
    if is_replaced(database, now) and _latest[database][1] != version:
        raise moved(
            f"Another file was moved to {database}, with no data in it or those of another version of the program. "
            "Put the former one back, or restart the server."
        )
    opened = OpenFiles(database, now)
    with _lock:
        _open.add(opened)
    _latest[database] = now, version
    return opened


def note_closed(opened: OpenFiles) -> None:
    with _lock:
        _open.discard(opened)


def moved(sentence: str) -> sqlite3.OperationalError:
    """Return SQLite's own error for a database that was moved while it was open: nothing was written."""
    return error_of(sentence, "SQLITE_READONLY_DBMOVED")


def error_of(message: str, name: str) -> sqlite3.OperationalError:
    """Return an error as SQLite raises it, by the name of its code."""
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname, error.sqlite_errorcode = name, getattr(sqlite3, name)
    return error


def _version(connection: sqlite3.Connection) -> Version:
    # This reads the database even where it is empty, and so opens its log.
    has_table = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'").fetchone()
    return tuple(connection.execute(VERSION)) if has_table else ()


def _share(former: Files, now: Files) -> bool:
    """Return whether the log or the index is that of the former database."""
    return any(one and one == other for one, other in ((former.log, now.log), (former.shm, now.shm)))


def _identity(name: str) -> Identity:
    try:
        about = os.stat(name)  # noqa: PTH116  a Path costs more than the question
    except OSError:
        return None
    return about.st_dev, about.st_ino
