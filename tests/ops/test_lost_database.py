"""A server whose database is deleted, moved or replaced while it runs: no hand is acknowledged that is not kept."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfile

import pytest

from scorekeeper.ops import backups, network
from scorekeeper.ops.backups import BESIDE, DATABASE
from tests.server import Server
from tests.serving import prepare
from tests.soak.afternoon import recount
from tests.soak.phones import Table, tables_at

PHONES = 4


def files(data: Path) -> list[Path]:
    return [data / f"{DATABASE}{ending}" for ending in ("", *BESIDE) if (data / f"{DATABASE}{ending}").exists()]


def aside(data: Path, found: list[Path]) -> Callable[[], None]:
    """Move files away; return how to move them back."""
    (data / "aside").mkdir()
    moved = [(file, file.rename(data / "aside" / file.name)) for file in found]

    def back() -> None:
        for file, place in moved:
            place.replace(file)
        (data / "aside").rmdir()

    return back


def moved_away(data: Path) -> Callable[[], None]:
    return aside(data, [data / DATABASE])


def all_moved_away(data: Path) -> Callable[[], None]:
    return aside(data, files(data))


def replaced_by_another(data: Path) -> Callable[[], None]:
    """By a sound one, and the log of the former one is left beside it."""
    back = aside(data, [data / DATABASE])
    prepare_in(data)
    return back


def prepare_in(data: Path) -> None:
    folder = data / "other"
    prepare(folder)
    copyfile(folder / DATABASE, data / DATABASE)


SLIPS = [moved_away, all_moved_away, replaced_by_another]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with Server(data).up() as up:
        yield up


@contextmanager
def table_of(server: Server) -> Iterator[Table]:
    with tables_at(server.port, tables=1, phones=PHONES) as (table,):
        yield table


def health(server: Server) -> int | None:
    return network.status(server.port, "/healthz/ready", "localhost")


def record_at_once(table: Table) -> list[int]:
    """Record one hand on each phone, all at once; return the statuses."""
    with ThreadPoolExecutor(PHONES) as pool:
        return list(pool.map(lambda phone: table.record(phone).status, table.phones))


def test_no_hand_is_acknowledged_while_the_database_is_not_under_its_name(server: Server, data: Path) -> None:
    # A worker that had no request yet would open another one together with the log of the former, and damage it.
    back = replaced_by_another(data)
    assert {health(server) for _request in range(12)} == {503}
    back()
    assert {health(server) for _request in range(12)} == {200}
    with table_of(server) as table:
        for slip in SLIPS:
            assert record_at_once(table) == [200] * PHONES
            back = slip(data)
            assert record_at_once(table) == [503] * PHONES, slip.__name__
            assert health(server) == 503
            back()
            assert health(server) == 200
        assert record_at_once(table) == [200] * PHONES
        (data / f"{DATABASE}-wal").unlink()
        recorded = record_at_once(table).count(200)
        assert record_at_once(table) == [200] * PHONES
        assert recount(server, [table]) == PHONES * (len(SLIPS) + 2) + recorded, "a log that is deleted costs no hand"


@pytest.mark.thorough
def test_a_database_that_is_restored_is_the_one_that_is_shown_and_written(
    server: Server, data: Path, tmp_path: Path
) -> None:
    with table_of(server) as table:
        assert record_at_once(table) == [200] * PHONES
        with closing(sqlite3.connect(data / DATABASE)) as source, closing(sqlite3.connect(tmp_path / DATABASE)) as copy:
            source.backup(copy)
        kept = set(table.acknowledged)
        assert record_at_once(table) == [200] * PHONES
        shown = table.phones[0].get(table.evening).page.balances
        backups.restore(tmp_path, {DATABASE: data / DATABASE}, aside="before")
        for token in table.acknowledged - kept:
            table.acknowledged.remove(token)
            del table.paper[token]
        table._last = PHONES
        for phone in table.phones:
            assert phone.get(table.evening).page.balances == table.balances(kept)
        assert record_at_once(table) == [200] * PHONES
        assert recount(server, [table]) == 2 * PHONES
        assert shown != table.phones[0].get(table.evening).page.balances, "of the same version"
