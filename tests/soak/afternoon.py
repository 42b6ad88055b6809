"""A hostile afternoon for the circles of an evening, and the checks of their books afterwards."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any

from tests.server import Server
from tests.soak.phones import NoAnswer, Table


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
def measured(server: Server, every: float) -> Iterator[list[list[int]]]:
    """Memory of each worker, in kilobytes, at the end of every so many seconds, and in the end."""
    found: list[list[int]] = []
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
