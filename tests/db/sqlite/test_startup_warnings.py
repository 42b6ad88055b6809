"""Warnings of a starting server about processes that could write past the queue."""

import errno
import fcntl
import os
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management.base import OutputWrapper

from scorekeeper.ops.deployment import startup_warnings
from sessions_app.management.commands.serve import Command
from tests.db.sqlite.holding import held

RAW = """
import sqlite3, sys
raw = sqlite3.connect(sys.argv[1])
raw.execute("CREATE TABLE IF NOT EXISTS book (page)")
print(True, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "book"


def test_process_that_has_the_database_open_is_named_unless_it_queues(database: Path) -> None:
    with held(database):
        assert list(startup_warnings(database)) == []
    with held(database, RAW) as raw:
        (said,) = startup_warnings(database)
        assert said.startswith(f"Process {raw.pid} (")
    assert list(startup_warnings(database)) == []


def test_a_file_system_without_locks_is_named(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks = OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    monkeypatch.setattr(fcntl, "lockf", Mock(side_effect=no_locks))
    (said,) = startup_warnings(database)
    assert said.startswith(f"The file system of {database.parent} has no locks")


@pytest.mark.django_db
def test_server_prints_startup_warnings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sessions_app.management.commands.serve.startup_warnings", lambda _database: ["someone does"])
    Command(stderr=OutputWrapper(sys.stderr)).warn("127.0.0.1")
    assert capsys.readouterr().err == "Warning: someone does\n"
