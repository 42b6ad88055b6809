"""A hostile afternoon for the circles of an evening, and the checks of their books afterwards."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Any

from tests.server import Server
from tests.soak.phones import NoAnswer, Table, tables_at


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


def killed(
    server: Server,
    rounds: int,
    phones: list[Callable[[], Any]],
    send_again: Callable[[], int],
    *,
    crash: Callable[[], None] = lambda: None,
) -> int:
    """So many times: phones write until the server is killed, and a `crash` of its database with it; started again, it
    has what it acknowledged, and the rest is sent again. Return the number that is there in the end.
    """
    for number in range(rounds):
        with server.up():
            send_again()
            until_it_dies(phones, server, writes=5 + number % 7)
            crash()
    with server.up():
        return send_again()


def killed_while_recording(server: Server, rounds: int, *, crash: Callable[[], None] = lambda: None) -> int:
    """Let two tables of four record while the server is killed; return the number of hands."""
    with ExitStack() as hanging_up:
        with server.up():
            tables = hanging_up.enter_context(tables_at(server.port, tables=2, phones=4))
        phones = [partial(table.record, phone) for table in tables for phone in table.phones]
        return killed(server, rounds, phones, partial(send_again, server, tables), crash=crash)


def send_again(server: Server, tables: list[Table]) -> int:
    """Send the hands not acknowledged again under their tokens, as an outbox does; return the number of all."""
    recount(server, tables)
    for table in tables:
        for phone in table.phones:
            assert phone.get(table.evening).status == 200
        for token in table.paper.keys() - table.acknowledged:
            assert table.send(table.phones[0], token).status == 200
    hands = sum(len(table.paper) for table in tables)
    assert recount(server, tables) == hands
    return hands


def until_it_dies(phones: list[Callable[[], Any]], server: Server, writes: int) -> None:
    """Let each write until the server is killed in the midst of it, some `writes` later."""
    written = iter(range(writes))

    def playing(write: Callable[[], Any]) -> None:
        try:
            while True:
                write()
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
