"""Other servers to measure scorekeeper.ops.server against: `python -m tests.bench.fronts KIND PORT WORKERS`.

a2wsgi and waitress are no requirements of ours; install them to measure them.
"""

import os
import signal
import socket
import sys
from importlib.util import find_spec
from typing import Any

THREADS = 16


def plain_wsgi(port: int, workers: int) -> None:
    """granian's own threads, each of which reads the body itself: as it was."""
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    Granian(
        "scorekeeper.wsgi:application",
        interface=Interfaces.WSGI,
        address="127.0.0.1",
        port=port,
        workers=workers,
        blocking_threads=THREADS,
        log_level=LogLevels.error,
    ).serve()


def a2wsgi(port: int, workers: int) -> None:
    """The same event loop as ours, a bridge that others keep; it takes in no body by itself."""
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces, Loops
    from granian.log import LogLevels

    Granian(
        "tests.bench.fronts:bridge",
        factory=True,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        loop=Loops.asyncio,
        websockets=False,
        address="127.0.0.1",
        port=port,
        workers=workers,
        log_level=LogLevels.error,
    ).serve()


def bridge() -> Any:
    from a2wsgi import WSGIMiddleware

    from scorekeeper.wsgi import application

    inner = WSGIMiddleware(application, workers=THREADS)

    async def bridged(scope: Any, receive: Any, send: Any) -> None:
        async def hear() -> Any:  # a2wsgi wants a coroutine, and granian gives an awaitable
            return await receive()

        async def say(message: Any) -> None:
            await send(message)

        await inner(scope, hear, say)

    return bridged


def waitress(port: int, workers: int) -> None:
    """Its loop takes in bodies by design; its processes, and an end to slow bodies, would be ours to keep."""
    from waitress import serve

    from scorekeeper.wsgi import application

    listening = socket.create_server(("127.0.0.1", port), backlog=1024)
    for _ in range(workers):
        if os.fork() == 0:
            serve(
                application,
                sockets=[listening],
                threads=THREADS,
                ident=None,
                connection_limit=4000,
                asyncore_use_poll=True,
            )
    signal.pause()


KINDS = {"plain_wsgi": plain_wsgi, "a2wsgi": a2wsgi, "waitress": waitress}


def installed() -> list[str]:
    return [kind for kind in KINDS if kind == "plain_wsgi" or find_spec(kind)]


if __name__ == "__main__":
    KINDS[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
