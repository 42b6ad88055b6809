"""A server whose database is deleted, moved or replaced while it runs: no hand is acknowledged that is not kept."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile

import pytest

from scorekeeper.ops import network
from scorekeeper.ops.backups import BESIDE, DATABASE
from tests.server import Server
from tests.serving import prepare
from tests.soak.afternoon import recount
from tests.soak.phones import Table, tables_at

PHONES = 4


#: The suffixes of the files that are moved away, and whether another database is put in the place of the first.
SLIPS = [(("",), False), (("", *BESIDE), False), (("",), True)]


@contextmanager
def lost(data: Path, endings: Sequence[str], is_replaced: bool) -> Iterator[None]:
    """Have files of the database elsewhere meanwhile; another one, if any, is a sound one."""
    files = [file for ending in endings if (file := data / f"{DATABASE}{ending}").exists()]
    (data / "aside").mkdir()
    for file in files:
        file.rename(data / "aside" / file.name)
    if is_replaced:
        prepare(data / "other")
        copyfile(data / "other" / DATABASE, data / DATABASE)
    yield
    for file in files:
        (data / "aside" / file.name).replace(file)
    (data / "aside").rmdir()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with Server(data).up() as up:
        yield up


def health(server: Server) -> int | None:
    return network.status(server.port, "/healthz/ready", "localhost")


def record_at_once(table: Table) -> list[int]:
    """Record one hand on each phone, all at once; return the statuses."""
    with ThreadPoolExecutor(PHONES) as pool:
        return list(pool.map(lambda phone: table.record(phone).status, table.phones))


def test_no_hand_is_acknowledged_while_the_database_is_not_under_its_name(server: Server, data: Path) -> None:
    # A worker that had no request yet would open another one together with the log of the former, and damage it.
    with lost(data, [""], is_replaced=True):
        assert {health(server) for _request in range(12)} == {503}
    assert {health(server) for _request in range(12)} == {200}
    with tables_at(server.port, tables=1, phones=PHONES) as (table,):
        for endings, is_replaced in SLIPS:
            assert record_at_once(table) == [200] * PHONES
            with lost(data, endings, is_replaced):
                assert record_at_once(table) == [503] * PHONES, endings
                assert health(server) == 503
            assert health(server) == 200
        assert record_at_once(table) == [200] * PHONES
        (data / f"{DATABASE}-wal").unlink()
        recorded = record_at_once(table).count(200)
        assert record_at_once(table) == [200] * PHONES
        assert recount(server, [table]) == PHONES * (len(SLIPS) + 2) + recorded, "a log that is deleted costs no hand"
