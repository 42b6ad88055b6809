"""Many who write at the same time, and one who is killed while he does."""

import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection

from scorekeeper.sqlite.turns import waiting_at_most
from sessions_app.models import GameSession, HandMark, Table, User
from sessions_app.writers import following
from tests.factories import UserFactory, record

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS, TIMES = 48, 4
#: Writes in its turn, and does not come to the end of it.
INTERRUPTED = """
import sqlite3, sys
from pathlib import Path
from scorekeeper.sqlite import turns
assert turns.of(Path(sys.argv[1])).take(5)
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
raw.execute("INSERT INTO sessions_app_table (created_at, is_demo) VALUES ('2026-01-01', 1)")
print(flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database() -> Path:
    return Path(connection.settings_dict["NAME"]).resolve()


def test_of_many_who_write_none_fails_and_none_is_passed_over(evening: GameSession, owner: User) -> None:
    record(evening, owner)
    barrier, written = Barrier(WRITERS), []

    def write(user: User) -> None:
        barrier.wait()
        try:
            with waiting_at_most(60):  # how slow this machine's disk is today is no finding
                for _ in range(TIMES):
                    following.mark(evening.pk, 1, HandMark.Kind.OK, by=user)
                    written.append(user.pk)
        finally:
            connection.close()

    users = [UserFactory() for _ in range(WRITERS)]
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, users))
    assert Counter(written) == {user.pk: TIMES for user in users}
    # When the first has written for the last time, all have written but for the last time: or for the one before, who
    # had not come to the line when it began.
    first_done = next(done for done in range(len(written)) if written[: done + 1].count(written[done]) == TIMES)
    assert min(Counter(written[:first_done]).get(user.pk, 0) for user in users) >= TIMES - 2


def test_what_a_killed_writer_had_begun_is_undone_and_the_next_one_writes(database: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:  # noqa: S603
        assert writer.stdout
        writer.stdout.readline()
        writer.kill()
    Table.objects.create()
    assert [table.is_demo for table in Table.objects.all()] == [False]
    with closing(sqlite3.connect(database)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
