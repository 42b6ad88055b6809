"""`manage.py serve` as a process of its own, as ./run starts it, and a data folder that is made once for a test run."""

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copy2, copytree

from django.conf import settings

PROJECT = Path(settings.BASE_DIR)
MANAGE = (sys.executable, "manage.py")


@contextmanager
def served(
    data: Path, port: int, *options: str, program: Sequence[str] = MANAGE, cwd: Path = PROJECT, **environ: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`manage.py serve`, with its output until it was up, or ended. It keeps its hands in SQLite unless told."""
    process = subprocess.Popen(  # noqa: S603
        [*program, "serve", "--workers", "2", "--port", str(port), *options],
        cwd=cwd,
        env=environment(data, **environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        umask=0o022,
    )
    assert process.stdout
    try:
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl-C stops it." in line:
                break
        yield process, said
    finally:
        process.terminate()
        if not process.stdout.closed:
            process.communicate(timeout=30)


def managed(command: str, *arguments: str, data: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """`manage.py COMMAND`, ended, and its output, under a machine's usual umask."""
    return subprocess.run(  # noqa: S603
        [*MANAGE, command, *arguments],
        cwd=PROJECT,
        env=environment(data, **environ),
        capture_output=True,
        text=True,
        check=False,
        umask=0o022,
    )


def run(*command: str | Path, cwd: Path = PROJECT, **environ: str) -> str:
    """Run a command that must succeed; return its standard output."""
    done = subprocess.run(  # noqa: S603
        command, cwd=cwd, env=environment(Path(), **environ), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(data: Path, **environ: str) -> dict[str, str]:
    """The environment of this process, without the variables that name a database."""
    inherited = {name: text for name, text in os.environ.items() if name not in ("SECRET_KEY", "DATABASE_URL")}
    return inherited | {"SCOREKEEPER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "scorekeeper.settings"} | environ


def free_port() -> int:
    with socket.create_server(("", 0)) as listener:
        free: int = listener.getsockname()[1]
    return free


def children(process: int) -> list[int]:
    table = subprocess.run(["/bin/ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in table.splitlines()]
    return [pid for pid, above in pairs if above == process]


# --- A data folder with a migrated SQLite database, a key and static files ---

#: The folder of the run, which the settings of its first process have named.
SHARED = Path(os.environ["SCOREKEEPER_TESTS_SHARED"])
DATABASE = "scorekeeper.sqlite3"


def migrated() -> Path:
    """Return the folder with its database alone. It is only read: the first process that asks makes it."""
    return _made("migrated", ["migrate", "--no-input", "-v0"])


def prepared() -> Path:
    """Return the folder with the static files too. Most tests need none, and do not wait for them."""
    migrated()
    return _made("prepared", ["shell", "-v0", "-c", COLLECT], of="migrated")


def prepare(data: Path) -> None:
    """Copy the folder's contents, so that a server begins there as on its second day; what is there stays."""

    def copy(source: str, target: str) -> None:
        if not Path(target).exists():
            copy2(source, target)

    copytree(prepared(), data, dirs_exist_ok=True, copy_function=copy)


def _made(name: str, command: list[str], of: str = "") -> Path:
    """Return a folder that a command fills, begun as a copy of another; meanwhile other processes wait."""
    with (SHARED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder, unfinished = SHARED / name, SHARED / f"{name}.unfinished"
        if not folder.exists():
            copytree(SHARED / of, unfinished) if of else unfinished.mkdir()
            subprocess.run([*MANAGE, *command], cwd=PROJECT, env=environment(unfinished), check=True)  # noqa: S603
            unfinished.rename(folder)
        return folder


#: With the stamp by which a server knows that they are current.
COLLECT = "from sessions_app.management.commands.serve import collect_static_files; collect_static_files()"
