"""Fifty times killed in the midst of writing, on either database: ./run test -s tests/soak/test_kills.py"""

from pathlib import Path

import pytest

from tests.server import Server
from tests.soak.afternoon import killed_while_recording
from tests.soak.postgres import postgres

ROUNDS = 50


def test_on_sqlite_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    hands = killed_while_recording(Server(tmp_path), ROUNDS)
    print(f"\n{ROUNDS} rounds on SQLite: {hands} hands, none lost, none doubled")  # noqa: T201


@pytest.mark.parametrize("database_crashes", [False, True])
def test_on_postgresql_nothing_acknowledged_is_lost(tmp_path: Path, database_crashes: bool) -> None:
    with postgres() as cluster:

        def crash() -> None:
            if database_crashes:
                cluster.crash()
                cluster.start()

        hands = killed_while_recording(Server(tmp_path, url=cluster.url), ROUNDS // 2, crash=crash)
    what = "server and database" if database_crashes else "server"
    print(f"\n{ROUNDS // 2} rounds on PostgreSQL, {what} killed: {hands} hands, none lost, none doubled")  # noqa: T201
