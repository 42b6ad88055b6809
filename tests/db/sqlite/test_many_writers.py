"""Many who write at the same time, and one who is killed while he does."""

import signal
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
from django.test import Client

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from sessions_app.models import Circle, Evening, HandMark, Member, User
from sessions_app.writers import evenings
from tests.db.sqlite.holding import held
from tests.factories import UserFactory, record
from tests.views.every_url import ENTRIES, TABLE, name_of, patterns, row_of
from tests.views.scene import Scene

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


def test_many_writers_all_get_their_turn(evening: Evening, owner: User) -> None:
    record(evening, owner)
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


#: Pages that cannot be read here: there is no announcement to take back, and the game agrees on nothing. The check of
#: readiness writes.
NOT_HERE = ("announce-back", "healthz-ready", "metrics", "link", *ENTRIES)
READ = [path for path, _ in patterns() if "GET" in TABLE.get(name_of(path), {}) and name_of(path) not in NOT_HERE]


@pytest.fixture
def scene(evening: Evening, owner: User, keepers: Client, viewers: Client) -> Scene:
    return Scene("sessions/<int:evening_id>/", evening, owner)


def test_every_page_is_shown_while_somebody_writes_for_ever(database: Path, scene: Scene, owners: Client) -> None:
    answered = {}
    with held(database) as holder:
        holder.send_signal(signal.SIGSTOP)
        for scene.path in READ:
            answered[scene.path] = owners.get(scene.address).status_code
    assert answered == {path: row_of(path)["GET"].owner for path in READ}


def test_presence_is_noted_when_nobody_writes(database: Path, scene: Scene, owner: User, owners: Client) -> None:
    member = Member.objects.get(user=owner, circle=scene.evening.circle)
    with held(database):
        owners.get(scene.address)
        member.refresh_from_db()
        assert member.last_seen_at is None
    with closing(sqlite3.connect(database)) as past_the_queue:
        past_the_queue.execute("BEGIN IMMEDIATE")
        owners.get(scene.address)
        member.refresh_from_db()
        assert member.last_seen_at is None
    owners.get(scene.address)
    member.refresh_from_db()
    assert member.last_seen_at is not None


def test_json_support_is_not_probed_during_a_write(database: Path) -> None:
    with held(database):
        assert type(connection.features)(connection).supports_json_field
        assert type(connection.features)(connection).has_json_object_function
    assert connection.cursor().execute("SELECT json('[1]')").fetchone() == ("[1]",)
