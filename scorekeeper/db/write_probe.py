"""Can the database be written to? It is tried now and then, while somebody asks."""

import logging
from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic
from typing import Final
from uuid import uuid4

from django.db import connection, transaction

from scorekeeper.db import database_errors

#: Seconds between two tries of a worker, as long as it is asked.
EVERY: Final = 15
#: A writer who has waited so long for its turn will not get it.
STUCK: Final = 6
#: Who asks waits so long for a try that has just begun: what fails mostly fails at once.
BRIEF: Final = 0.25
logger = logging.getLogger(__name__)


class Pulse:
    """Tries `write` in a thread of its own, which queues for its turn as every writer does; who asks does not queue."""

    def __init__(self, write: Callable[[], None], now: Callable[[], float] = monotonic) -> None:
        self._write, self._now = write, now
        self._lock = Lock()
        self._trying: Thread | None = None
        self._began = float("-inf")
        self._why = ""

    def why_not(self) -> str:
        """One word why nothing can be written, '' as long as it can be."""
        with self._lock:
            if self._trying is None and self._now() - self._began >= EVERY:
                self._began = self._now()
                self._trying = Thread(target=self._try, name="pulse", daemon=True)
                self._trying.start()
            trying = self._trying
        if trying:
            trying.join(BRIEF)
        if trying and trying.is_alive() and self._now() - self._began >= STUCK:
            return database_errors.LOCKED
        return self._why

    def _try(self) -> None:
        try:
            self._write()
            why = ""
        except Exception as failed:  # whatever it is, nobody else hears of it
            why = database_errors.why(failed) or "broken"
            logger.warning("The database cannot be written to: %s", why, exc_info=failed)
        finally:
            connection.close()
        with self._lock:
            self._why, self._trying = why, None


def write() -> None:
    """Write a line and take it back, both for good: what is rolled back need not reach the disk."""
    line = [uuid4().hex]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_content_type (app_label, model) VALUES ('healthz', %s)", line)
        cursor.execute("DELETE FROM django_content_type WHERE app_label = 'healthz' AND model = %s", line)


pulse = Pulse(write)
