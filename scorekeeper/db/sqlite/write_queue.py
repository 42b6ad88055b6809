"""First-in, first-out queue of the writers of a SQLite database, over all threads and processes. No Django.

SQLite's busy handler sleeps for longer and longer, so later writers overtake: with eight writers the longest wait is a
hundred times the median, and from thirty writers on some time out. Here the threads of a process queue in memory, and
the first of them draws a ticket for the process from a file beside the database. A ticket is a byte of that file,
locked by its holder, which has the turn when it can lock all bytes before it as well. The system releases the locks
of a process that ends, even of a killed one; a forked child does not inherit them.
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

#: Suffix of the queue's file beside the database. The file holds the last ticket drawn.
ENDING: Final = ".turn"
#: The byte that is locked while a ticket is drawn; the tickets' bytes begin behind it.
DRAWING: Final = 0
SIZE: Final = 8
FAR: Final = 2**61
#: Seconds between two tries for a lock.
POLL_INTERVAL: Final = 0.0005
#: Errors of a file system without locks. Then only the threads of one process queue.
NO_LOCKS: Final = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)

_max_wait: ContextVar[float | None] = ContextVar("max_wait", default=None)
_queues: dict[Path, "WriteQueue"] = {}
_queues_lock = Lock()


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Limit the wait for a turn in this block to so many seconds; 0: do not wait."""
    before = _max_wait.set(seconds)
    try:
        yield
    finally:
        _max_wait.reset(before)


def max_wait() -> float | None:
    """Return the limit set by `waiting_at_most`; None: the database's own timeout holds."""
    return _max_wait.get()


def queue_of(database: Path) -> "WriteQueue":
    """Return the queue of a database, one per process. Raise OSError."""
    with _queues_lock:
        if database not in _queues:
            _queues[database] = WriteQueue(database)
        return _queues[database]


class ThreadQueue:
    """A lock that the threads of one process get in the order in which they asked."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()
        self._is_taken = False

    def acquire(self, seconds: float) -> bool:
        """Wait for the lock for at most so many seconds; return whether it was acquired."""
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
                self.release()
            raise

    def release(self) -> None:
        """Release the lock to the thread that waits longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def _leave(self, call: Lock) -> bool:
        """Stop waiting; return False if the lock was granted at this very moment."""
        with self._guard:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
            return True


class WriteQueue:
    """The queue of one database. There is one per process, as POSIX locks belong to the process.

    The file stays open from the first connection on, which shows that this process queues. Nothing else in the process
    may open it: closing any descriptor of it would release the locks.
    """

    def __init__(self, database: Path) -> None:
        self._database, self._name = database, queue_file(database)
        self._threads = ThreadQueue()
        self._file: int | None = None
        self._open()

    def acquire(self, seconds: float) -> bool:
        """Wait for the turn for at most so many seconds; return whether it was acquired. Raise OSError."""
        deadline = time.monotonic() + seconds
        if not self._threads.acquire(seconds):
            return False
        has_turn = False
        try:
            file = self._open()
            has_turn = _draw(file, deadline)
        finally:
            if not has_turn:
                self.release()
        return has_turn

    def release(self) -> None:
        """End the turn."""
        if self._file is not None:
            _unlock(self._file, DRAWING, 0)
        self._threads.release()

    def has_locks(self) -> bool:
        """Return whether the file system has locks at all. Raise OSError."""
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
        """Return the file's descriptor, opened anew if the file was deleted or moved: others open it by its name."""
        if self._file is None or not self._is_in_place(self._file):
            self.close()
            self._file = open_beside(self._database, ENDING)
        return self._file

    def _is_in_place(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._name.stat())
        except FileNotFoundError:
            return False


def queue_file(database: Path) -> Path:
    return database.with_name(f"{database.name}{ENDING}")


def _draw(file: int, deadline: float) -> bool:
    """Draw a ticket and wait for its turn; return whether it came before the deadline."""
    if not _lock(file, DRAWING, 1, deadline):
        return False
    number = int.from_bytes(os.pread(file, SIZE, 0)) % (FAR - 1) + 1
    os.pwrite(file, number.to_bytes(SIZE), 0)
    is_drawn = _lock(file, number, 1, deadline)
    _unlock(file, DRAWING, 1)
    return is_drawn and _lock(file, DRAWING + 1, number, deadline)


def open_beside(database: Path, ending: str) -> int:
    """Open a lock file beside the database, made with the database's owner and mode, as SQLite makes its own."""
    file = os.open(database.with_name(f"{database.name}{ending}"), os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):
        its = database.stat()
        if os.fstat(file).st_uid == os.geteuid():
            os.fchmod(file, its.st_mode & 0o666)
        if os.geteuid() == 0:
            os.fchown(file, its.st_uid, its.st_gid)
    return file


def _lock(file: int, start: int, length: int, deadline: float) -> bool:
    """Lock bytes of the file, polling until the deadline; return whether they are locked."""
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_INTERVAL)  # fcntl has no lock with a timeout
        except OSError as error:
            if error.errno in NO_LOCKS:
                return True
            raise
        else:
            return True


def _unlock(file: int, start: int, length: int) -> None:
    with suppress(OSError):
        fcntl.lockf(file, fcntl.LOCK_UN, length, start)


def _drop_in_child() -> None:
    """Drop the queues in a forked child: it has none of its parent's threads and locks."""
    global _queues_lock
    _queues_lock = Lock()
    for queue in _queues.values():
        queue.close()
    _queues.clear()


os.register_at_fork(after_in_child=_drop_in_child)
