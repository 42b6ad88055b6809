"""The program as ./run serves it, killed and backed up while it writes. The long forms are in tests/soak."""

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection

from tests.server import Server
from tests.soak.afternoon import all_at_once, killed_while_recording, recount
from tests.soak.payments import killed_while_paying
from tests.soak.phones import Phone, Table, invitation, tables_at
from tests.soak.postgres import tools

pytestmark = pytest.mark.thorough


@pytest.fixture
def databases() -> Iterator[Iterator[str]]:
    """URLs of empty databases on the server that the tests run on; nothing where it is SQLite."""
    made: list[str] = []

    def anew() -> Iterator[str]:
        while True:
            made.append(f"afternoon_{uuid4().hex}")
            on_the_server(f"CREATE DATABASE {made[-1]}")
            yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{made[-1]}").geturl()

    yield anew() if connection.vendor == "postgresql" else iter(lambda: "", None)
    for name in made:
        on_the_server(f"DROP DATABASE {name} WITH (FORCE)")


def on_the_server(statement: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as one:
        one.execute(statement.encode())


@pytest.mark.parametrize("killed", [killed_while_recording, killed_while_paying])
def test_killed_in_the_midst_of_writing_it_has_every_hand_or_payment_it_acknowledged(
    tmp_path: Path, databases: Iterator[str], killed: Callable[..., int]
) -> None:
    assert killed(Server(tmp_path, url=next(databases)), rounds=2) >= 10


def test_a_backup_made_while_eight_phones_write_gives_everything_back(tmp_path: Path, databases: Iterator[str]) -> None:
    old, file = Server(tmp_path / "old", url=next(databases)), tmp_path / "kept"
    with ExitStack() as hanging_up:
        with old.up():
            tables = hanging_up.enter_context(tables_at(old.port, tables=2, phones=4))
            link = invitation(tables[0].phones[0], tables[0].evening)
            before = backed_up(old, file, tables)
            recount(old, tables)
        new = Server(tmp_path / "new", url=next(databases), port=old.port)
        as_it_says(new.managed("restore", str(file)), "pg_restore", tmp_path)
        with new.up(), closing(Phone(new.port)) as stranger:
            recount(new, tables, all_acknowledged=False)
            for table, acknowledged in zip(tables, before, strict=True):
                assert acknowledged <= set(new.tokens(table.evening))
            stranger.get(link)
            assert stranger.post(link, {"player": ""}).headers["Location"] == tables[0].evening


def backed_up(server: Server, file: Path, tables: list[Table]) -> list[set[UUID]]:
    """The hands that each circle had acknowledged before a backup began, while all phones went on writing."""
    begun: list[set[UUID]] = []
    done = Event()

    def keeping() -> None:
        begun.extend(set(table.acknowledged) for table in tables)
        try:
            as_it_says(server.managed("backup", str(file)), "pg_dump", file.parent)
        finally:
            done.set()

    def writing(table: Table, phone: Phone) -> None:
        assert table.record(phone).status == 200

    for table in tables:
        writing(table, table.phones[0])
    phones = [partial(writing, table, phone) for table in tables for phone in table.phones]
    all_at_once([*phones, keeping], until=done.is_set)
    return begun


def as_it_says(done: subprocess.CompletedProcess[str], tool: str, folder: Path) -> None:
    """Restore by a tool of PostgreSQL's, by the very line that the command printed."""
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith(f"{tool} ")]
    assert len(lines) == (connection.vendor == "postgresql")
    for line in lines:
        subprocess.run([tools() / tool, *shlex.split(line)[1:]], cwd=folder, check=True)  # noqa: S603
