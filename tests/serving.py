"""`manage.py serve` as a process of its own, as ./run starts it, on a data folder of its own."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

PROJECT = Path(settings.BASE_DIR)


@contextmanager
def served(data: Path, port: int, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`manage.py serve`, with its output until it was up, or ended. It keeps its hands in SQLite unless told."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "manage.py", "serve", "--workers", "2", "--port", str(port)],
        cwd=PROJECT,
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
    """`manage.py COMMAND`, ended, and its output."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", command, *arguments],
        cwd=PROJECT,
        env=environment(data, **environ),
        capture_output=True,
        text=True,
        check=False,
    )


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


def kill(process: subprocess.Popen[str]) -> None:
    """Kill the server and its workers, then their parent, without warning, as in a power cut."""
    for main in children(process.pid):
        os.killpg(main, signal.SIGKILL)
    process.kill()
    process.wait()
