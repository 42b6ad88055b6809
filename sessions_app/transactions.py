"""The transactions of a request, a snapshot to read in and one for each writer, and the versions that tie them.

Pages and readers take the snapshot and its counters from here, and nothing of what locks and writes.
"""

import logging
import random
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import F, Model, QuerySet

from scorekeeper.db.compiled_queries import update
from sessions_app.models import Circle, Evening, User, UserMerge

# --- A snapshot ---
#
# One for all queries of a page. Without it each query sees the state committed when it begins, and a write between two
# of them gives a page the sums of one version and the hands of the next. A read transaction takes no lock that a writer
# waits for, and waits for none.
#
# A request that writes reads in a snapshot as well. Its writers run outside: the snapshot ends before a writer begins,
# and another one begins after it, so that a page that tells of a refusal shows one state, too.

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
    if _joins():
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


def _joins() -> bool:
    """Return whether a block joins a transaction or a snapshot. The access tests replace it, to open one in theirs."""
    return connection.in_atomic_block or is_open()


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


# --- Writers ---
#
# A writer is one transaction, and all locks are taken in one order: the user, the user's circle, the circle's evening.
# Rows that belong to one of these are written only while it is locked. A writer that needs only a later one begins
# there, and locks no earlier one afterwards. A writer that adds a row to a circle or an evening locks it, so nothing is
# added to a row that is being deleted. Several rows of a kind are locked in ascending order of their keys.
#
# On SQLite the transaction waits for its turn and has the database for itself. On PostgreSQL a row is locked without
# its key: others may go on writing rows that refer to it, as a revision does to the user who made it. They would wait
# for a lock of the key as well, in an order that no writer chose.

#: The most attempts of a writer, and the longest pause between two, in seconds.
TRIES: Final = 3
PAUSE: Final = 0.05
#: SQLSTATE codes of a transaction that PostgreSQL aborts for another: serialization failure, deadlock.
AGAIN: Final = ("40001", "40P01")

logger = logging.getLogger(__name__)


def writing[**P, R](writer: Callable[P, R]) -> Callable[P, R]:
    """Run a function in one transaction, and retry it if the database aborts that for another one.

    Within another writer's transaction it is not retried, the outer writer is. So the arguments must be usable a second
    time.
    """

    @wraps(writer)
    def written(*args: P.args, **kwargs: P.kwargs) -> R:
        with outside_snapshot():
            return _tried(lambda: writer(*args, **kwargs), writer.__qualname__)

    return written


def _tried[R](write: Callable[[], R], name: str) -> R:
    tries = 1 if connection.in_atomic_block else TRIES
    while True:
        tries -= 1
        try:
            with transaction.atomic():
                return write()
        except OperationalError as error:
            if not tries or getattr(error.__cause__, "sqlstate", None) not in AGAIN:
                raise
            logger.warning("Retrying %s: %s", name, error)
        # At random, so that two writers in conflict do not retry at the same moment.
        time.sleep(random.uniform(0, PAUSE))  # noqa: S311  no key


def hold_user(pk: int) -> User:
    """Lock a user; one who was merged meanwhile is the one whom he was merged into. Raise User.DoesNotExist."""
    user = held(User.objects.all()).get(pk=pk)
    merge = None if user.is_active else UserMerge.objects.filter(guest=pk).first()
    return hold_user(merge.user_id) if merge else user


def hold_circle(pk: int) -> Circle:
    """Lock a circle. Raise Circle.DoesNotExist."""
    return held(Circle.objects.all()).get(pk=pk)


def hold_evening(pk: int) -> Evening:
    """Lock an evening, for a writer of nothing but rows that belong to it. Raise Evening.DoesNotExist."""
    return held(Evening.objects.all()).get(pk=pk)


def hold_circle_and_evening(pk: int) -> tuple[Circle, Evening]:
    """Lock an evening's circle, then the evening. Raise Evening.DoesNotExist, Circle.DoesNotExist."""
    circle = hold_circle(Evening.objects.values_list("circle_id", flat=True).get(pk=pk))
    evening = hold_evening(pk)
    evening.circle = circle
    return circle, evening


def held[Row: Model](rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return these rows, locked until the transaction ends, by key. Raise TransactionManagementError outside one."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("rows can only be locked in a transaction")
    return rows.select_for_update(no_key=True).order_by("pk")


# --- Versions, as writers raise them ---
#
# Every cache and every phone's poll depends on the versions of evenings and of circles, and nothing else raises them.
# Each is raised in the transaction of the write that it counts. Each write that changes what a page of the evening
# shows raises the evening's, and with it the version of the circle's ended evenings if the evening is one of these,
# before or after: then the caller has locked the circle.


def raise_repayment_version(circle: Circle) -> None:
    """Raise the version of a locked circle's repayments: one of them, or whose it is, has changed."""
    circle.repayment_version += 1
    circle.save(update_fields=["repayment_version"])


def raise_ended_version(evenings: QuerySet[Evening]) -> None:
    """Raise the version of the ended evenings of locked circles: these have ended, or are no longer what they were."""
    circles = Circle.objects.filter(pk__in=evenings.values("circle"))
    circles.update(ended_version=F("ended_version") + 1)


def raise_versions(evenings: QuerySet[Evening], **changes: Any) -> None:
    """Raise the version of these evenings and set the columns `changes`, in one statement."""
    raise_ended_version(evenings if "ended_at" in changes else evenings.filter(ended_at__isnull=False))
    evenings.update(version=F("version") + 1, **changes)


def raise_version(evening: Evening, *changed: str) -> None:
    """Raise the version of a locked evening, and save it with the fields named in `changed`."""
    if evening.has_ended or "ended_at" in changed:
        raise_ended_version(Evening.objects.filter(pk=evening.pk))
    evening.version += 1
    evening.save(update_fields=[*changed, "version"])


def claim(evening: Evening, changes: Mapping[str, Any]) -> bool:
    """Raise the version and set `changes` in one statement, if the version in the database is still `evening`'s.

    For an evening that runs. Return whether it was: of several writers that read the same version, one claims it.
    """
    return bool(
        update(
            Evening,
            {"id": evening.pk, "version": evening.version},
            {"version": evening.version + 1, **changes},
        )
    )


# --- Counters of a circle, as pages read them ---
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
    opened = _open.get()
    if opened is not None:
        versions = CircleVersions(circle.pk, circle.created_at, circle.ended_version, circle.repayment_version)
        opened.read["circle", circle.pk] = versions


def versions_of(circle: Circle) -> CircleVersions | None:
    """Return the circle's counters in the open snapshot, None if none is open: one query for all of its readers."""
    if not is_open():
        return None
    columns = Circle.objects.values_list("pk", "created_at", "ended_version", "repayment_version")
    return read_once(("circle", circle.pk), lambda: CircleVersions(*columns.get(pk=circle.pk)))


def stamp_of_running(circle: Circle) -> tuple[Any, ...]:
    """Return a value that differs whenever one of the circle's running evenings does: one query in a snapshot."""
    running = Evening.objects.filter(circle=circle, ended_at=None).order_by("pk").values_list("pk", "version")
    return read_once(("running evenings", circle.pk), lambda: tuple(running))
