"""The data folder is for who runs the program, and for nobody else on the machine: names, hands, the key are in it."""

import os
import stat
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
STATIC: Final = "static"
#: What the program writes in the folder, by name: whatever else is there is somebody else's business.
OURS: Final = ("secret_key*", "*.sqlite3*", "server-*.pid", "*.lock", "static.sha256", STATIC)


def data_folder(named: str) -> Path:
    """The folder of this name, made where there is none. Whatever this process writes from now on is its user's alone.

    Raises ImproperlyConfigured where it cannot be made.
    """
    os.umask(OTHERS)
    folder = Path(named).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"SCOREKEEPER_DATA: {folder} cannot be used ({error.strerror}).") from error
    return folder


def tighten(folder: Path, *files: Path) -> None:
    """Take from all others what an earlier version let them read: the folder, what is ours in it, and these files."""
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
    """Let what was written to a file survive a power cut; for a folder, which names are in it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_shared(folder: Path) -> bool:
    """Whether the folder is more than our own, like /tmp or a home: to shut others out would break what is not ours."""
    if folder.stat().st_mode & stat.S_ISVTX:
        return True
    return any(found.is_dir() and found.name not in (STATIC, "lost+found") for found in folder.iterdir())


def _close(path: Path) -> None:
    try:
        about = path.stat()
        if about.st_mode & OTHERS and about.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(about.st_mode) & ~OTHERS)
    except FileNotFoundError:
        pass  # SQLite takes its log away when the last connection ends
