"""The server's own process, which outlives nobody: `python -m scorekeeper.server PORT WORKERS`, its standard input a
pipe whose other end is held by who started it.

However that one ends, kill -9 included, its end of the pipe is closed by the system, and the server ends in order.
Its workers watch the server in the same way. A pipe is on every Unix; a signal for a parent's death is on Linux only.
"""

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from scorekeeper import network
from scorekeeper.running import SECONDS_TO_STOP

#: A phone that drops off the network in the midst of a POST holds a thread until its connection is given up.
THREADS: Final = 16


def main(port: int, workers: int) -> None:
    """Serve until told to stop, or left alone."""
    logging.getLogger("_granian").addFilter(is_news)
    server = Granian(
        "scorekeeper.server:application",
        factory=True,
        interface=Interfaces.WSGI,
        address=network.every_interface(),
        port=port,
        workers=workers,
        blocking_threads=THREADS,
        respawn_failed_workers=True,
        # A worker that is told to stop while it starts does not hear it, so it is not waited for for ever.
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
    )
    threading.Thread(target=end_when_left_alone, args=(sys.stdin.fileno(),), daemon=True).start()
    server.serve()


def is_news(record: logging.LogRecord) -> bool:
    """False for the warning that there are more threads than 2 × processors + 1: here they are meant to be, most of
    them wait for a phone. No setting of granian's turns it off but fewer threads.
    """
    return not record.getMessage().startswith("Configuration allows spawning up to ")


def end_when_left_alone(lifeline: int) -> None:
    """Wait for the end of who holds the other end; then end in order, or at least end."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(SECONDS_TO_STOP * 2)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def application() -> Callable[..., Any]:
    """What a worker serves; made in the worker."""
    if server := multiprocessing.parent_process():  # there is none where Python has no global lock: workers are threads

        def end_with_server() -> None:
            server.join()
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=end_with_server, daemon=True).start()
    from scorekeeper.wsgi import application

    return application


if __name__ == "__main__":
    main(port=int(sys.argv[1]), workers=int(sys.argv[2]))
