"""Whether all who write do queue: asked when the server starts."""

from collections.abc import Iterator
from pathlib import Path

from scorekeeper.db.sqlite import write_queue
from scorekeeper.ops import processes


def doubts(database: Path) -> Iterator[str]:
    """Say what could write to the database past the queue, as far as the system tells."""
    if not write_queue.of(database).has_locks():
        yield (
            f"The file system of {database.parent} has no locks: two processes that write there can damage the "
            "database. Keep SCOREKEEPER_DATA on a local disk, or serve with --workers 1."
        )
    for process in processes.with_open(database, without=write_queue.turn_file(database)):
        yield (
            f"Process {process} ({processes.name(process)}) has the database open and does not take turns to write. "
            "End it, or saving can fail because the database is locked."
        )
