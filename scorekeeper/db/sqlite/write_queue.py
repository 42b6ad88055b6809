"""Who writes to a SQLite database: one at a time, in the order of asking, over all threads and processes. No Django.

SQLite lets whoever waits for its lock sleep for longer and longer, so that somebody who comes later goes first: with
eight writers the longest waits a hundred times the median, from thirty on some wait in vain. Here the threads of a
process stand in a line, and the first of them draws a number for the process, from a file beside the database. Who
holds a number holds that byte of the file locked, and has the turn when he can lock all bytes before it as well. The
system takes the locks back from a process that ends, however it ends, and from nobody who forks.
"""

import errno
import fcntl
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import Final

#: Behind the database's name. What it holds is the number drawn last.
ENDING: Final = ".turn"
#: The byte that is locked while a number is drawn; the numbers begin behind it.
DRAWING: Final = 0
SIZE: Final = 8
FAR: Final = 2**61
#: How long the first of a process waits, in seconds, before he looks again. The system knows no other bounded wait.
LOOK_AGAIN: Final = 0.0005
#: What the system says where a file system has no locks: then the threads of a process take turns, and no more.
NO_LOCKS: Final = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)

_patience: ContextVar[float | None] = ContextVar("patience", default=None)
_known: dict[Path, "Turns"] = {}
_knowing = Lock()


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Let who writes in this block wait for his turn no longer than this, 0: not at all."""
    before = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(before)


def patience() -> float | None:
    """How long who writes here and now may wait; None: as long as the database's settings say."""
    return _patience.get()


def of(database: Path) -> "Turns":
    """The line for a database, one a process. Raises OSError."""
    with _knowing:
        if database not in _known:
            _known[database] = Turns(database)
        return _known[database]


class Line:
    """The threads of one process, in the order in which they came."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()
        self._is_taken = False

    def take(self, seconds: float) -> bool:
        """Wait to be the first, for so long at most; True when it is so."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            if seconds <= 0:
                return False
            call = Lock()
            call.acquire()
            self._waiting.append(call)
        try:
            return call.acquire(timeout=seconds) or not self._leave(call)
        except BaseException:
            if not self._leave(call):
                self.give()
            raise

    def give(self) -> None:
        """Call the next."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def _leave(self, call: Lock) -> bool:
        """Give up waiting; False for who has been called in this very moment."""
        with self._guard:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
            return True


class Turns:
    """The line for one database, the only one in its process: locks of this kind are the process's own.

    The file stays open from the first connection on: so it is seen who queues. Nothing else in the process may open
    it, for whatever closes it gives the turn back.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._line = Line()
        self._file: int | None = None
        self._open()

    def take(self, seconds: float) -> bool:
        """Wait for the turn, for so long at most; True when it is there. Raises OSError."""
        deadline = time.monotonic() + seconds
        if not self._line.take(seconds):
            return False
        is_there = False
        try:
            file = self._open()
            is_there = _draw(file, deadline)
        finally:
            if not is_there:
                self.give()
        return is_there

    def give(self) -> None:
        """Let the next have the turn."""
        if self._file is not None:
            _unlock(self._file, DRAWING, 0)
        self._line.give()

    def has_locks(self) -> bool:
        """Whether the file system has locks at all. Raises OSError."""
        file = self._open()
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, FAR)
        except (BlockingIOError, PermissionError):
            return True
        except OSError as error:
            if error.errno in NO_LOCKS:
                return False
            raise
        _unlock(file, FAR, 1)
        return True

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def _open(self) -> int:
        """The file, opened anew if somebody has taken it away."""
        if self._file is None or not os.fstat(self._file).st_nlink:
            self.close()
            self._file = open_beside(self._database, ENDING)
        return self._file


def turn_file(database: Path) -> Path:
    return database.with_name(f"{database.name}{ENDING}")


def _draw(file: int, deadline: float) -> bool:
    """Draw a number, and wait until it is called."""
    if not _lock(file, DRAWING, 1, deadline):
        return False
    number = int.from_bytes(os.pread(file, SIZE, 0)) % (FAR - 1) + 1
    os.pwrite(file, number.to_bytes(SIZE), 0)
    is_drawn = _lock(file, number, 1, deadline)
    _unlock(file, DRAWING, 1)
    return is_drawn and _lock(file, DRAWING + 1, number, deadline)


def open_beside(database: Path, ending: str) -> int:
    """Open a file of locks, made if need be so that whoever may write to the database may lock it, as SQLite does."""
    file = os.open(database.with_name(f"{database.name}{ending}"), os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):
        its = database.stat()
        if os.fstat(file).st_uid == os.geteuid():
            os.fchmod(file, its.st_mode & 0o666)
        if os.geteuid() == 0:
            os.fchown(file, its.st_uid, its.st_gid)
    return file


def _lock(file: int, start: int, length: int, deadline: float) -> bool:
    """Lock bytes of the file; False after the deadline. It is tried again and again, as lockf waits without end."""
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= deadline:
                return False
            time.sleep(LOOK_AGAIN)
        except OSError as error:
            if error.errno in NO_LOCKS:
                return True
            raise
        else:
            return True


def _unlock(file: int, start: int, length: int) -> None:
    with suppress(OSError):
        fcntl.lockf(file, fcntl.LOCK_UN, length, start)


def _forget() -> None:
    """A fork has a line of its own: its parent's threads are not there."""
    global _knowing
    _knowing = Lock()
    for turns in _known.values():
        turns.close()
    _known.clear()


os.register_at_fork(after_in_child=_forget)
