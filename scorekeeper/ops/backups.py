"""Backup and restore of an installation as one zip file. No Django.

The zip holds `manifest.json`, `secret_key`, and `scorekeeper.sqlite3` if the database is SQLite: PostgreSQL has its own
tools. Without the key all phones would be signed out and all invites invalid, so it is included; the file is therefore
readable by its owner only.
"""

import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkstemp
from typing import Any, Final

from scorekeeper.ops.data_dir import sync

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
KEY: Final = "secret_key"
DATABASE: Final = "scorekeeper.sqlite3"
#: Suffixes of the files that SQLite keeps beside a database and that belong to it alone.
BESIDE: Final = ("-wal", "-shm", "-journal")
#: A file of the data folder that holds the time of the last backup, in ISO 8601.
LAST: Final = "last_backup"


class BackupError(Exception):
    """A backup or a restore failed; the message is a sentence for the administrator."""


class NewerData(BackupError):
    """Data were written by a newer version of the program."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a backup.

    `migrations` are those applied to its database, `rows` the number of rows of each table, `checksums` the SHA-256 of
    the other files, by name. `written_at` is ISO 8601.
    """

    format: int
    written_at: str
    engine: str
    migrations: tuple[str, ...]
    rows: Mapping[str, int]
    checksums: Mapping[str, str]


def write(target: Path, *, database: Path | None, key: str, migrations: Iterable[str], written_at: str) -> Manifest:
    """Write a backup to `target`, read it back, and return its manifest. `database` is None for PostgreSQL.

    The server may run meanwhile: SQLite copies a snapshot. `target` appears complete or not at all. Raise BackupError.
    """
    if target.exists():
        raise BackupError(f"{target} already exists. Nothing was overwritten: choose another name.")
    try:
        # Beside the target, so that the finished file is only renamed on the same disk.
        with TemporaryDirectory(dir=target.parent, prefix=".backup-") as draft:
            folder = Path(draft)
            (folder / KEY).write_text(key, encoding="utf-8")
            rows = _copy(database, folder / DATABASE) if database else {}
            files = [folder / name for name in (KEY, DATABASE) if (folder / name).exists()]
            checksums = {file.name: _checksum(file) for file in files}
            engine = "sqlite" if database else "postgresql"
            said = Manifest(FORMAT, written_at, engine, tuple(migrations), rows, checksums)
            _pack(folder / "packed", said, files)
            with opened(folder / "packed", known=said.migrations) as (read_back, _folder):
                if read_back != said:
                    raise BackupError("The file read back differs from what was written: the disk may be faulty.")
            _publish(folder / "packed", target)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup could not be written: {error}") from error
    return said


def in_series(folder: Path, at: datetime) -> Path:
    """Return the path in the folder of a backup made at this time. The names sort by time, in UTC."""
    return folder / f"strigula-{at.astimezone(UTC):%Y%m%d-%H%M%S}.zip"


def thin_out(newest: Path, keep: int) -> list[Path]:
    """Delete the oldest backups of the series of `newest` until `keep` are left; return those deleted.

    `newest` is never deleted, even if a wrong clock dated others later, nor is any other file of the folder. Raise
    BackupError.
    """
    series = sorted(newest.parent.glob(f"strigula-{'[0-9]' * 8}-{'[0-9]' * 6}.zip"))
    others = [file for file in series if file != newest]
    old = others[: max(len(others) - keep + 1, 0)]
    try:
        for file in old:
            file.unlink()
    except OSError as error:
        raise BackupError(f"{newest} was written and checked, but an old backup remains: {error}") from error
    return old


def note_last(data: Path, at: datetime) -> None:
    """Store the time of a backup in the data folder. A failure is ignored, since the backup itself is good.

    It belongs to the folder's user, even if root makes the backup.
    """
    with suppress(OSError):
        handle, draft = mkstemp(prefix=f"{LAST}-", dir=data)
        with os.fdopen(handle, "w") as file:
            file.write(at.isoformat(timespec="seconds"))
            if os.geteuid() == 0:
                os.fchown(handle, data.stat().st_uid, data.stat().st_gid)
        Path(draft).replace(data / LAST)


def last(data: Path) -> datetime | None:
    """Return the time of the last backup; None if none is known."""
    try:
        return datetime.fromisoformat((data / LAST).read_text())
    except (OSError, ValueError):
        return None


