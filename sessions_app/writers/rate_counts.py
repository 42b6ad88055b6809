"""The only writer of rate counts, on PostgreSQL: one statement counts, for all servers of a database.

The same rules as scorekeeper.http.rate_counter, which counts beside SQLite: the period begins with the first request,
is kept no longer, and where counting fails nobody is refused. The clock is the database's, the same for all.
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
#: A clock may have been set back: what lasts longer than anything may is over, too.
_IS_OVER: Final = f"(mine.ends_at <= now() OR mine.ends_at > {_ENDS})"
#: Rows that are over go with whatever is counted next; one that another server has just locked goes another time.
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
    """Return the key of the hashed addresses, made by whichever server asks first; b"" if the database cannot say."""
    try:
        return _key_of_database()
    except DatabaseError as error:
        log.warning("Could not read the key of the rate counts: %s", error)
        return b""


def count(what: str, who: bytes, *, most: int, within: int) -> int:
    """Count one more `what` of `who`. Return 0 if it is one of `most` in `within` seconds, else the seconds to wait."""
    return _first_of(what, who, most, within, _ADD, _LOOK)


def seconds_to_wait(what: str, who: bytes, *, most: int, within: int) -> int:
    """Return the seconds until one more `what` of `who` is allowed, 0 if it is now. Nothing is counted."""
    return _first_of(what, who, most, within, _LOOK)


def _first_of(what: str, who: bytes, most: int, within: int, *statements: str) -> int:
    """What the first of the statements says that finds anything; 0 where none does, or the database cannot."""
    asked: dict[str, Any] = {"what": what, "who": who, "most": most, "within": within}
    try:
        # In a transaction a failure must not be the end of it; outside any, each statement is one.
        with transaction.atomic() if connection.in_atomic_block else nullcontext(), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement, asked)
                if found := cursor.fetchone():
                    return int(found[0])
    except DatabaseError as error:
        log.warning("Could not count a %s: %s", what, error)
    return 0
