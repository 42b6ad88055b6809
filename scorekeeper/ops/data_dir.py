"""The data folder: its place, and file modes that keep names, hands and the key from other users of the machine."""

import os
import stat
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

PROJECT: Final = Path(__file__).resolve().parent.parent.parent
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
STATIC: Final = "static"
#: Glob patterns of the files that the program writes into the folder; any other file belongs to somebody else.
OURS: Final = ("secret_key*", "*.sqlite3*", "server-*.pid", "*.lock", "static.sha256", STATIC)


def data_folder() -> Path:
    """Return the data folder that SCOREKEEPER_DATA names, else `data` in the project. It may not exist yet."""
    return Path(os.environ.get("SCOREKEEPER_DATA") or PROJECT / "data").resolve()


def make(folder: Path) -> None:
    """Make the data folder if it is missing, and make every file of this process private by the umask.

    Raise ImproperlyConfigured if it cannot be made.
    """
    os.umask(OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"SCOREKEEPER_DATA: {folder} cannot be used ({error.strerror}).") from error


def tighten(folder: Path, *files: Path) -> None:
    """Remove other users' permissions that an earlier version left: on the folder, our files in it, and `files`."""
    if not _is_shared(folder):
        _close(folder)
    for pattern in OURS:
        for found in folder.glob(pattern):
            _close(found)
    for file in files:
        _close(file)
    for collected in (folder / STATIC).rglob("*"):
        _close(collected)


def sync(path: Path) -> None:
    """Flush a file to the disk, so that it survives a power cut; for a folder, its entries."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_shared(folder: Path) -> bool:
    """Return whether others use the folder, too, like /tmp or a home: closing it would break their files."""
    if folder.stat().st_mode & stat.S_ISVTX:
        return True
    return any(found.is_dir() and found.name not in (STATIC, "lost+found") for found in folder.iterdir())


def _close(path: Path) -> None:
    try:
        about = path.stat()
        if about.st_mode & OTHERS and about.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(about.st_mode) & ~OTHERS)
    except FileNotFoundError:
        pass  # SQLite deletes its WAL with the last connection
