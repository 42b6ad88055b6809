"""Whether all who write do queue: asked when the server starts."""

from collections.abc import Iterator
from pathlib import Path

from scorekeeper import running
from scorekeeper.sqlite import turns


def doubts(database: Path) -> Iterator[str]:
    """Say what could write to the database past the queue, as far as the system tells."""
    if not turns.of(database).has_locks():
        yield (
            f"The file system of {database.parent} has no locks: two processes that write there can damage the "
            "database. Keep SCOREKEEPER_DATA on a local disk, or serve with --workers 1."
        )
    for process in running.with_open(database, without=turns.turn_file(database)):
        yield (
            f"Process {process} ({running.name(process)}) has the database open and does not take turns to write. "
            "End it, or saving can fail because the database is locked."
        )
