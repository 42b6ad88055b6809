"""Several writes at once: threads with connections of their own, on a real database."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from sessions_app.errors import LedgerError, WriteRefused

PHONES = 8


def at_once[T](jobs: Sequence[Callable[[], T]], refusal: type[WriteRefused] = LedgerError) -> list[T | WriteRefused]:
    """Let all jobs begin together, and return the result or the refusal of each. Any other error is raised."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T | WriteRefused:
        try:
            barrier.wait()
            return job()
        except refusal as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))
