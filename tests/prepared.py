"""A data folder with a migrated SQLite database, a key and static files, made once for all processes of a test run."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

from django.conf import settings

#: The folder of the run, which the settings of its first process have named.
SHARED = Path(os.environ["SCOREKEEPER_TESTS_SHARED"])
DATABASE = "scorekeeper.sqlite3"


def prepared() -> Path:
    """Return the folder. It is only read: the first process that asks makes it while the others wait."""
    with (SHARED / "prepared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = SHARED / "prepared"
        if not folder.exists():
            unfinished = SHARED / "unfinished"
            unfinished.mkdir()
            _make(unfinished)
            unfinished.rename(folder)
        return folder


def prepare(data: Path) -> None:
    """Copy the folder's contents, so that a server begins there as on its second day."""
    copytree(prepared(), data, dirs_exist_ok=True)


def _make(data: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    environ |= {"SCOREKEEPER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "scorekeeper.settings"}
    for command in (["migrate", "--no-input", "-v0"], ["shell", "-v0", "-c", COLLECT]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=settings.BASE_DIR, env=environ, check=True)  # noqa: S603


#: With the stamp by which a server knows that they are current.
COLLECT = "from sessions_app.management.commands.serve import collect_static_files; collect_static_files()"
