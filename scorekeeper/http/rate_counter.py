"""Rate counter: requests of a kind from a client within a period, in a small SQLite file that all workers share.

django-ratelimit needs a cache that increments atomically, which Django's database cache does not; `limits` needs a
server of its own. A table in the main database would put a stranger's wrong link into the queue of the hands' writers,
cost a write to the disk and be in every backup. So the counts have a file of their own beside the database: it is never
synced, and is deleted when the server starts. PostgreSQL, whose writers do not queue, has a table instead
(sessions_app.writers.rate_counts).
"""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

BUSY_TIMEOUT: Final = 2
SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS counts (
        what TEXT, who BLOB, number INTEGER, until INTEGER, PRIMARY KEY (what, who)
    ) WITHOUT ROWID
"""
#: Expired. The clock may have been set: a period that ends later than it can is expired, too.
IS_OVER: Final = "until <= :now OR until > :now + :within"
log = logging.getLogger(__name__)
type Ask = Callable[[sqlite3.Connection, dict[str, object]], int]


def file(data: Path) -> Path:
    """Return the path of the counts in a data folder."""
    return data / "limits.sqlite3"


def count(file: Path, what: str, who: bytes, *, most: int, within: int) -> int:
    """Count one more `what` of `who`. Return 0 if it is among the `most` of `within` seconds, else seconds to wait.

    The period begins with the first request and is kept no longer. A failure to count refuses nobody: a full disk
    shuts nobody out.
    """
    # A client over its limit costs a read and no write, so nobody waits for it.
    return seconds_to_wait(file, what, who, most=most, within=within) or _asked(file, _add, what, who, most, within)


def seconds_to_wait(file: Path, what: str, who: bytes, *, most: int, within: int) -> int:
    """Return 0 if another `what` of `who` is allowed, else seconds to wait. Nothing is counted."""
    return _asked(file, _look, what, who, most, within)


def forget(file: Path) -> None:
    """Delete all counts."""
    for ending in ("", "-journal"):
        with suppress(OSError):
            file.with_name(file.name + ending).unlink()


def _asked(file: Path, ask: Ask, what: str, who: bytes, most: int, within: int) -> int:
    asked = {"what": what, "who": who, "most": most, "within": within, "now": int(time.time())}
    try:
        with closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT, isolation_level=None)) as counts:
            counts.execute("PRAGMA synchronous=OFF")
            counts.execute("PRAGMA secure_delete=ON")
            counts.execute(SCHEMA)
            return ask(counts, asked)
    except sqlite3.OperationalError as error:
        log.warning("Could not count a %s: %s", what, error)
    except sqlite3.DatabaseError as error:
        log.warning("Could not count a %s; starting again from zero: %s", what, error)
        forget(file)
    return 0


def _look(counts: sqlite3.Connection, asked: dict[str, object]) -> int:
    full = "SELECT until - :now FROM counts WHERE what = :what AND who = :who AND number >= :most"
    found = counts.execute(f"{full} AND NOT ({IS_OVER})", asked).fetchone()
    return int(found[0]) if found else 0


def _add(counts: sqlite3.Connection, asked: dict[str, object]) -> int:
    counts.execute("BEGIN IMMEDIATE")
    counts.execute(f"DELETE FROM counts WHERE {IS_OVER}", asked)  # noqa: S608  # constants of this module
    one_more = """
        INSERT INTO counts VALUES (:what, :who, 1, :now + :within)
        ON CONFLICT DO UPDATE SET number = number + 1 RETURNING number > :most, until - :now
    """
    too_many, left = counts.execute(one_more, asked).fetchone()
    counts.execute("COMMIT")
    return int(left) if too_many else 0
