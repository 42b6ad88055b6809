"""How often something came from somewhere within a while: counted in a small file that all workers share.

Of what others keep, django-ratelimit wants a cache that counts atomically, which Django's in the database does not, and
`limits` a server of its own kind. A table beside the hands would let any stranger's wrong link stand in the queue of
those who write hands, cost a write to the disk, and be in every backup. So this is a file of its own beside SQLite:
nothing in it is worth a sync, and it goes when the server starts. PostgreSQL, whose writers do not queue, counts itself
(sessions_app.writers.rate_counts).
"""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

SECONDS_FOR_A_TURN: Final = 2
SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS counts (
        what TEXT, who BLOB, number INTEGER, until INTEGER, PRIMARY KEY (what, who)
    ) WITHOUT ROWID
"""
#: Its clock may have been set back, or forward: what lasts longer than anything may is over, too.
IS_OVER: Final = "until <= :now OR until > :now + :within"
log = logging.getLogger(__name__)
type Ask = Callable[[sqlite3.Connection, dict[str, object]], int]


def count(file: Path, what: str, who: bytes, *, most: int, within: int) -> int:
    """Count one more `what` of `who`; 0 where it is one of `most` within so many seconds, else how many are to go.

    The while begins with the first and is kept no longer. Where it cannot be counted it is not refused: a full disk
    shuts nobody out.
    """
    # Who is over it is turned away by reading alone: he gets no write out of it, and nobody waits for him.
    return to_go(file, what, who, most=most, within=within) or _asked(file, _add, what, who, most, within)


def to_go(file: Path, what: str, who: bytes, *, most: int, within: int) -> int:
    """For how many seconds no more `what` of `who` may come; 0 where it may. Nothing is counted."""
    return _asked(file, _look, what, who, most, within)


def forget(file: Path) -> None:
    """Forget all that was counted."""
    for ending in ("", "-journal"):
        with suppress(OSError):
            file.with_name(file.name + ending).unlink()


def _asked(file: Path, ask: Ask, what: str, who: bytes, most: int, within: int) -> int:
    asked = {"what": what, "who": who, "most": most, "within": within, "now": int(time.time())}
    try:
        with closing(sqlite3.connect(file, timeout=SECONDS_FOR_A_TURN, isolation_level=None)) as counts:
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
    counts.execute(f"DELETE FROM counts WHERE {IS_OVER}", asked)  # noqa: S608  # our own words
    one_more = """
        INSERT INTO counts VALUES (:what, :who, 1, :now + :within)
        ON CONFLICT DO UPDATE SET number = number + 1 RETURNING number > :most, until - :now
    """
    too_many, left = counts.execute(one_more, asked).fetchone()
    counts.execute("COMMIT")
    return int(left) if too_many else 0
