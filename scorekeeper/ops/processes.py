"""Locked pid files, which show the server of a data folder; and the processes that have a file open.

The system releases the lock with the process that holds it, even a killed one.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
#: Seconds that a worker gets to finish its requests. The server waits a little longer.
SECONDS_TO_STOP: Final = 3


class AlreadyRunning(Exception):
    """A server of this data folder has the port; `process` is its pid, None if it has only just started."""

    def __init__(self, process: int | None) -> None:
        super().__init__(process)
        self.process = process


@contextmanager
def claimed(folder: Path, port: int | str) -> Iterator[bool]:
    """Hold the pid file of the folder and port, or 'socket'. Yield True if the previous server did not end in order.

    Raise AlreadyRunning if another process holds it.
    """
    file = os.open(folder / f"server-{port}.pid", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        before = os.read(file, 20).decode("ascii", "replace").strip()
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise AlreadyRunning(int(before) if before.isdecimal() else None) from error
        os.ftruncate(file, 0)
        os.pwrite(file, b"%d\n" % os.getpid(), 0)
        try:
            yield bool(before)
        finally:
            os.ftruncate(file, 0)
    finally:
        os.close(file)


def serving(folder: Path) -> int | None:
    """Return the pid of the server of this data folder; 0 if its file does not say, None if no server runs."""
    for known in sorted(folder.glob("server-*.pid")):
        with known.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                said = file.read(20).decode("ascii", "replace").strip()
                return int(said) if said.isdecimal() else 0
    return None


def with_open(file: Path, *, without: Path) -> Iterator[int]:
    """Yield the other processes that have `file` open and not `without`."""
    for process in PROC.glob("[0-9]*"):
        files = _open_files(process) if process.name != str(os.getpid()) else set()
        if str(file) in files and str(without) not in files:
            yield int(process.name)


def name(process: int) -> str:
    """Return the name of a process; '' if it has ended."""
    try:
        return (PROC / str(process) / "comm").read_text(errors="replace").strip()
    except OSError:
        return ""


def _open_files(process: Path) -> set[str]:
    found = set()
    with suppress(OSError):  # another user's process, or one that has ended
        for file in (process / "fd").iterdir():
            with suppress(OSError):
                found.add(str(file.readlink()))
    return found