@contextmanager
def opened(file: Path, *, known: Iterable[str]) -> Iterator[tuple[Manifest, Path]]:
    """Yield the manifest of a checked backup and a temporary folder with its files.

    `known` are the migrations of this program. Raise BackupError for a file that is damaged, no backup, or of a newer
    program.
    """
    with TemporaryDirectory() as draft:
        folder = Path(draft)
        try:
            said = _checked(file, folder, tuple(known))
        except FileNotFoundError as error:
            raise BackupError(f"{file} does not exist.") from error
        except (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, EOFError, sqlite3.Error) as error:
            raise BackupError(f"{file} is damaged, or is not a backup of Strigula: {error}") from error
        yield said, folder


def _checked(file: Path, folder: Path, known: Iterable[str]) -> Manifest:
    """Unpack a backup into `folder`, check everything, and return its manifest."""
    with zipfile.ZipFile(file) as packed:
        said = _manifest(packed.read(MANIFEST))
        refuse_newer("This backup", said.migrations, known)
        for name, checksum in said.checksums.items():
            if name not in (KEY, DATABASE):
                raise ValueError(f"unknown file {name!r}")
            packed.extract(name, folder)
            if _checksum(folder / name) != checksum:
                raise BackupError(f"{file} is damaged: the checksum of {name} in it is wrong.")
    if said.engine == "sqlite" and _rows(folder / DATABASE) != dict(said.rows):
        raise BackupError(f"{file} is damaged: the row counts of its database are wrong.")
    return said


def refuse_newer(what: str, applied: Iterable[str], known: Iterable[str]) -> None:
    """Raise NewerData if a migration was applied to the data that this program does not know. `what` names the data."""
    unknown = sorted(set(applied) - set(known))
    if unknown:
        raise NewerData(
            f"{what} was written by a newer version of the program: this one does not know the migration "
            f"{unknown[-1]}. Update the program, or restore a backup that is as old as it."
        )


def restore(folder: Path, places: Mapping[str, Path], *, aside: str) -> None:
    """Move the checked files of `folder` to `places`, by name; existing files are renamed with the suffix `aside`.

    No server may run meanwhile. Raise BackupError.
    """
    drafts = {name: place.with_name(f"{place.name}.restored") for name, place in places.items()}
    try:
        for name, draft in drafts.items():
            draft.parent.mkdir(parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            draft.touch(mode=0o600)
            shutil.copyfile(folder / name, draft)
        # All files are copied: only now are the old ones renamed.
        for name, place in places.items():
            for ending in ("", *BESIDE) if name == DATABASE else ("",):
                if (there := place.with_name(place.name + ending)).exists():
                    there.rename(there.with_name(f"{there.name}.{aside}"))
            _publish(drafts[name], place)
    except OSError as error:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
        raise BackupError(f"The backup could not be restored: {error}") from error


def _copy(database: Path, copy: Path) -> dict[str, int]:
    """Copy a snapshot of the database into one file; return the number of rows of each table."""
    if not database.exists():
        raise BackupError(f"There is no database yet: {database} does not exist.")
    with closing(_reading(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        # Without WAL the copy is one file.
        target.execute("PRAGMA journal_mode=DELETE")
    return _rows(copy)


def _rows(database: Path) -> dict[str, int]:
    """Check a database, and return the number of rows of each table. Raise BackupError."""
    with closing(_reading(database)) as connection:
        found = [row for (row,) in connection.execute("PRAGMA integrity_check")]
        if found != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise BackupError(f"SQLite finds the database damaged: {found[0]}")
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        count = 'SELECT count(*) FROM "{}"'  # the names come from the database itself
        return {name: connection.execute(count.format(name)).fetchone()[0] for name in sorted(names)}


def _reading(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)


def _pack(packed: Path, said: Manifest, files: Iterable[Path]) -> None:
    with zipfile.ZipFile(packed, "x", zipfile.ZIP_DEFLATED) as into:
        into.writestr(MANIFEST, json.dumps(asdict(said), indent=2))
        for file in files:
            into.write(file, file.name)
    packed.chmod(0o600)


def _manifest(text: bytes) -> Manifest:
    said: dict[str, Any] = json.loads(text)
    if said["format"] != FORMAT:
        raise BackupError(
            f"This backup is of format {said['format']}, but this program reads only {FORMAT}: update the program."
        )
    return Manifest(**{name: said[name] for name in Manifest.__slots__} | {"migrations": tuple(said["migrations"])})


def _checksum(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, sha256).hexdigest()


def _publish(draft: Path, target: Path) -> None:
    """Rename a finished file so that after a power cut it is there complete, or not at all."""
    sync(draft)
    draft.rename(target)
    sync(target.parent)
