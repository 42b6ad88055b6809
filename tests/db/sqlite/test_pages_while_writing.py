"""Pages while another process writes: they are shown, and wait for nobody."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client

from sessions_app.models import Evening, Member, User
from tests.db.sqlite.holding import held
from tests.views.every_url import ENTRIES, TABLE, name_of, patterns, row_of
from tests.views.scene import Scene

pytestmark = pytest.mark.django_db(transaction=True)

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
