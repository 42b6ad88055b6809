"""Health checks, and the metrics: whether the process answers, and whether its database can be read and written.

They are asked by address as well as by name, so they answer to any host (scorekeeper/http/middleware.py).
"""

import logging
from collections.abc import Callable
from functools import cache
from threading import Lock, Thread
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from scorekeeper.db import database_errors
from scorekeeper.ops import metrics
from sessions_app.access import ANYONE, page
from sessions_app.management.data_version import missing
from sessions_app.models import Evening, ProbeRow

#: Seconds for which the result of a write is reused.
FRESH: Final = 1
#: Seconds that a caller waits for the probe. One that takes longer than FRESH is waited for no more: its callers must
#: not hold all threads.
WAIT: Final = 1
UNMIGRATED: Final = "unmigrated"
logger = logging.getLogger(__name__)


class Unmigrated(Exception):
    """The database lacks migrations of this program."""


@page(ANYONE, "GET", "HEAD")
def alive(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok'. A supervisor that restarts a dead process must not restart one whose database is busy."""
    return _state("")


@page(ANYONE, "GET", "HEAD")
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok' if the database is migrated and can be read and written, else 503 and a word that says why."""
    try:
        Evening.objects.exists()
    except DatabaseError as error:
        connection.close()
        is_moved = database_errors.classify(error) == database_errors.MOVED
        return _state(database_errors.MOVED if is_moved else "the database does not answer")
    return _state(probe.why_not())


def _state(why: str) -> HttpResponse:
    return HttpResponse(f"{why or 'ok'}\n", content_type="text/plain", status=503 if why else 200)


def write_and_delete() -> None:
    """Insert a row, delete it, and commit both: a rollback would not have to reach the disk."""
    refuse_unmigrated()
    with transaction.atomic():
        ProbeRow.objects.create().delete()


@cache  # of a success; an exception is not kept
def refuse_unmigrated() -> None:
    """Raise Unmigrated if a migration of the program was not applied."""
    if missing():
        raise Unmigrated


class WriteProbe:
    """Call `write` now and then, in a thread of its own, which queues like every writer; the caller does not queue."""

    def __init__(self, write: Callable[[], None], now: Callable[[], float] = monotonic) -> None:
        self._write, self._now = write, now
        self._lock = Lock()
        self._trying: Thread | None = None
        self._began = float("-inf")
        self._why = ""

    def why_not(self) -> str:
        """Return '' if the database was written within FRESH seconds, else one word, of database_errors or 'broken'."""
        with self._lock:
            if self._trying is None and self._now() - self._began >= FRESH:
                self._began = self._now()
                self._trying = Thread(target=self._try, name="write-probe", daemon=True)
                self._trying.start()
            trying, is_slow = self._trying, self._now() - self._began >= FRESH
        if trying:
            trying.join(0 if is_slow else WAIT)
            if trying.is_alive():
                return database_errors.LOCKED
        return self._why

    def _try(self) -> None:
        try:
            self._write()
            why = ""
        except Exception as failed:  # nobody else would report it
            why = UNMIGRATED if isinstance(failed, Unmigrated) else database_errors.classify(failed) or "broken"
            logger.warning("The database cannot be written to: %s", why, exc_info=failed)
        finally:
            connection.close()
        with self._lock:
            self._why, self._trying = why, None


probe = WriteProbe(write_and_delete)


# --- Metrics, for Prometheus: 404 without the token ---


@page(ANYONE, "GET", "HEAD")
def show_metrics(request: HttpRequest) -> HttpResponse:
    token = settings.METRICS_TOKEN
    is_known = token and constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    numbers = metrics.page() if is_known else None
    if numbers is None:
        raise Http404
    return HttpResponse(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")
