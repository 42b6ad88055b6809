"""The health check: whether the server runs and its database can be read and written."""

import logging
from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic
from typing import Final

from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse

from scorekeeper.db import database_errors
from sessions_app.access import ANYONE, page
from sessions_app.models import Evening, ProbeRow

#: Seconds between two probes of a worker, while it is asked.
INTERVAL: Final = 15
#: Seconds after which a waiting writer will not get its turn any more.
STUCK_AFTER: Final = 6
#: Seconds that the caller waits for a running probe: failures mostly come at once.
WAIT: Final = 0.25
logger = logging.getLogger(__name__)


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok' if the database can be read and written, else 503 and one word that says why."""
    try:
        Evening.objects.exists()
    except DatabaseError as error:
        connection.close()
        is_moved = database_errors.classify(error) == database_errors.MOVED
        why = database_errors.MOVED if is_moved else "the database does not answer"
    else:
        why = probe.why_not()
    return HttpResponse(f"{why or 'ok'}\n", content_type="text/plain", status=503 if why else 200)


def write_and_delete() -> None:
    """Insert a row, delete it, and commit both: a rollback would not have to reach the disk."""
    with transaction.atomic():
        ProbeRow.objects.create().delete()


class WriteProbe:
    """Call `write` now and then, in a thread of its own, which queues like every writer; the caller does not queue."""

    def __init__(self, write: Callable[[], None], now: Callable[[], float] = monotonic) -> None:
        self._write, self._now = write, now
        self._lock = Lock()
        self._trying: Thread | None = None
        self._began = float("-inf")
        self._why = ""

    def why_not(self) -> str:
        """Return '' while the database can be written, else one word of database_errors, or 'broken'."""
        with self._lock:
            if self._trying is None and self._now() - self._began >= INTERVAL:
                self._began = self._now()
                self._trying = Thread(target=self._try, name="write-probe", daemon=True)
                self._trying.start()
            trying = self._trying
        if trying:
            trying.join(WAIT)
        if trying and trying.is_alive() and self._now() - self._began >= STUCK_AFTER:
            return database_errors.LOCKED
        return self._why

    def _try(self) -> None:
        try:
            self._write()
            why = ""
        except Exception as failed:  # nobody else would report it
            why = database_errors.classify(failed) or "broken"
            logger.warning("The database cannot be written to: %s", why, exc_info=failed)
        finally:
            connection.close()
        with self._lock:
            self._why, self._trying = why, None


probe = WriteProbe(write_and_delete)
