"""One snapshot of the database for all queries of a page, and the counters of a circle as they are in it.

Without it each query sees the state committed when it begins, and a write between two of them gives a page the sums of
one version and the hands of the next. A read transaction takes no lock that a writer waits for, and waits for none.

A request that writes reads in a snapshot as well. Its writers run outside: the snapshot ends before a writer begins,
and another one begins after it, so that a page that tells of a refusal shows one state, too.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, connection

from sessions_app.models import Circle, Evening

#: SQLite takes its snapshot at the transaction's first query; PostgreSQL's default takes one for each query.
BEGIN: Final = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@dataclass(slots=True)
class _Snapshot:
    """An open snapshot: values read in it, each of which holds until its end, and what to do when it is renewed."""

    on_renewal: Callable[[], None] | None
    read: dict[Hashable, Any] = field(default_factory=dict)


_open: ContextVar[_Snapshot | None] = ContextVar("snapshot", default=None)


@contextmanager
def snapshot(on_renewal: Callable[[], None] | None = None) -> Iterator[None]:
    """Run all queries of the block on one state of the database. Writing in the block is an error of the program.

    Within a transaction or another snapshot the block joins that one. `on_renewal` is called in the snapshot that
    begins after a writer has refused. Raise OperationalError.
    """
    if connection.in_atomic_block or _open.get() is not None:
        yield
        return
    _begin()
    token = _open.set(_Snapshot(on_renewal))
    try:
        yield
    finally:
        _open.reset(token)
        _end()


@contextmanager
def outside_snapshot() -> Iterator[None]:
    """Run the block, a writer, without the open snapshot if there is one, and renew that afterwards.

    If the block raises, nothing was written, and the request answers with a page: then `on_renewal` is called.
    """
    suspended = _open.get()
    if suspended is None:
        yield
        return
    token = _open.set(None)
    _end()
    try:
        yield
    except Exception:
        _renew(suspended, token)
        if suspended.on_renewal:
            suspended.on_renewal()
        raise
    _renew(suspended, token)


def is_open() -> bool:
    """Return whether a snapshot is open: what is read in it may be cached under a version that was read in it."""
    return _open.get() is not None


def read_once[Value](key: Hashable, read: Callable[[], Value]) -> Value:
    """Return the value that was read under this key in the open snapshot; read it if none was, or none is open."""
    opened = _open.get()
    if opened is None:
        return read()
    if key not in opened.read:
        opened.read[key] = read()
    found: Value = opened.read[key]
    return found


def know(key: Hashable, value: Any) -> None:
    """Note a value that was just read in the open snapshot, if there is one, for `read_once`."""
    opened = _open.get()
    if opened is not None:
        opened.read[key] = value


def _renew(suspended: _Snapshot, token: Any) -> None:
    _begin()
    suspended.read.clear()
    _open.reset(token)


def _begin() -> None:
    # Bypass Django's cursor, which would log it as a query, and its autocommit, which must not notice it.
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        connection.connection.execute(BEGIN[connection.vendor])


def _end() -> None:
    """End the transaction; close a connection that cannot, so that nothing is read in an old snapshot later."""
    if connection.connection is None:
        return
    try:
        with connection.wrap_database_errors:
            connection.connection.execute("COMMIT")
    except DatabaseError:
        with suppress(DatabaseError):
            connection.close()


# --- Counters of a circle ---
#
# Caches of a circle's evenings are keyed by them. A write raises its counter in its own transaction, so what was read
# in one snapshot is the state of the counters that were read in it. Without a snapshot there is no key, and nothing is
# taken from a cache or put into it.


class CircleVersions(NamedTuple):
    """A circle's counters. The moment of creation tells circles apart, as a primary key may be reused."""

    circle: int
    created_at: datetime
    ended: int
    repayments: int

    @property
    def of_ended(self) -> tuple[int, datetime, int]:
        """The key of what is read of the ended evenings alone."""
        return self[:3]


def know_versions(circle: Circle) -> None:
    """Note the counters of a circle that was just read in the open snapshot: they are not read again."""
    versions = CircleVersions(circle.pk, circle.created_at, circle.ended_version, circle.repayment_version)
    know(_key(circle.pk), versions)


def versions_of(circle: Circle) -> CircleVersions | None:
    """Return the circle's counters in the open snapshot, None if none is open: one query for all of its readers."""
    if not is_open():
        return None
    columns = Circle.objects.values_list("pk", "created_at", "ended_version", "repayment_version")
    return read_once(_key(circle.pk), lambda: CircleVersions(*columns.get(pk=circle.pk)))


def _key(circle_id: int) -> tuple[str, int]:
    return ("circle", circle_id)


def stamp_of_running(circle: Circle) -> tuple[Any, ...]:
    """Return a value that differs whenever one of the circle's running evenings does: one query in a snapshot."""
    running = Evening.objects.filter(circle=circle, ended_at=None).order_by("pk").values_list("pk", "version")
    return read_once(("running evenings", circle.pk), lambda: tuple(running))
