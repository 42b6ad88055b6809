"""Connections whose files are deleted, moved or replaced: what they refuse, in which words, and how they go on."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from django.db import OperationalError, connection

from scorekeeper.db import database_errors
from scorekeeper.db.cache import LRUCache
from scorekeeper.db.sqlite import base, open_files, write_queue
from tests.db.sqlite.holding import is_free

pytestmark = pytest.mark.django_db


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return made(tmp_path.resolve() / "book")


def made(database: Path, version: str = "0001") -> Path:
    with closing(sqlite3.connect(database)) as new:
        new.execute("PRAGMA journal_mode = WAL")
        new.execute("CREATE TABLE django_migrations (app, name)")
        new.execute("INSERT INTO django_migrations VALUES ('book', ?)", [version])
        new.execute("CREATE TABLE page (words)")
        new.commit()
    return database


@pytest.fixture
def one(database: Path) -> Iterator[base.DatabaseWrapper]:
    with closing(connected(database)) as one:
        yield one


def connected(database: Path) -> base.DatabaseWrapper:
    settings = connection.settings_dict | {"NAME": str(database)}
    return base.DatabaseWrapper(settings, "another")


def write(one: base.DatabaseWrapper, words: str = "word") -> None:
    with one.cursor() as cursor:
        cursor.execute("INSERT INTO page VALUES (%s)", [words])


def count(one: base.DatabaseWrapper) -> int:
    with one.cursor() as cursor:
        found: int = cursor.execute("SELECT count(*) FROM page").fetchone()[0]
    return found


def next_request(one: base.DatabaseWrapper) -> None:
    one.close_if_unusable_or_obsolete()


def beside(database: Path, ending: str) -> Path:
    return database.with_name(f"{database.name}{ending}")


def moved_by(database: Path, tmp_path: Path, *endings: str) -> None:
    (tmp_path / "aside").mkdir()
    for ending in endings:
        file = beside(database, ending)
        file.rename(tmp_path / "aside" / file.name)


def refusal_of(write: Callable[[], object]) -> tuple[str | None, str]:
    with pytest.raises(OperationalError) as refused:
        write()
    return database_errors.classify(refused.value), str(refused.value)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_a_write_after_a_file_was_deleted_is_refused_and_not_done(
    one: base.DatabaseWrapper, database: Path, ending: str
) -> None:
    write(one)
    beside(database, ending).unlink()
    assert refusal_of(lambda: write(one))[0] == database_errors.MOVED
    assert count(one) == 1
    assert is_free(database)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_a_commit_after_a_file_was_deleted_is_not_acknowledged(
    one: base.DatabaseWrapper, database: Path, ending: str
) -> None:
    def job() -> None:
        one.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        write(one)
        beside(database, ending).unlink()
        one.commit()

    assert refusal_of(job)[0] == database_errors.GONE, "it may be saved, or not"
    assert is_free(database)


def test_a_connection_does_not_make_a_database(one: base.DatabaseWrapper, database: Path) -> None:
    database.unlink()
    word, sentence = refusal_of(lambda: count(one))
    assert (word, sentence) == (
        database_errors.MOVED,
        f"There is no database {database}: it was deleted or moved. Put it back, or restore a backup.",
    )
    assert not database.exists()
    one.make_file()
    assert refusal_of(lambda: count(one))[1] == "no such table: page"
    database.unlink()
    beside(database, "-wal").touch()
    assert "may hold its latest hands" in refusal_of(one.make_file)[1], "the log of another one"
    assert not database.exists()


def test_a_database_that_is_put_back_is_written_again(
    one: base.DatabaseWrapper, database: Path, tmp_path: Path
) -> None:
    write(one)
    moved_by(database, tmp_path, "")
    next_request(one)
    assert refusal_of(lambda: write(one))[0] == database_errors.MOVED
    (tmp_path / "aside" / "book").rename(database)
    write(one)
    assert count(one) == 2


def test_another_database_of_the_same_version_is_read_from_the_next_request_on_and_nothing_of_the_former_is_cached(
    one: base.DatabaseWrapper, database: Path, tmp_path: Path
) -> None:
    kept = LRUCache[str]()
    write(one)
    moved_by(database, tmp_path, "", "-wal", "-shm")
    made(database)
    kept.put("version 1", "word")
    next_request(one)
    assert count(one) == 0
    assert len(kept) == 0
    write(one)
    kept.put("version 1", "another word")
    next_request(one)
    assert (count(one), len(kept)) == (1, 1)


def test_new_connection_to_another_database_finds_nothing_of_the_former_cached(
    one: base.DatabaseWrapper, database: Path, tmp_path: Path
) -> None:
    kept = LRUCache[str]()
    write(one)
    one.close()
    moved_by(database, tmp_path, "")
    made(database)
    kept.put("version 1", "word")
    assert (count(one), len(kept)) == (0, 0)


@pytest.mark.parametrize("version", ["0002", ""])
def test_another_database_of_another_version_is_refused(
    one: base.DatabaseWrapper, database: Path, tmp_path: Path, version: str
) -> None:
    write(one)
    moved_by(database, tmp_path, "", "-wal", "-shm")
    if version:
        made(database, version)
    else:
        database.touch()
    next_request(one)
    assert "with no data in it or those of another version" in refusal_of(lambda: count(one))[1]


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_another_database_is_refused_beside_the_log_of_the_former_one(
    one: base.DatabaseWrapper, database: Path, tmp_path: Path, ending: str
) -> None:
    write(one)
    moved_by(database, tmp_path, *{"", "-wal", "-shm"} - {ending})
    made(tmp_path / "other").rename(database)
    next_request(one)
    word, sentence = refusal_of(lambda: count(one))
    assert word == database_errors.MOVED
    if ending == "-wal":
        assert "beside it belongs to the former one and may hold its latest hands" in sentence


def test_deleted_log_is_written_to_the_database_and_replaced_by_a_new_one(
    one: base.DatabaseWrapper, database: Path
) -> None:
    with closing(connected(database)) as other:
        write(one)
        write(other)
        beside(database, "-wal").unlink()
        assert "was deleted while the database was in use" in refusal_of(lambda: count(connected(database)))[1]
        for each in (one, other, one):
            next_request(each)
            write(each)
    with closing(connected(database)) as third:
        assert count(third) == 5


@pytest.mark.parametrize("endings", [("-shm",), ("-wal", "-shm")])
def test_a_connection_is_not_given_a_deleted_index(
    one: base.DatabaseWrapper, database: Path, endings: tuple[str, ...]
) -> None:
    """SQLite would give it that of the process's other connections, and another process would make a new one."""
    with closing(connected(database)) as other:
        write(one)
        write(other)
        for ending in endings:
            beside(database, ending).unlink()
        next_request(one)
        assert "Restart the server" in refusal_of(lambda: write(one))[1]
        next_request(other)
        write(other)
        write(one)
        assert count(one) == 4


