"""How everything is written: in one transaction, holding what it changes, in one order.

The order, for all writers: the user, his table, the table's evening; what belongs to any of these, only with it held.
Who needs a later one alone begins there, and takes no earlier one afterwards. Who adds a row to a table or an evening
holds it, so nothing is added to what is being taken away. Of several of a kind the one with the lowest key is first.

SQLite: the transaction waits for its turn and has the database for itself. PostgreSQL: to hold is to lock the row, not
its key: others may go on writing rows that refer to it, as a revision does to the user who made it. A lock of the key
as well is one in an order that no writer chose.
"""

import logging
import random
import time
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.db import OperationalError, connection, transaction
from django.db.models import Model, QuerySet

from sessions_app.models import Circle, Evening, User

#: How often a writer is begun in all, and how many seconds he lets pass in between at most.
TRIES: Final = 3
PAUSE: Final = 0.05
#: What PostgreSQL says to the one of two whom it lets go: serialization failure, deadlock.
AGAIN: Final = ("40001", "40P01")

logger = logging.getLogger(__name__)


def writing[**P, R](writer: Callable[P, R]) -> Callable[P, R]:
    """Let a function write all that it writes in one transaction, or nothing.

    Whom the database lets go for the sake of another, it begins anew; as a part of another's transaction it leaves
    that to him. So what it is given must be good for a second time.
    """

    @wraps(writer)
    def written(*args: P.args, **kwargs: P.kwargs) -> R:
        tries = 1 if connection.in_atomic_block else TRIES
        while True:
            tries -= 1
            try:
                with transaction.atomic():
                    return writer(*args, **kwargs)
            except OperationalError as error:
                if not tries or getattr(error.__cause__, "sqlstate", None) not in AGAIN:
                    raise
                logger.warning("Retrying %s: %s", writer.__qualname__, error)
            # Two that were in each other's way do not begin again at the same moment.
            time.sleep(random.uniform(0, PAUSE))  # noqa: S311  no key

    return written


def hold_user(pk: int) -> User:
    """Hold a user. Raises User.DoesNotExist."""
    return held(User.objects.all()).get(pk=pk)


def hold_circle(pk: int) -> Circle:
    """Hold a table. Raises Circle.DoesNotExist."""
    return held(Circle.objects.all()).get(pk=pk)


def hold_evening(pk: int) -> Evening:
    """Hold an evening alone, for who writes nothing but what belongs to it. Raises Evening.DoesNotExist."""
    return held(Evening.objects.all()).get(pk=pk)


def hold_circle_and_evening(pk: int) -> tuple[Circle, Evening]:
    """Hold an evening, and its table before it. Raises Evening.DoesNotExist, Circle.DoesNotExist."""
    circle = hold_circle(Evening.objects.values_list("circle_id", flat=True).get(pk=pk))
    return circle, hold_evening(pk)


def held[Row: Model](rows: QuerySet[Row]) -> QuerySet[Row]:
    """These rows, held until the transaction ends, the lowest key first."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("rows can only be locked in a transaction")
    return rows.select_for_update(no_key=True).order_by("pk")
