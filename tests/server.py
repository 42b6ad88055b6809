"""The program as a process of its own, on a data folder of its own, that can be killed and started again.

`tests.serving.served` is for tests of the command `serve`, which starts such a process: a second Python.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any, Self
from uuid import UUID

import psycopg

from scorekeeper.ops import network
from scorekeeper.ops.backups import DATABASE
from tests.serving import PROJECT, children, environment, free_port, managed, prepare

SECONDS_TO_START = 60
SECONDS_TO_STOP = 30
#: The threads of a worker that is not serving yet; then those that take requests come to them.
STARTING = 2


class Server:
    """Served as ./run serves it: hashed static files, a SQLite database in the folder, or the one of a `url`.

    `port` stays the same, however often it is killed and started again.
    """

    def __init__(self, data: Path, workers: int = 2, url: str = "", port: int | None = None) -> None:
        self.port, self._data, self._workers, self._url = port or free_port(), data, workers, url
        self._environ = {"SCOREKEEPER_HOSTS": "localhost,127.0.0.1"} | ({"DATABASE_URL": url} if url else {})

    def start(self) -> None:
        """Start it and wait until all its workers serve."""
        prepare(self._data)
        if self._url:
            assert self.managed("migrate", "--no-input", "-v0").returncode == 0
        at = network.every_interface(), str(self.port), str(self._workers)
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-m", "scorekeeper.ops.server", *at],
            cwd=PROJECT,
            env=environment(self._data, **self._environ),
            stdin=subprocess.PIPE,  # the server lives as long as this
            process_group=0,
        )
        try:
            wait_until(lambda: network.status(self.port, "/healthz", "localhost") == 200, self._process)
            wait_until_all_serve(self._process.pid, self._workers)
        except BaseException:
            self.kill()
            raise

    @contextmanager
    def up(self) -> Iterator[Self]:
        """Have it started meanwhile; it is killed in the end."""
        self.start()
        try:
            yield self
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill it without warning, as in a power cut."""
        with suppress(ProcessLookupError):  # stopped before
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def stop(self) -> None:
        """Ask it to end in order, and do not wait for it."""
        self._process.terminate()

    def wait(self) -> int:
        """Its exit status."""
        return self._process.wait(SECONDS_TO_STOP)

    def workers(self) -> list[int]:
        return children(self._process.pid)

    def memory(self) -> list[int]:
        """Memory of each of its workers, in kilobytes."""
        status = [Path(f"/proc/{worker}/status").read_text() for worker in self.workers()]
        return [int(line.split()[1]) for text in status for line in text.splitlines() if line.startswith("VmRSS")]

    def managed(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return managed(command, *arguments, data=self._data, **self._environ)

    def tokens(self, evening: str) -> list[UUID]:
        """The tokens of an evening's hands in the database itself, by their numbers, which have no gap."""
        number = int(evening.strip("/").rpartition("/")[2])
        rows = self._rows(
            f"SELECT number, token FROM sessions_app_hand WHERE evening_id = {number} ORDER BY number"  # noqa: S608
        )
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
        return [UUID(str(row[1])) for row in rows]

    def payments(self, circle: int) -> list[UUID]:
        """The tokens of a circle's payments in the database itself."""
        rows = self._rows(f"SELECT token FROM sessions_app_repayment WHERE circle_id = {circle}")  # noqa: S608
        return [UUID(str(row[0])) for row in rows]

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        if self._url:
            with psycopg.connect(self._url) as postgres:
                return postgres.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(f"file:{self._data / DATABASE}?mode=ro", uri=True)) as one:
            return one.execute(query).fetchall()


def wait_until_all_serve(main: int, workers: int) -> None:
    """Wait for the workers of a server's main process: one that is still starting hears no word to stop."""
    command = ["/bin/ps", "-o", "nlwp=", "-p"]

    def serve() -> bool:
        found = children(main)
        return len(found) == workers and all(
            int(subprocess.run([*command, str(worker)], capture_output=True, text=True, check=True).stdout) > STARTING  # noqa: S603
            for worker in found
        )

    wait_until(serve)


def wait_until(happens: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> None:
    waiting, deadline = Event(), time.monotonic() + SECONDS_TO_START
    while not happens():
        assert process is None or process.poll() is None, "it has ended by itself"
        assert time.monotonic() < deadline, "it does not come up"
        waiting.wait(0.05)
