"""Several servers that are started at once on an empty database: one migrates it, the others wait for that."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection

from scorekeeper.migration_lock import migrating
from tests.serving import PROJECT, environment

SERVERS = 3


@pytest.fixture
def empty(tmp_path: Path, transactional_db: None) -> Iterator[dict[str, str]]:
    """What names an empty database beside that of the tests."""
    if connection.vendor == "sqlite":
        yield {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
        return
    name = f"empty_{uuid4().hex}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
        yield {"DATABASE_URL": f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"}
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_all_of_them_find_a_database_that_is_up_to_date(tmp_path: Path, empty: dict[str, str]) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=PROJECT,
            env=environment(tmp_path / str(number), **empty),
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(SERVERS)
    ]
    ended = [(process.communicate()[1], process.returncode) for process in started]
    assert ended == [("", 0)] * SERVERS


def test_whoever_waits_for_a_row_gives_up_as_before(transactional_db: None) -> None:
    with migrating(connection):
        pass
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("5s",)
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            assert cursor.fetchone() == (0,)
