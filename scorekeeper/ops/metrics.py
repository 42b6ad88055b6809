"""Metrics for Prometheus, added up over all workers of a server. Nothing is counted, or loaded, without a token.

Each worker keeps its numbers in files of a folder that all of them read. A label is a word of the program: the name of
an address, a game's key, a limit. None is of anything that a visitor has sent.
"""

import logging
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from scorekeeper.db import cache
from scorekeeper.games import GAMES
from scorekeeper.http.asgi_bridge import READ_AT

#: The variable by which prometheus-client knows the folder, and that there are several processes.
FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
#: Seconds of a request, and of a wait for a turn; a longer one is counted beside them.
REQUEST_BUCKETS: Final = (0.01, 0.05, 0.25, 1, 5)
TURN_BUCKETS: Final = (0.001, 0.01, 0.1, 1, 5)
METHODS: Final = ("GET", "HEAD", "POST")
#: Statuses of errors: of the program; of the database, or too much at once.
ERRORS: Final = (500, 503)
#: The route of a request that no address of the app has answered.
UNKNOWN: Final = "unknown"
#: Gauges of workers that live.
LIVE: Final = "livesum"
#: Bytes of a worker's file of each kind. The numbers of all addresses take a third of it.
FILE_SIZE: Final = 2**20
logger = logging.getLogger(__name__)


class Metrics:
    """The metrics of a process."""

    def __init__(self) -> None:
        # Imported now: with the first import it looks for the folder.
        from prometheus_client import Counter, Gauge, Histogram

        self.requests = Counter(
            "strigula_requests",
            "Requests by the name of their address, method and status. Addresses that end in -live are polls, of which "
            "204 has no news.",
            ["route", "method", "status"],
            registry=None,
        )
        self.seconds = Histogram(
            "strigula_request_seconds",
            "Seconds in which a thread answered a request.",
            ["route"],
            registry=None,
            buckets=REQUEST_BUCKETS,
        )
        self.turns = Histogram(
            "strigula_turn_seconds",
            "Seconds of waiting for a turn: for a thread, for SQLite's writers, long pages, pictures and demos.",
            ["queue"],
            registry=None,
            buckets=TURN_BUCKETS,
        )
        self.errors = Counter("strigula_errors", "Requests that ended in an error.", ["status"], registry=None)
        self.hands = Counter("strigula_hands", "Hands recorded by players.", ["game"], registry=None)
        self.refusals = Counter("strigula_refusals", "Requests over a rate limit.", ["limit"], registry=None)
        self.cache = Gauge("strigula_cache_bytes", "Bytes of all caches.", registry=None, multiprocess_mode=LIVE)
        self.cached = 0
        # Prometheus sees no rise from nothing to one: these are zero from the first scrape on.
        for status in ERRORS:
            self.errors.labels(status)
        for game in GAMES:
            self.hands.labels(game)


_metrics: Metrics | None = None


# --- Start ---


def prepare(folder: Path) -> None:
    """Empty the folder of a server's metrics, before its workers start; without a token, remove it. Raise OSError."""
    shutil.rmtree(folder, ignore_errors=True)
    if settings.METRICS_TOKEN:
        folder.mkdir()
        os.environ[FOLDER] = str(folder)


def start() -> None:
    """Count from now on, if there is a token: called in each worker before its first request."""
    global _metrics
    folder = Path(os.environ.get(FOLDER, ""))
    if not (settings.METRICS_TOKEN and FOLDER in os.environ):
        return
    try:
        _forget_caches_of_the_dead(folder)
        _reserve(folder)
    except OSError as error:
        logger.warning("This worker counts nothing for /metrics: %s", error)
        for file in folder.glob(f"*_{os.getpid()}.db"):
            file.unlink()  # half a file would break the page of the others
    else:
        _metrics = Metrics()


def _forget_caches_of_the_dead(folder: Path) -> None:
    """Delete the gauges of workers that were killed. What they have counted stays: a counter does not fall."""
    for file in folder.glob(f"gauge_{LIVE}_*.db"):
        if not _is_alive(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)  # another new worker does the same


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return process != os.getpid()


def _reserve(folder: Path) -> None:
    """Write this process's files in full: one that is mapped to memory and cannot grow would kill it on a full disk."""
    for kind in ("counter", "histogram", f"gauge_{LIVE}"):
        with suppress(FileExistsError), (folder / f"{kind}_{os.getpid()}.db").open("xb") as file:
            file.write(bytes(FILE_SIZE))


def page() -> bytes | None:
    """Return the numbers of all workers as Prometheus reads them; None if nothing is counted."""
    if FOLDER not in os.environ:
        return None
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, os.environ[FOLDER])  # type: ignore[no-untyped-call]
    return generate_latest(registry)


# --- Counting ---


def count_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count each request, and its wait for a thread: middleware, left out without a token."""
    if not settings.METRICS_TOKEN:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        begin = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - begin
        if READ_AT in request.META:
            count_turn("thread", begin - request.META[READ_AT])
        add_request(_route(request, response), str(request.method), response.status_code, seconds)
        return response

    return middleware


def _route(request: HttpRequest, response: HttpResponse) -> str:
    """Return the name of the request's address: one for all static files, and one for all that there are not."""
    if request.resolver_match:
        return request.resolver_match.url_name or UNKNOWN
    is_static = request.path_info.startswith(settings.STATIC_URL) and response.status_code < 400
    return "static" if is_static else UNKNOWN


def add_request(route: str, method: str, status: int, seconds: float) -> None:
    if _metrics:
        _metrics.requests.labels(route, method if method in METHODS else "other", status).inc()
        _metrics.seconds.labels(route).observe(seconds)
        if status >= min(ERRORS):
            _metrics.errors.labels(status).inc()
        if _metrics.cached != cache.STORE.weight:
            _metrics.cached = cache.STORE.weight
            _metrics.cache.set(_metrics.cached)


def count_turn(queue: str, seconds: float) -> None:
    if _metrics:
        _metrics.turns.labels(queue).observe(seconds)


def count_hand(game: str) -> None:
    if _metrics:
        _metrics.hands.labels(game).inc()


def count_refusal(limit: str) -> None:
    if _metrics:
        _metrics.refusals.labels(limit).inc()
