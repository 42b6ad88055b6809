"""The only writer of rate counts, on PostgreSQL: one statement counts, for all servers of a database.

The rules are those of scorekeeper.http.rate_counter, which counts beside SQLite: the period begins with the first
request, is kept no longer, and a failure to count refuses nobody. The clock is the database's, the same for all.
"""

import logging
import secrets
from contextlib import nullcontext
from functools import cache
from typing import Any, Final

from django.db import DatabaseError, connection, transaction

from sessions_app.models import RateCount, RateKey

_TABLE: Final = RateCount._meta.db_table
_ENDS: Final = "now() + make_interval(secs => %(within)s)"
#: Expired. The clock may have been set back: a period that ends later than it can is expired, too.
_IS_OVER: Final = f"(mine.ends_at <= now() OR mine.ends_at > {_ENDS})"
#: The next count deletes expired rows; a later count deletes one that another server has just locked.
_ADD: Final = f"""
    WITH gone AS (
        DELETE FROM {_TABLE} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM {_TABLE} WHERE ends_at <= now() AND (what, who) <> (%(what)s, %(who)s)
            LIMIT 20 FOR UPDATE SKIP LOCKED
        ))
    )
    INSERT INTO {_TABLE} AS mine (what, who, number, ends_at) VALUES (%(what)s, %(who)s, 1, {_ENDS})
    ON CONFLICT (what, who) DO UPDATE SET
        number = CASE WHEN {_IS_OVER} THEN 1 ELSE mine.number + 1 END,
        ends_at = CASE WHEN {_IS_OVER} THEN excluded.ends_at ELSE mine.ends_at END
    WHERE {_IS_OVER} OR mine.number < %(most)s
    RETURNING 0
"""  # noqa: S608  # our own words
_LOOK: Final = f"""
    SELECT ceil(extract(epoch FROM ends_at - now()))::int FROM {_TABLE} AS mine
    WHERE what = %(what)s AND who = %(who)s AND number >= %(most)s AND NOT {_IS_OVER}
"""  # noqa: S608
log = logging.getLogger(__name__)


@cache
def _key_of_database() -> bytes:
    with transaction.atomic():
        row, _made = RateKey.objects.get_or_create(pk=1, defaults={"key": secrets.token_bytes(32)})
    return bytes(row.key)


def key() -> bytes:
    """Return the key of the hashed addresses, made by the server that asks first; b"" if the database fails."""
    try:
        return _key_of_database()
    except DatabaseError as error:
        log.warning("Could not read the key of the rate counts: %s", error)
        return b""


def count(what: str, who: bytes, *, most: int, within: int) -> int:
    """Count one more `what` of `who`. Return 0 if it is among the `most` of `within` seconds, else seconds to wait."""
    return _first_of(what, who, most, within, _ADD, _LOOK)


def seconds_to_wait(what: str, who: bytes, *, most: int, within: int) -> int:
    """Return 0 if another `what` of `who` is allowed, else seconds to wait. Nothing is counted."""
    return _first_of(what, who, most, within, _LOOK)


def _first_of(what: str, who: bytes, most: int, within: int, *statements: str) -> int:
    """Return the value of the first statement that returns a row; 0 if none does, or the database fails."""
    asked: dict[str, Any] = {"what": what, "who": who, "most": most, "within": within}
    try:
        # A savepoint, so that a failure does not abort the caller's transaction; outside any, each statement is one.
        with transaction.atomic() if connection.in_atomic_block else nullcontext(), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement, asked)
                if found := cursor.fetchone():
                    return int(found[0])
    except DatabaseError as error:
        log.warning("Could not count a %s: %s", what, error)
    return 0
