"""Several servers started at once on an empty database: one migrates it, the others wait."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from sessions_app.management.commands.migrate import ENDING, migrating
from tests.serving import PROJECT, environment

SERVERS = 3


@pytest.mark.thorough
def test_servers_started_at_once_all_find_a_database_that_is_up_to_date(tmp_path: Path, empty: dict[str, str]) -> None:
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


def test_the_lock_is_given_back_and_a_row_is_waited_for_as_long_as_before(transactional_db: None) -> None:
    free = held()
    with migrating(connection):
        assert held() != free
    assert held() == free
    assert connection.vendor == "sqlite" or free == ("5s", 0)


def held() -> tuple[object, ...]:
    """Return the time-out for a row, and the number of migration locks held in this database."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"]).resolve()
        with database.with_name(f"{database.name}{ENDING}").open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return (1,)
        return (0,)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('lock_timeout'), count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        return tuple(cursor.fetchone())
