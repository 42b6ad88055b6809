"""The server's own process: `python -m scorekeeper.ops.server PORT WORKERS`.

Its standard input is a pipe: it exits when the parent closes the other end.

However that one ends, kill -9 included, its end of the pipe is closed by the system, and the server ends in order.
Its workers watch the server in the same way. A pipe is on every Unix; a signal for a parent's death is on Linux only.
"""

import multiprocessing
import os
import resource
import signal
import sys
import threading
from typing import TYPE_CHECKING, Final

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from scorekeeper.ops import network
from scorekeeper.ops.processes import SECONDS_TO_STOP

if TYPE_CHECKING:
    from scorekeeper.http.asgi_bridge import AsgiBridge

#: Of each worker. None of them waits for the network, but some may wait for the database.
THREADS: Final = 16
#: Seconds until a connection that says nothing, or never comes to the end of its headers, is closed. A phone that
#: follows asks every two seconds, so it keeps its own.
SILENCE: Final = 10
#: Of all headers of a request together.
LARGEST_HEADERS: Final = 64 * 1024
#: Open ones of each worker: those that say nothing must be a great many before anybody else has to wait.
CONNECTIONS: Final = 4096
#: A worker's files beside them: the database's, its own, the system's.
OTHER_FILES: Final = 256


def main(port: int, workers: int) -> None:
    """Serve until told to stop, or left alone."""
    server = Granian(
        "scorekeeper.ops.server:application",
        factory=True,
        interface=Interfaces.ASGINL,
        address=network.every_interface(),
        port=port,
        workers=workers,
        backpressure=room_for(CONNECTIONS),
        loop=Loops.asyncio,
        # While it finds out which version is spoken, it has no patience's end.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=SILENCE * 1000, max_buffer_size=LARGEST_HEADERS),
        websockets=False,
        respawn_failed_workers=True,
        # A worker that is told to stop while it starts does not hear it, so it is not waited for for ever.
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
    )
    threading.Thread(target=end_when_left_alone, args=(sys.stdin.fileno(),), daemon=True).start()
    server.serve()


def room_for(connections: int) -> int:
    """As many, or as many as the system lets each worker hold open. It is asked to let them hold enough."""
    wanted = connections + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (allowed, most):
        wanted = min(wanted, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return max(wanted - OTHER_FILES, 1)


def end_when_left_alone(lifeline: int) -> None:
    """Wait for the end of who holds the other end; then end in order, or at least end."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(SECONDS_TO_STOP * 2)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def application() -> "AsgiBridge":
    """What a worker serves; made in the worker."""
    if server := multiprocessing.parent_process():  # there is none where Python has no global lock: workers are threads

        def end_with_server() -> None:
            server.join()
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=end_with_server, daemon=True).start()
    from scorekeeper.http import request_rejections
    from scorekeeper.http.asgi_bridge import AsgiBridge
    from scorekeeper.wsgi import application

    return AsgiBridge(application, request_rejections.answer, THREADS)


if __name__ == "__main__":
    main(port=int(sys.argv[1]), workers=int(sys.argv[2]))
