"""Which score keeper runs: one of a data folder's own is known by a locked file, any other by what the system tells.

The lock is the system's own, so it ends with the process that holds it, however that ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
LISTENING: Final = "0A"
#: How long a worker may take to finish what it was asked. Its server takes a little longer.
SECONDS_TO_STOP: Final = 3


class AlreadyRunning(Exception):
    """A score keeper of this data folder has the port; `process` is its own, None when it has only just begun."""

    def __init__(self, process: int | None) -> None:
        super().__init__(process)
        self.process = process


@contextmanager
def claimed(folder: Path, port: int) -> Iterator[bool]:
    """Be the score keeper of the folder on this port; True says that the one before did not end in order.

    Raise AlreadyRunning when there is one.
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
    """The process that serves from this data folder; 0 where it does not tell, None where there is none."""
    for known in sorted(folder.glob("server-*.pid")):
        with known.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                said = file.read(20).decode("ascii", "replace").strip()
                return int(said) if said.isdecimal() else 0
    return None


def listener(port: int) -> int | None:
    """A process that listens on the port; None where nothing tells."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(port)}
    return next((int(process.name) for process in PROC.glob("[0-9]*") if sockets & _open_files(process)), None)


def starter(server: int) -> int:
    """Who is to be told to stop, when this process serves the score keeper: the first of those it comes from."""
    while (above := parent(server)) and _is_ours(above):
        server = above
    return server


def is_of_a_score_keeper(process: int) -> bool:
    """Whether it is one's server or worker, however busy that is."""
    return _is_ours(process) or starter(process) != process


def _is_ours(process: int) -> bool:
    words = set(_read(process, "cmdline").split(b"\0"))
    return (
        bool(words & {b"scorekeeper.ops.server", b"scorekeeper.wsgi:application"}) or {b"manage.py", b"serve"} <= words
    )


def with_open(file: Path, *, without: Path) -> Iterator[int]:
    """The other processes that have the one file open and not the other."""
    for process in PROC.glob("[0-9]*"):
        files = _open_files(process) if process.name != str(os.getpid()) else set()
        if str(file) in files and str(without) not in files:
            yield int(process.name)


def name(process: int) -> str:
    return _read(process, "comm").decode(errors="replace").strip()


def parent(process: int) -> int | None:
    for line in _read(process, "status").splitlines():
        if line.startswith(b"PPid:"):
            return int(line.split()[1])
    return None


def _inodes(port: int) -> Iterator[str]:
    """The numbers of the sockets that listen on it. A line: 0 number, 1 local address:port, 2 remote, 3 state … 9."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (PROC / "net" / table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9]


def _open_files(process: Path) -> set[str]:
    found = set()
    with suppress(OSError):  # another user's, or ended meanwhile
        for file in (process / "fd").iterdir():
            with suppress(OSError):
                found.add(str(file.readlink()))
    return found


def _read(process: int, file: str) -> bytes:
    try:
        return (PROC / str(process) / file).read_bytes()
    except OSError:
        return b""
