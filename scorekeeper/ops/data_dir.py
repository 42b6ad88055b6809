"""The data folder: its place, and file modes that keep names, hands and the key from other users of the machine."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from scorekeeper.ops import project

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
STATIC: Final = "static"
METRICS: Final = "metrics-"
#: Glob patterns of the files that the program writes into the folder; any other file belongs to somebody else.
OURS: Final = ("secret_key*", "*.sqlite3*", "server-*.pid", "*.lock", "static.sha256", STATIC, f"{METRICS}*")


def data_folder() -> Path:
    """Return the data folder that SCOREKEEPER_DATA names, else `data` in a checkout, or the user's folder for data.

    It may not exist yet. Raise ImproperlyConfigured for a user without a home.
    """
    if named := os.environ.get("SCOREKEEPER_DATA"):
        return Path(named).resolve()
    if not project.IS_INSTALLED:
        return project.BASE_DIR / "data"
    try:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    except RuntimeError as error:
        raise ImproperlyConfigured("SCOREKEEPER_DATA: name the data folder, for this user has no home.") from error
    return folder.resolve() / "strigula"


def make(folder: Path) -> None:
    """Make the data folder if it is missing, and make every file of this process private by the umask.

    Raise ImproperlyConfigured if it cannot be made, or is another user's.
    """
    os.umask(OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"SCOREKEEPER_DATA: {folder} cannot be used ({error.strerror}).") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise ImproperlyConfigured(not_ours(f"The data folder {folder}", folder))


def refuse_foreign(folder: Path, *files: Path) -> None:
    """Raise ImproperlyConfigured for one of our files, or of `files`, that this process cannot write.

    The secret key is only read: root may provide it.
    """
    for path in (*_ours(folder), *files):
        if not (path.match("secret_key*") or os.access(path, os.R_OK | os.W_OK)) and path.exists():
            raise ImproperlyConfigured(not_ours(f"The file {path}", path))


def not_ours(what: str, path: Path) -> str:
    """Return a sentence that says whose the file or folder is, and what to do."""
    owner, user = path.stat().st_uid, os.geteuid()
    if owner == user:
        return f"{what} cannot be read and written: chmod u+rwX {path}"
    folder = path if path.is_dir() else path.parent
    return (
        f"{what} belongs to another user ({owner}), and this program runs as {user}. "
        f"Run it as that user, or take over the folder: chown -R {user} {folder}"
    )


def problem(error: OSError, folder: Path) -> str:
    """Return a sentence that says why a file of the folder cannot be used."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return full(folder)
    return f"{error.filename or folder} cannot be used ({error.strerror})."


def is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < 1_000_000


def full(folder: Path) -> str:
    free = shutil.disk_usage(folder).free // 1_000_000
    return f"The disk of {folder} is full ({free} MB are free). Make room there, and start again."


def tighten(folder: Path, *files: Path) -> None:
    """Remove other users' permissions that an earlier version left: on the folder, our files in it, and `files`."""
    if not _is_shared(folder):
        _close(folder)
    for file in (*_ours(folder), *files):
        _close(file)


def sync(path: Path) -> None:
    """Flush a file to the disk, so that it survives a power cut; for a folder, its entries."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _ours(folder: Path) -> Iterator[Path]:
    """Yield our files in the folder."""
    for pattern in OURS:
        yield from folder.glob(pattern)
    yield from (folder / STATIC).rglob("*")


def _is_shared(folder: Path) -> bool:
    """Return whether others use the folder, too, like /tmp or a home: closing it would break their files."""
    if folder.stat().st_mode & stat.S_ISVTX:
        return True
    folders = (found.name for found in folder.iterdir() if found.is_dir())
    return any(name not in (STATIC, "lost+found") and not name.startswith(METRICS) for name in folders)


def _close(path: Path) -> None:
    try:
        about = path.stat()
        if about.st_mode & OTHERS and about.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(about.st_mode) & ~OTHERS)
    except FileNotFoundError:
        pass  # SQLite deletes its WAL with the last connection