def test_writers_queue_by_the_file_under_its_name(one: base.DatabaseWrapper, database: Path, tmp_path: Path) -> None:
    write(one)
    write_queue.queue_file(database).rename(tmp_path / "away")
    with one.cursor() as cursor:
        cursor.execute("BEGIN IMMEDIATE")
        assert not is_free(database)
        cursor.execute("COMMIT")
    assert is_free(database)


def test_connections_are_opened_while_other_threads_open_and_close_theirs(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page once failed with 500, as a set of the open connections changed while it was copied."""
    looked, over = Event(), Event()

    def open_and_close(reader: sqlite3.Connection) -> None:
        files = open_files.files_of(database)
        while not over.is_set():
            kept = [open_files.note_opened(database, files, reader, has_log=False) for _connection in range(20)]
            looked.set()
            for opened in kept:
                open_files.note_closed(opened)

    monkeypatch.setattr(open_files, "_version", lambda reader: ())
    before = sys.getswitchinterval()
    with closing(sqlite3.connect(database, check_same_thread=False)) as reader, ThreadPoolExecutor(4) as threads:
        sys.setswitchinterval(1e-6)
        try:
            busy = [threads.submit(open_and_close, reader) for _thread in range(4)]
            looked.wait()
            for _time in range(3_000):
                open_files.check_before_opening(database)
        finally:
            sys.setswitchinterval(before)
            over.set()
    assert [one.result() for one in busy] == [None] * 4
