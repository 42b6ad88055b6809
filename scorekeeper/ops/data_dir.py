"""The data folder: its place, its secret key, and file modes that keep both from other users of the machine.

Settings only read it: `prepare` makes it before they are loaded.
"""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from scorekeeper.ops import project

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
STATIC: Final = "static"
METRICS: Final = "metrics-"
#: Glob patterns of the files that the program writes into the folder; any other file belongs to somebody else.
OURS: Final = ("secret_key*", "*.sqlite3*", "server-*.pid", "*.lock", "static.sha256", STATIC, f"{METRICS}*")


def prepare() -> None:
    """Make the data folder private, and its secret key unless SECRET_KEY gives one. Raise ImproperlyConfigured."""
    folder = data_folder()
    make(folder)
    if not os.environ.get("SECRET_KEY"):
        secret_key(folder)


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


# --- The secret key: made once, stored in the folder ---


KEY: Final = "secret_key"
KEY_DRAFTS: Final = "secret_key.draft-"
#: A key of fewer characters, or fewer different ones, is the rest of a damaged one. Keys made here have 86.
SHORTEST: Final = 50
FEWEST: Final = 5
KEY_REMEDY: Final = (
    "Restore it from a backup: unzip -o BACKUP secret_key -d {folder}. Without a backup, delete the file: "
    "a new key is made, all phones are signed out, and no invite works any more."
)


def secret_key(folder: Path) -> str:
    """Return the key kept in the file secret_key of `folder`, making it when it is missing.

    The file is readable by its owner only. It appears under its name complete and on the disk, so two processes that
    start at once agree on one key, and a power cut leaves none or all of it. Raise ImproperlyConfigured, in a
    sentence, for a file that holds no key, or that is another user's.
    """
    kept = folder / KEY
    try:
        if not kept.exists():
            _make(kept)
        _refuse_foreign(kept)
        return _read(kept)
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {kept} cannot be read or made: {error.strerror}.") from error


def stored_key(folder: Path) -> str:
    """Return the key kept in `folder`; '' if there is none. Make and change nothing. Raise ImproperlyConfigured."""
    kept = folder / KEY
    try:
        return _read(kept)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {kept} cannot be read: {error.strerror}.") from error


def _make(kept: Path) -> None:
    """Write a key to a draft file, then link it to its name, unless another process was first."""
    # mkstemp makes it private, with a name that no draft of a killed start has.
    handle, name = mkstemp(prefix=KEY_DRAFTS, dir=kept.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(handle)
        os.link(draft, kept)
    except (FileExistsError, FileNotFoundError):
        return  # the other process's key counts; it may have deleted our draft, too
    finally:
        draft.unlink(missing_ok=True)
    for left_behind in kept.parent.glob(f"{KEY_DRAFTS}*"):
        left_behind.unlink(missing_ok=True)
    sync(kept.parent)


def _refuse_foreign(kept: Path) -> None:
    """Raise ImproperlyConfigured for a key that others may know or change. Make our own private."""
    about = kept.stat()
    # Root may provide a service's key: root can read it anyway.
    if about.st_uid not in (os.geteuid(), 0):
        raise ImproperlyConfigured(not_ours(f"The secret key {kept}", kept))
    if about.st_uid == os.geteuid():
        _close(kept)
    elif about.st_mode & stat.S_IRWXO:
        raise ImproperlyConfigured(f"The secret key {kept} can be read by every user of this machine: chmod 640 {kept}")


def _read(kept: Path) -> str:
    key = kept.read_bytes().decode("ascii", "replace")
    problem = ""
    if not key.strip("\0 \r\n\t"):
        problem = "is empty"
    elif not key.strip().isprintable() or not key.isascii():
        problem = "is damaged"
    elif len(key.strip()) < SHORTEST or len(set(key)) < FEWEST:
        problem = "is too short, part of it may be lost"
    if problem:
        raise ImproperlyConfigured(f"The secret key {kept} {problem}. {KEY_REMEDY.format(folder=kept.parent)}")
    return key
