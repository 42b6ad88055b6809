"""Classify database errors: an unavailable database, as opposed to a mistake of the program."""

import sqlite3
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

#: Another writer holds the lock; nothing was changed, and a retry may succeed.
LOCKED: Final = "locked"
#: The disk is full.
FULL: Final = "full"
#: The database can be read but not written.
READ_ONLY: Final = "readonly"
#: The database's file was deleted, moved or replaced; nothing was changed.
MOVED: Final = "moved"
#: The database does not answer. The last statement may or may not have been carried out.
GONE: Final = "gone"

#: By SQLite's primary result code.
OF_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: GONE,
    sqlite3.SQLITE_CANTOPEN: GONE,
}
#: PostgreSQL's SQLSTATE, or the class that it begins with.
OF_POSTGRES: Final = {
    "40P01": LOCKED,  # deadlock
    "40001": LOCKED,  # serialization failure
    "55P03": LOCKED,
    "53100": FULL,
    "25006": READ_ONLY,
    "53300": GONE,  # too many connections
    "57P": GONE,  # it shuts down or starts
    "08": GONE,
}


def classify(error: BaseException | None) -> str | None:
    """Return one of the words above for a database exception, None for every other."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        if getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED:
            return MOVED
        return OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    state = getattr(cause, "sqlstate", None)
    if state:
        return next((word for begins, word in OF_POSTGRES.items() if state.startswith(begins)), None)
    if isinstance(error, OperationalError):
        return LOCKED if "locked" in str(error) else GONE
    return GONE if isinstance(error, InterfaceError) else None
