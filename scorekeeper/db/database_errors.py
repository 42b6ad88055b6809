"""What keeps a database from doing what it was asked, told from a mistake of the program's own."""

import sqlite3
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

#: Somebody else writes; nothing has been changed, and it may work in a moment.
LOCKED: Final = "locked"
#: There is no room left.
FULL: Final = "full"
#: It may be read, and not written to.
READ_ONLY: Final = "readonly"
#: It does not answer. Whether what was asked last has been done, nobody knows.
GONE: Final = "gone"

#: SQLite's result codes, without what they add to themselves in the higher bits.
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
    "57P": GONE,  # it is shut down, or started
    "08": GONE,
}


def why(error: BaseException | None) -> str | None:
    """One of the words above for an exception that a database has ended in, None for all others."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    state = getattr(cause, "sqlstate", None)
    if state:
        return next((word for begins, word in OF_POSTGRES.items() if state.startswith(begins)), None)
    if isinstance(error, OperationalError):
        return LOCKED if "locked" in str(error) else GONE
    return GONE if isinstance(error, InterfaceError) else None
