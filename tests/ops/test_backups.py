"""The content of a backup; and the refusal of files that are damaged, newer or in the way."""

import json
import os
import resource
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorekeeper.ops import backups

KNOWN = ("sessions_app.0001_initial", "sessions_app.0002_every_phone")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database as the program keeps it, with something in its log that is not in its file yet."""
    path = tmp_path / backups.DATABASE
    with closing(sqlite3.connect(path)) as one:
        one.executescript("PRAGMA journal_mode=WAL; CREATE TABLE hands (number); INSERT INTO hands VALUES (1);")
    return path


@pytest.fixture
def backup(tmp_path: Path, database: Path) -> Path:
    written = tmp_path / "kept.backup"
    write(written, database)
    return written


def write(file: Path, database: Path) -> backups.Manifest:
    return backups.write(file, database=database, key="the key", migrations=KNOWN, written_at="now")


def rewritten(backup: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """The same backup with what `change` makes of each file in it."""
    with zipfile.ZipFile(backup) as old:
        contents = {name: change(name, old.read(name)) for name in old.namelist()}
    with zipfile.ZipFile(backup, "w") as new:
        for name, content in contents.items():
            new.writestr(name, content)
    return backup


def said_otherwise(**said: object) -> Callable[[str, bytes], bytes]:
    def change(name: str, content: bytes) -> bytes:
        return json.dumps(json.loads(content) | said).encode() if name == backups.MANIFEST else content

    return change


def refusal(backup: Path) -> str:
    with pytest.raises(backups.BackupError) as refused, backups.opened(backup, known=KNOWN):
        pass
    return str(refused.value)


def test_backup_holds_the_database_the_key_and_a_manifest_for_its_owner_alone(backup: Path, database: Path) -> None:
    before = backup.read_bytes()
    with backups.opened(backup, known=KNOWN) as (said, folder):
        assert (folder / backups.KEY).read_text() == "the key"
        assert (said.migrations, said.rows) == (KNOWN, {"hands": 1})
    assert not folder.exists()
    assert backup.stat().st_mode & 0o777 == 0o600
    with pytest.raises(backups.BackupError, match="choose another name"):
        write(backup, database)
    assert backup.read_bytes() == before
    assert [path.name for path in backup.parent.iterdir() if path.name.startswith(".")] == [], "no draft is left"


def test_backup_holds_commits_that_are_only_in_the_log(tmp_path: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("INSERT INTO hands VALUES (2)")
        writer.commit()
        writer.execute("INSERT INTO hands VALUES (3)")  # of a writer who is not done yet
        said = write(tmp_path / "b", database)
    assert said.rows == {"hands": 2}


def test_a_damaged_database_is_not_called_a_backup_and_an_unwritable_place_is_refused(
    tmp_path: Path, database: Path
) -> None:
    with pytest.raises(backups.BackupError, match="could not be written"):
        write(tmp_path / "no" / "b", database)
    with closing(sqlite3.connect(database)) as one:
        one.executescript("PRAGMA journal_mode=DELETE; CREATE INDEX by_number ON hands (number);")
        one.executescript("PRAGMA writable_schema=ON; DELETE FROM sqlite_master WHERE name = 'by_number';")
    with pytest.raises(backups.BackupError, match="damaged"):
        write(tmp_path / "b", database)
    assert not (tmp_path / "b").exists()


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes meanwhile: the nearest a test comes to a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 1_000])
def test_on_a_full_disk_there_is_no_backup_and_nothing_is_restored_over_what_was_there(
    tmp_path: Path, database: Path, backup: Path, size: int
) -> None:
    with pytest.raises(backups.BackupError, match="could not be written"), room_for(size):
        write(tmp_path / "b", database)
    assert not list(tmp_path.glob("b*")) + list(tmp_path.glob(".backup-*"))
    data, places = data_folder(tmp_path)
    with (
        backups.opened(backup, known=KNOWN) as (_said, folder),
        room_for(size),
        pytest.raises(backups.BackupError, match="could not be restored"),
    ):
        backups.restore(folder, places, aside="old")
    assert {path.name: path.read_text() for path in data.iterdir()} == dict.fromkeys(places, "before")


def data_folder(tmp_path: Path) -> tuple[Path, dict[str, Path]]:
    """A folder with a database and a key of before, and their places."""
    data = tmp_path / "data"
    data.mkdir()
    places = {name: data / name for name in (backups.KEY, backups.DATABASE)}
    for place in places.values():
        place.write_text("before")
    return data, places


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda name, content: content.replace(b"hands", b"hends") if name == backups.DATABASE else content, "damaged"),
        (lambda name, content: b"another key" if name == backups.KEY else content, "checksum of secret_key"),
        (lambda name, content: b"{" if name == backups.MANIFEST else content, "damaged"),
        (said_otherwise(rows={"hands": 2}), "row counts"),
        (said_otherwise(checksums={"../out": "0"}), "unknown file"),
        (
            said_otherwise(migrations=[*KNOWN, "sessions_app.0999_later"]),
            "newer version of the program: this one does not know the migration sessions_app.0999_later",
        ),
        (said_otherwise(format=2), "of format 2"),
    ],
)
def test_damaged_or_newer_backup_is_refused(backup: Path, change: Callable[..., bytes], reason: str) -> None:
    assert reason in refusal(rewritten(backup, change))


def test_half_a_file_is_refused_and_none_is_said_to_be_missing(backup: Path) -> None:
    whole = backup.read_bytes()
    for cut in (0, 100, -1):
        backup.write_bytes(whole[:cut])
        assert "damaged" in refusal(backup)
    backup.unlink()
    assert refusal(backup).endswith("kept.backup does not exist.")


def test_former_database_stays_beside_the_restored_one(tmp_path: Path, backup: Path) -> None:
    data, places = data_folder(tmp_path)
    (data / f"{backups.DATABASE}-wal").write_text("before")
    with backups.opened(backup, known=KNOWN) as (_said, folder):
        backups.restore(folder, places, aside="old")
    assert {path.name: path.read_bytes()[:7] for path in data.iterdir()} == {
        "secret_key": b"the key",
        "secret_key.old": b"before",
        "scorekeeper.sqlite3": b"SQLite ",
        "scorekeeper.sqlite3.old": b"before",
        "scorekeeper.sqlite3-wal.old": b"before",
    }
    assert (data / backups.DATABASE).stat().st_mode & 0o777 == 0o600


def test_time_of_a_backup_that_root_made_is_the_folder_s_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[int, ...]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda file, *ids: given.append((os.fstat(file).st_ino, *ids)))
    at = datetime(2026, 11, 30, 3, tzinfo=UTC)
    backups.note_last(tmp_path, at)
    folder = tmp_path.stat()
    assert given == [((tmp_path / backups.LAST).stat().st_ino, folder.st_uid, folder.st_gid)]
    assert backups.last(tmp_path) == at
    assert len(list(tmp_path.iterdir())) == 1
