"""Many strangers at once at the server's door, and a table that plays on beside them. A minute in all.

./run test -s tests/soak/test_asgi_bridge.py
"""

import asyncio
import multiprocessing
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from functools import partial
from threading import Event

import pytest

from tests.server import Server
from tests.soak.afternoon import all_at_once, measured, over_in, recount, waits
from tests.soak.phones import Answer, Phone, Table, tables_at
from tests.strangers import FORM, post

HUGE, AT_ONCE = 100_000_000, 8
#: The allowed growth of a worker: its pages, and nowhere near a body; and by many bodies that were nearly too large.
GROWTH_MB, GROWTH_BY_MANY_MB = 40, 120
#: Seconds, with the strangers in a process of their own on the same machine.
UNDISTURBED = 3


# --- The strangers: in a process of their own, so that their cost is not taken for the server's slowness ---


def huge(port: int) -> list[int]:
    """Bodies of 100 MB, eight of each kind at once, ten times over; how much of each was sent."""
    length, bit = b"Content-Length: %d" % HUGE, b"x" * 0x10000
    multipart = post("/demo/", length).replace(FORM, b"Content-Type: multipart/form-data; boundary=x\r\n")
    chunked = post("/demo/", b"Transfer-Encoding: chunked")
    ways = [(multipart, bit), (post("/demo/", length), bit), (chunked, b"10000\r\n" + bit + b"\r\n")]

    async def flood() -> list[int]:
        sent: list[int] = []
        for _round in range(10):
            sent += await asyncio.gather(*(pour(port, *way) for way in ways for _ in range(AT_ONCE)))
            await asyncio.sleep(0.5)
        return sent

    return asyncio.run(flood())


async def pour(port: int, head: bytes, bit: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent = 0
    with suppress(ConnectionError), closing(writer):
        writer.write(head)
        while not reader.at_eof() and sent < HUGE:
            writer.write(bit)
            await writer.drain()
            sent += len(bit)
    return sent


def nearly_too_large(port: int) -> list[int]:
    """A thousand bodies that stop a byte before their end; the status of each answer, 0 for none."""
    more_files()
    said = post("/demo/", b"Content-Length: 300000") + b"x" * 299_999

    async def hold() -> int:
        answer = b""
        with suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with closing(writer):
                writer.write(said)
                answer = await asyncio.wait_for(reader.read(), 40)
        return int(answer[9:12] or 0)

    async def hold_all() -> list[int]:
        return await asyncio.gather(*(hold() for _ in range(1000)))

    return asyncio.run(hold_all())


def more_files() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 3000
    if allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))


# --- The table ------------------------------------------------------------------------------------------------------


def played(table: Table, until: Callable[[], bool]) -> str:
    """Let one phone write hand after hand, and another follow; say how long their answers took."""
    writer, follower = table.phones
    seconds: list[float] = []

    def ask(phone: Phone, answered: Callable[[], Answer]) -> None:
        phone.close()  # each time as a new visitor
        answer = answered()
        assert answer.status == 200
        seconds.append(answer.seconds)
        Event().wait(0.2)

    write = partial(ask, writer, lambda: table.record(writer))
    follow = partial(ask, follower, lambda: follower.get(f"{table.evening}live/?v=0"))
    all_at_once([write, follow], until)
    assert max(seconds) < UNDISTURBED
    return waits(seconds)


def beside[Seen](server: Server, strangers: Callable[[int], list[Seen]]) -> tuple[list[Seen], float]:
    """The strangers' answers while a circle played on undisturbed, and the growth of a worker in MB at most."""
    with tables_at(server.port, tables=1, phones=2) as (table,):
        print(f"\nalone: {played(table, over_in(5))}")  # noqa: T201
        before = server.memory()
        with (
            measured(server, every=0.5) as memory,
            ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as elsewhere,
        ):
            crowding = elsewhere.submit(strangers, server.port)
            took = played(table, crowding.done)
        grown = max((now - size) / 1024 for held in memory for now, size in zip(held, before, strict=True))
        print(f"beside them: {took}; grown by {grown:.0f} MB")  # noqa: T201
        assert recount(server, [table]) > 5
    return crowding.result(), grown


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("soak")).up() as served:
        yield served


def test_server_beside_bodies_of_a_hundred_megabytes_reads_none_to_its_end(server: Server) -> None:
    sent, grown = beside(server, huge)
    print(f"{len(sent)} bodies, {max(sent) / 1e6:.1f} MB sent of one at most")  # noqa: T201
    assert max(sent) < HUGE, "none was read to its end"
    assert grown < GROWTH_MB


def test_beside_many_bodies_that_are_nearly_too_large_and_never_end(server: Server) -> None:
    statuses, grown = beside(server, nearly_too_large)
    print(Counter(statuses))  # noqa: T201
    assert set(statuses) <= {408, 503, 0}
    assert grown < GROWTH_BY_MANY_MB
