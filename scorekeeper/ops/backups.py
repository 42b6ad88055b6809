"""A backup: one file that gives everything back. It knows no Django.

The file is a zip of `manifest.json`, `secret_key`, and `scorekeeper.sqlite3` where the database is SQLite: PostgreSQL
has its own tools for that. Without the key every phone would be a stranger and every invite dead, so it is in it; and
whoever has the file has the key: it is readable by its owner only.
"""

import json
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from scorekeeper.ops.data_dir import sync

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
KEY: Final = "secret_key"
DATABASE: Final = "scorekeeper.sqlite3"
#: What SQLite keeps beside a database: it belongs to that one and to no other.
BESIDE: Final = ("-wal", "-shm", "-journal")


class BackupError(Exception):
    """Why there is no backup, or nothing was restored: one sentence for who runs the server."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself.

    `migrations` are those its database has seen, `rows` how many each of its tables had, `checksums` the SHA-256 of the
    other files in it, by name. `written_at` is ISO 8601.
    """

    format: int
    written_at: str
    engine: str
    migrations: tuple[str, ...]
    rows: Mapping[str, int]
    checksums: Mapping[str, str]


def write(target: Path, *, database: Path | None, key: str, migrations: Iterable[str], written_at: str) -> Manifest:
    """Write a backup to `target`, read it back, and return what it says. `database` is None for PostgreSQL.

    The server may go on: SQLite copies the database as it stands at one moment. `target` appears complete or not at
    all. Raises BackupError.
    """
    if target.exists():
        raise BackupError(f"{target} already exists. Nothing was overwritten: choose another name.")
    try:
        # Beside the target, and so on the same disk: what is finished there is only renamed.
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
            _appear(folder / "packed", target)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup could not be written: {error}") from error
    return said


@contextmanager
def opened(file: Path, *, known: Iterable[str]) -> Iterator[tuple[Manifest, Path]]:
    """A backup that was checked: what it says, and a folder with its files in it, gone afterwards.

    `known` are the migrations of this program. Raises BackupError for what is damaged, no backup, or of a newer
    program.
    """
    with TemporaryDirectory() as draft:
        folder = Path(draft)
        try:
            said = _checked(file, folder, set(known))
        except FileNotFoundError as error:
            raise BackupError(f"{file} does not exist.") from error
        except (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, EOFError, sqlite3.Error) as error:
            raise BackupError(f"{file} is damaged, or is not a backup of Scorekeeper: {error}") from error
        yield said, folder


def _checked(file: Path, folder: Path, known: set[str]) -> Manifest:
    """What a backup says, its files unpacked into `folder`, and all of it found to be as it was written."""
    with zipfile.ZipFile(file) as packed:
        said = _manifest(packed.read(MANIFEST))
        _refuse_newer(said, known)
        for name, checksum in said.checksums.items():
            _unpack(packed, name, folder / name)
            if _checksum(folder / name) != checksum:
                raise BackupError(f"{file} is damaged: the checksum of {name} in it is wrong.")
    if said.engine == "sqlite" and _rows(folder / DATABASE) != dict(said.rows):
        raise BackupError(f"{file} is damaged: the row counts of its database are wrong.")
    return said


def restore(folder: Path, places: Mapping[str, Path], *, aside: str) -> None:
    """Put the checked files of `folder` where `places` says, by name; what was there is kept, `aside` behind its name.

    Nothing may serve from there meanwhile. Raises BackupError.
    """
    drafts = {name: place.with_name(f"{place.name}.restored") for name, place in places.items()}
    try:
        for name, draft in drafts.items():
            draft.parent.mkdir(parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            draft.touch(mode=0o600)
            shutil.copyfile(folder / name, draft)
        # All of it is there: only now what was there before steps aside.
        for name, place in places.items():
            for ending in ("", *BESIDE) if name == DATABASE else ("",):
                if (there := place.with_name(place.name + ending)).exists():
                    there.rename(there.with_name(f"{there.name}.{aside}"))
            _appear(drafts[name], place)
    except OSError as error:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
        raise BackupError(f"The backup could not be restored: {error}") from error


def _copy(database: Path, copy: Path) -> dict[str, int]:
    """The database as it stands now, in one file, and how many rows each of its tables has."""
    if not database.exists():
        raise BackupError(f"There is no database yet: {database} does not exist.")
    with closing(_reading(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        # One file: what was ahead of the database in its log is in it now.
        target.execute("PRAGMA journal_mode=DELETE")
    return _rows(copy)


def _rows(database: Path) -> dict[str, int]:
    """How many rows each table of a database has, once SQLite finds nothing wrong with it. Raises BackupError."""
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


def _unpack(packed: zipfile.ZipFile, name: str, file: Path) -> None:
    if name not in (KEY, DATABASE):
        raise ValueError(f"unknown file {name!r}")
    with packed.open(name) as source, file.open("xb") as target:
        while piece := source.read(1 << 20):
            target.write(piece)


def _manifest(text: bytes) -> Manifest:
    said: dict[str, Any] = json.loads(text)
    if said["format"] != FORMAT:
        raise BackupError(
            f"This backup is of format {said['format']}, but this program reads only {FORMAT}: update the program."
        )
    return Manifest(**{name: said[name] for name in Manifest.__slots__} | {"migrations": tuple(said["migrations"])})


def _refuse_newer(said: Manifest, known: set[str]) -> None:
    unknown = sorted(set(said.migrations) - known)
    if unknown:
        raise BackupError(f"This backup was made by a newer version of the program ({unknown[-1]}): update it first.")


def _checksum(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, sha256).hexdigest()


def _appear(draft: Path, target: Path) -> None:
    """Give a finished file its name, so that it survives a power cut under it or not at all."""
    sync(draft)
    draft.rename(target)
    sync(target.parent)
