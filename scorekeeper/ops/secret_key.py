"""The secret key of an installation: made once, stored in its data folder."""

import os
import secrets
import stat
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from scorekeeper.ops.data_dir import OTHERS, not_ours, sync

NAME: Final = "secret_key"
DRAFTS: Final = "secret_key.draft-"
#: A key of fewer characters, or fewer different ones, is the rest of a damaged one. Keys made here have 86.
SHORTEST: Final = 50
FEWEST: Final = 5
REMEDY: Final = (
    "Restore it from a backup: unzip -o BACKUP secret_key -d {folder}. Without a backup, delete the file: "
    "a new key is made, all phones are signed out, and no invite works any more."
)


def secret_key(folder: Path) -> str:
    """Return the key kept in the file secret_key of `folder`, making it when it is missing.

    The file is readable by its owner only. It appears under its name complete and on the disk, so two processes that
    start at once agree on one key, and a power cut leaves none or all of it. Raise ImproperlyConfigured, in a
    sentence, for a file that holds no key, or that is another user's.
    """
    kept = folder / NAME
    try:
        if not kept.exists():
            _make(kept)
        _refuse_foreign(kept)
        return _read(kept)
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {kept} cannot be read or made: {error.strerror}.") from error


def stored_key(folder: Path) -> str:
    """Return the key kept in `folder`; '' if there is none. Make and change nothing. Raise ImproperlyConfigured."""
    kept = folder / NAME
    try:
        return _read(kept)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {kept} cannot be read: {error.strerror}.") from error


def _make(kept: Path) -> None:
    """Write a key to a draft file, then link it to its name, unless another process was first."""
    # mkstemp makes it private, with a name that no draft of a killed start has.
    handle, name = mkstemp(prefix=DRAFTS, dir=kept.parent)
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
    for left_behind in kept.parent.glob(f"{DRAFTS}*"):
        left_behind.unlink(missing_ok=True)
    sync(kept.parent)


def _refuse_foreign(kept: Path) -> None:
    """Raise ImproperlyConfigured for a key that others may know or change. Make our own private."""
    about = kept.stat()
    # Root may provide a service's key: root can read it anyway.
    if about.st_uid not in (os.geteuid(), 0):
        raise ImproperlyConfigured(not_ours(f"The secret key {kept}", kept))
    if about.st_uid == os.geteuid() and about.st_mode & OTHERS:
        kept.chmod(stat.S_IMODE(about.st_mode) & ~OTHERS)
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
        raise ImproperlyConfigured(f"The secret key {kept} {problem}. {REMEDY.format(folder=kept.parent)}")
    return key
