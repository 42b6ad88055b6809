"""The line itself: threads, processes, and the turn of a process that does not give it back."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from unittest.mock import Mock, patch

import pytest

from scorekeeper.db.sqlite import write_queue
from scorekeeper.db.sqlite.write_queue import WriteQueue
from tests.db.sqlite.holding import held, is_free

THREADS = 8
#: Writes its letter and a dot so often to the disk, each in its turn, for two threads; a capital for a number drawn.
WRITER = """
import os
import sys
from pathlib import Path
from threading import Thread
from scorekeeper.db.sqlite import write_queue
database, letter, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
line, lock = write_queue.queue_of(database), write_queue._lock
def note(what):
    with database.open("a") as book:
        book.write(what)
        book.flush()
        os.fsync(book.fileno())
def locked(file, start, length, deadline):
    if length == 1 and start > write_queue.DRAWING + 1:
        note(letter.upper())
    return lock(file, start, length, deadline)
write_queue._lock = locked
print(flush=True)
sys.stdin.readline()
def write():
    for _ in range(times):
        if not line.acquire(20):
            sys.exit("waited in vain")
        note(letter)
        note(".")
        line.release()
threads = [Thread(target=write) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
FORK = """
import os, sys
from pathlib import Path
from scorekeeper.db.sqlite import write_queue
database = Path(sys.argv[1])
assert write_queue.queue_of(database).acquire(0)
if os.fork() == 0:
    os._exit(write_queue.queue_of(database).acquire(0))
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "book"
    path.touch()
    return path


def test_threads_come_in_the_order_in_which_they_asked(database: Path) -> None:
    line, came = WriteQueue(database), []
    assert line.acquire(0)
    assert not line.acquire(0.01), "one that gives up is passed over"

    def come(number: int) -> None:
        assert line.acquire(10)
        came.append(number)
        line.release()

    threads = []
    for number in range(THREADS):
        threads.append(Thread(target=come, args=[number]))
        threads[-1].start()
        while len(line._threads._waiting) <= number:
            pass
    line.release()
    for thread in threads:
        thread.join()
    assert came == list(range(THREADS))


def test_processes_take_turns(database: Path) -> None:
    """None goes before a process with an earlier number, however long the system lets that one sleep."""
    times, letters = 40, "abc"
    first = WriteQueue(database)
    assert first.acquire(1)  # from the second number on a capital is written
    first.release()
    first.close()
    writers = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", WRITER, str(database), letter, str(times)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for letter in letters
    ]
    for writer in writers:
        assert writer.stdout
        writer.stdout.readline()
    for writer in writers:
        assert writer.stdin
        writer.stdin.write(b"\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0] * len(writers)
    noted = database.read_text()
    drawn = [letter.lower() for letter in noted if letter.isupper()]
    assert Counter(drawn) == dict.fromkeys(letters, 2 * times)
    assert "".join(letter for letter in noted if not letter.isupper()) == "".join(f"{letter}." for letter in drawn)


def test_waiting_for_a_standing_writer_ends_and_the_turn_of_a_killed_one_is_free(database: Path) -> None:
    with held(database) as holder:
        holder.send_signal(signal.SIGSTOP)
        line = WriteQueue(database)
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(line.acquire, [0.05] * THREADS)) == [False] * THREADS
        holder.kill()
        assert line.acquire(5)


def test_a_fork_has_not_its_parents_turn(database: Path) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK, str(database)], check=True)  # noqa: S603


def test_deleted_queue_file_is_made_anew_with_the_permissions_of_the_database(database: Path) -> None:
    database.chmod(0o660)
    line = WriteQueue(database)
    write_queue.queue_file(database).unlink()
    assert line.acquire(0)
    assert not is_free(database)
    line.release()
    assert is_free(database)
    assert write_queue.queue_file(database).stat().st_mode & 0o777 == 0o660


@pytest.mark.parametrize("number", write_queue.NO_LOCKS)
def test_without_locks_the_threads_still_take_turns(
    database: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(fcntl, "lockf", Mock(side_effect=OSError(number, os.strerror(number))))
    line = WriteQueue(database)
    assert line.acquire(0)
    assert not line.acquire(0)
    line.release()
    assert line.acquire(0)


def test_fault_of_the_queue_files_is_named_and_frees_the_turn(database: Path) -> None:
    line = WriteQueue(database)
    broken = OSError(errno.EIO, os.strerror(errno.EIO))
    with patch.object(fcntl, "lockf", side_effect=broken), pytest.raises(OSError, match=os.strerror(errno.EIO)):
        line.acquire(0)
    assert line.acquire(0)
