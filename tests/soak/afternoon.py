"""A hostile afternoon for the circles of an evening, and the checks of their books afterwards."""

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Self
from uuid import UUID

import psycopg

from scorekeeper.ops.backups import DATABASE
from tests.serving import children, free_port, kill, managed, served
from tests.soak.phones import NoAnswer, Table


class Server:
    """The program on a data folder, on a port that stays the same however often it is killed and started again."""

    def __init__(self, data: Path, url: str = "", port: int | None = None) -> None:
        self.port, self._data, self._url = port or free_port(), data, url
        self._environ = {"DATABASE_URL": url} if url else {}
        self.said: list[str] = []

    def managed(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return managed(command, *arguments, data=self._data, **self._environ)

    @contextmanager
    def up(self) -> Iterator[Self]:
        with served(self._data, self.port, **self._environ) as (process, said):
            assert "Ctrl-C stops it." in said, said
            self._process = process
            reader = Thread(target=self._listen)
            reader.start()
            try:
                yield self
            finally:
                process.terminate()
                reader.join()
                process.wait()

    def kill(self) -> None:
        kill(self._process)

    @property
    def workers(self) -> list[int]:
        [main] = children(self._process.pid)
        return children(main)

    def memory(self) -> int:
        """Memory of its workers, in kilobytes."""
        status = [Path(f"/proc/{worker}/status").read_text() for worker in self.workers]
        return sum(int(line.split()[1]) for text in status for line in text.splitlines() if line.startswith("VmRSS"))

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

    def _listen(self) -> None:
        assert self._process.stdout
        with self._process.stdout as lines:
            self.said.extend(lines)


def recount(server: Server, tables: list[Table], *, all_acknowledged: bool = True) -> int:
    """Compare the program's records with the paper: every hand that was acknowledged, once; none that nobody sent; and
    the balances that its page shows are those of the paper. It finds no fault itself. Return the number of hands.

    Not `all_acknowledged` are there in an earlier record.
    """
    hands = 0
    for table in tables:
        kept = server.tokens(table.evening)
        assert len(kept) == len(set(kept))
        assert set(kept) <= table.paper.keys()
        assert table.acknowledged <= set(kept) or not all_acknowledged
        assert table.phones[0].get(table.evening).page.balances == table.balances(set(kept))
        hands += len(kept)
    verified = server.managed("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return hands


def all_at_once(things: list[Callable[[], None]], until: Callable[[], bool]) -> None:
    """Let each do its thing again and again until it is over. An error of one of them is raised."""

    def playing(thing: Callable[[], None]) -> None:
        while not until():
            thing()

    with ThreadPoolExecutor(len(things)) as pool:
        for ended in [pool.submit(playing, thing) for thing in things]:
            ended.result()


def over_in(seconds: float) -> Callable[[], bool]:
    end = monotonic() + seconds
    return lambda: monotonic() > end


def until_it_dies(phones: list[Callable[[], Any]], server: Server, hands: int) -> None:
    """Let each record until the server is killed in the midst of it, some `hands` later."""
    written = iter(range(hands))

    def playing(record: Callable[[], Any]) -> None:
        try:
            while True:
                record()
                if next(written, None) is None:
                    server.kill()
                    return
        except NoAnswer:
            return

    with ThreadPoolExecutor(len(phones)) as pool:
        list(pool.map(playing, phones))


def waits(seconds: list[float]) -> str:
    """The number, and the median, the slowest hundredth and the longest, in milliseconds."""
    times = [round(1000 * each) for each in sorted(seconds)]
    return f"{len(times)} times, {times[len(times) // 2]} / {times[len(times) * 99 // 100]} / {times[-1]} ms"


@contextmanager
def measured(server: Server, every: float) -> Iterator[list[int]]:
    """Memory of the workers, in kilobytes, at the end of every so many seconds, and in the end."""
    found: list[int] = []
    done = Event()

    def look() -> None:
        while not done.wait(every):
            found.append(server.memory())

    looking = Thread(target=look)
    looking.start()
    try:
        yield found
    finally:
        done.set()
        looking.join()
    found.append(server.memory())
