"""Many who write at the same time, and one who is killed while he does."""

import sqlite3
import subprocess
import sys
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Lock, get_ident

import pytest
from django.db import connection

from scorekeeper.db.sqlite import write_queue
from scorekeeper.db.sqlite.write_queue import ThreadQueue, waiting_at_most
from sessions_app.models import Circle, Evening, HandMark, User
from sessions_app.writers import evenings
from tests.factories import UserFactory, record

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS, TIMES = 48, 4
#: Writes in its turn, and does not come to the end of it.
INTERRUPTED = """
import sqlite3, sys
from pathlib import Path
from scorekeeper.db.sqlite import write_queue
assert write_queue.queue_of(Path(sys.argv[1])).acquire(5)
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
raw.execute("UPDATE sessions_app_circle SET is_demo = 1")
print(flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database() -> Path:
    return Path(connection.settings_dict["NAME"]).resolve()


class NotedQueue(ThreadQueue):
    """A queue that notes which thread comes and which is done, at the moment at which the queue itself knows it."""

    def __init__(self) -> None:
        self.came: list[int] = []
        self.done: list[int] = []
        super().__init__()
        self._waiting = Waiting(self.came)

    def __setattr__(self, name: str, value: object) -> None:
        if name == "_is_taken" and value:
            self.came.append(get_ident())
        super().__setattr__(name, value)

    def release(self) -> None:
        self.done.append(get_ident())
        super().release()


class Waiting(deque[Lock]):
    def __init__(self, came: list[int]) -> None:
        super().__init__()
        self._came = came

    def append(self, call: Lock) -> None:
        self._came.append(get_ident())
        super().append(call)


def test_many_writers_all_get_their_turn(
    evening: Evening, owner: User, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(evening, owner)
    queue = NotedQueue()
    monkeypatch.setattr(write_queue.queue_of(database), "_threads", queue)
    barrier, written = Barrier(WRITERS), []

    def write(user: User) -> None:
        barrier.wait()
        try:
            with waiting_at_most(60):  # the speed of this machine's disk today is no finding
                for _ in range(TIMES):
                    evenings.mark_hand(evening.pk, 1, HandMark.Kind.OK, by=user)
                    written.append(user.pk)
        finally:
            connection.close()

    users = [UserFactory() for _ in range(WRITERS)]
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, users))
    assert Counter(written) == {user.pk: TIMES for user in users}
    assert len(queue.came) >= WRITERS * TIMES
    assert queue.done == queue.came


def test_write_of_a_killed_process_is_undone_and_the_next_one_writes(database: Path) -> None:
    Circle.objects.create()
    command = [sys.executable, "-c", INTERRUPTED, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:  # noqa: S603
        assert writer.stdout
        assert writer.stdout.readline(), "it has written, and is in the midst of its turn"
        writer.kill()
    Circle.objects.create()
    assert [circle.is_demo for circle in Circle.objects.all()] == [False, False]
    with closing(sqlite3.connect(database)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
