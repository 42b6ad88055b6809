"""The server's own process: `python -m scorekeeper.ops.server AT PORT WORKERS`; AT is an address, or a socket's path.

Its standard input is a pipe: it exits when the parent closes the other end.

The system closes that end even when the parent is killed, and the server then ends in order. Its workers watch the
server in the same way. A pipe works on every Unix; a signal for a parent's death is Linux only.
"""

import importlib
import multiprocessing
import os
import resource
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Final

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import WorkerProcess

from scorekeeper.ops.processes import SECONDS_TO_STOP

if TYPE_CHECKING:
    from scorekeeper.http.asgi_bridge import AsgiBridge

#: Threads of each worker. They never wait for the network, but may wait for the database.
THREADS: Final = 16
#: Seconds until an idle connection, or one with unfinished headers, is closed. A phone that follows an evening asks
#: every two seconds, so it keeps its connection.
HEADER_TIMEOUT: Final = 10
#: Bytes of all headers of a request.
MAX_HEADERS: Final = 64 * 1024
#: Open connections of each worker: it takes this many idle ones before another client has to wait.
CONNECTIONS: Final = 4096
#: A worker's other open files: the database's, its own, the system's.
OTHER_FILES: Final = 256
#: Permissions of a socket. As with a port, each user of the machine may connect; its folder can say who may not.
SOCKET_MODE: Final = 0o666


def main(at: str, port: int, workers: int) -> None:
    """Serve until told to stop, or until the parent closes the pipe."""
    is_socket = at.startswith("/")
    WorkerProcess.is_alive = is_running  # type: ignore[method-assign, assignment]
    server = Granian(
        "scorekeeper.ops.server:application",
        factory=True,
        interface=Interfaces.ASGINL,
        address="" if is_socket else at,
        port=port,
        uds=Path(at) if is_socket else None,
        uds_permissions=SOCKET_MODE if is_socket else None,
        workers=workers,
        backpressure=connection_limit(CONNECTIONS),
        loop=Loops.asyncio,
        # Automatic detection of the HTTP version has no timeout.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT * 1000, max_buffer_size=MAX_HEADERS),
        websockets=False,
        respawn_failed_workers=True,
        # A worker that is told to stop while it starts does not notice.
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
    )
    threading.Thread(target=exit_with_parent, args=(sys.stdin.fileno(),), daemon=True).start()
    server.serve()


def is_running(worker: WorkerProcess) -> bool:
    """Return whether a worker's process has not ended.

    granian asks `Process.is_alive`, which is wrong while its other thread collects the exit status: a worker that had
    stopped in order was reported as killed.
    """
    return not wait([worker.inner.sentinel], 0)


def connection_limit(connections: int) -> int:
    """Raise the limit of open files for so many connections; return the number of connections it allows."""
    wanted = connections + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (allowed, most):
        wanted = min(wanted, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return max(wanted - OTHER_FILES, 1)


def exit_with_parent(lifeline: int) -> None:
    """Exit when the parent closes the pipe: in order if possible, else by SIGKILL."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(SECONDS_TO_STOP * 2)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def application() -> "AsgiBridge":
    """Return the ASGI application; called in each worker, which takes requests after it."""
    if server := multiprocessing.parent_process():  # None on free-threaded Python: workers are threads

        def end_with_server() -> None:
            server.join()
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=end_with_server, daemon=True).start()
    from django.conf import settings
    from django.db import DatabaseError, connection

    from scorekeeper.http import middleware, request_rejections
    from scorekeeper.http.asgi_bridge import AsgiBridge, Uploads
    from scorekeeper.ops import metrics
    from scorekeeper.wsgi import application

    metrics.start()
    importlib.import_module(settings.ROOT_URLCONF)  # all views: else the first request waits for them
    if connection.vendor == "sqlite":
        # It stays open, so that the worker knows its database and log from those that replace them before a request.
        with suppress(DatabaseError):
            connection.ensure_connection()
    uploads = Uploads(middleware.UPLOAD_PATH.encode(), settings.DATA, middleware.uploading_user)
    return AsgiBridge(application, request_rejections.answer, THREADS, uploads)


if __name__ == "__main__":
    main(at=sys.argv[1], port=int(sys.argv[2]), workers=int(sys.argv[3]))
