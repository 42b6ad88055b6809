"""Transactions and row locks of all writers, and the versions that they raise.

A writer is one transaction, and all locks are taken in one order: the user, the user's circle, the circle's evening.
Rows that belong to one of these are written only while it is locked. A writer that needs only a later one begins there,
and locks no earlier one afterwards. A writer that adds a row to a circle or an evening locks it, so nothing is added to
a row that is being deleted. Several rows of a kind are locked in ascending order of their keys.

On SQLite the transaction waits for its turn and has the database for itself. On PostgreSQL a row is locked without its
key: others may go on writing rows that refer to it, as a revision does to the user who made it. They would wait for
a lock of the key as well, in an order that no writer chose.
"""

import logging
import random
import time
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from django.db import OperationalError, connection, transaction
from django.db.models import F, Model, QuerySet

from scorekeeper.db.compiled_queries import update
from sessions_app.models import Circle, Evening, User, UserMerge
from sessions_app.readers.snapshot import outside_snapshot

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


# --- Versions ---
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
