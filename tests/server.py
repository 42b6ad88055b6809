"""The program as a process of its own, on a data folder of its own, that can be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from django.conf import settings

from scorekeeper.ops import network
from tests.serving import children, prepare

SECONDS_TO_START = 60
SECONDS_TO_STOP = 30


class Server:
    """Served as ./run serves it: hashed static files, a database in the folder. `port` stays the same."""

    def __init__(self, data: Path, workers: int = 1) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://localhost:{self.port}"
        self.arguments = ["-m", "scorekeeper.ops.server", network.every_interface(), str(self.port), str(workers)]
        own = {"SCOREKEEPER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "scorekeeper.settings"}
        self._environ = {**os.environ, **own, "SCOREKEEPER_HOSTS": "localhost"}
        prepare(data)
        if "DATABASE_URL" in self._environ:
            self._python("manage.py", "migrate", "--no-input", "--verbosity=0").communicate()

    def start(self) -> None:
        self._process = self._python(*self.arguments)
        waiting, deadline = Event(), time.monotonic() + SECONDS_TO_START
        while network.status(self.port, "/healthz", "localhost") != 200:
            assert self._process.poll() is None, "the server has ended by itself"
            assert time.monotonic() < deadline, "the server does not answer"
            waiting.wait(0.05)

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

    def _python(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, *arguments],
            cwd=settings.BASE_DIR,
            env=self._environ,
            stdin=subprocess.PIPE,  # the server lives as long as this
            process_group=0,
        )


@contextmanager
def serving(data: Path, workers: int = 1) -> Iterator[Server]:
    """A server that is ended when it is no longer needed."""
    server = Server(data, workers)
    try:
        server.start()
        yield server
    finally:
        server.kill()
