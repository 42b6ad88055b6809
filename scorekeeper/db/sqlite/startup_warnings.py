"""Warnings at the server's start about writers that would bypass the write queue."""

from collections.abc import Iterator
from pathlib import Path

from scorekeeper.db.sqlite import write_queue
from scorekeeper.ops import processes


def startup_warnings(database: Path) -> Iterator[str]:
    """Yield a sentence for each way in which the database could be written without queueing, as far as can be told."""
    if not write_queue.queue_of(database).has_locks():
        yield (
            f"The file system of {database.parent} has no locks: two processes that write there can damage the "
            "database. Keep SCOREKEEPER_DATA on a local disk, or serve with --workers 1."
        )
    for process in processes.with_open(database, without=write_queue.queue_file(database)):
        yield (
            f"Process {process} ({processes.name(process)}) has the database open and does not take turns to write. "
            "End it, or saving can fail because the database is locked."
        )
