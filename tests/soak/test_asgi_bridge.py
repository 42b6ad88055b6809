"""Many strangers at once at the server's door, and a table that plays on beside them. A minute in all.

./run test -s tests/soak/test_asgi_bridge.py
"""

import asyncio
import multiprocessing
import resource
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from statistics import median
from urllib.parse import urlencode

import pytest

from tests.server import Server
from tests.strangers import FORM, Player, post
from tests.views.page import Page, hand_form, session_form

HUGE, AT_ONCE = 100_000_000, 8
#: The allowed growth of a worker: its pages, and nowhere near a body; and by many bodies that were nearly too large.
GROWTH_MB, GROWTH_BY_MANY_MB = 40, 120
#: Seconds, with the strangers in a process of their own on the same machine.
UNDISTURBED = 3
PLAIN = {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}


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


class Table:
    """An evening whose phone writes hand after hand, while another follows."""

    def __init__(self, port: int) -> None:
        self.writer, self.follower = Player(port), Player(port)
        self.acknowledged = 0

    async def begin(self) -> None:
        form = session_form(Page((await self.writer.ask("/sessions/new/")).body.decode()))
        names = {f"player_{number}": name for number, name in enumerate(("Anna", "Béla", "Cili"), 1)}
        begun = await self.writer.ask("/sessions/new/", urlencode(form | names | {"first_dealer": "1"}).encode())
        self.address = str(begun.header("Location")).partition("?")[0]
        self.follower.cookies = dict(self.writer.cookies)

    async def play_until(self, ended: "asyncio.Future[object]") -> None:
        following = asyncio.create_task(self.follower.ask_until(ended, f"{self.address}live/?v=0", every=0.2))
        while not ended.done():
            page = Page((await self.writer.ask(f"{self.address}hands/new/")).body.decode())
            saved = await self.writer.ask(f"{self.address}hands/new/", urlencode(hand_form(page) | PLAIN).encode())
            self.acknowledged += saved.status == 302
            await asyncio.sleep(0.2)
        await following

    async def is_undisturbed(self) -> str:
        """Checks that all was answered in time, and kept; says how long it took."""
        page = Page((await self.writer.ask(self.address)).body.decode())
        assert max(page.numbers) == self.acknowledged > 5, "the sheet shows the last of them"
        assert set(self.writer.statuses) == {200, 302}
        assert set(self.follower.statuses) <= {200, 204}
        times = self.writer.seconds + self.follower.seconds
        assert max(times) < UNDISTURBED
        return f"{len(times)} requests, median {median(times) * 1000:.0f} ms, slowest {max(times) * 1000:.0f} ms"


async def beside[Seen](server: Server, strangers: Callable[[int], list[Seen]]) -> tuple[list[Seen], float]:
    """The strangers' answers while a circle played on undisturbed, and the growth of a worker in MB at most."""
    table = Table(server.port)
    await table.begin()
    await table.play_until(asyncio.ensure_future(asyncio.sleep(5)))
    print(f"\nalone: {await table.is_undisturbed()}")  # noqa: T201
    table.writer.seconds, table.follower.seconds = [], []
    before = {worker: megabytes(worker) for worker in server.workers()}
    grown = 0.0

    async def weigh_until(ended: "asyncio.Future[object]") -> None:
        nonlocal grown
        while not ended.done():
            grown = max(grown, *(megabytes(worker) - size for worker, size in before.items()))
            await asyncio.sleep(0.5)

    begin = time.monotonic()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as elsewhere:
        crowding = asyncio.get_running_loop().run_in_executor(elsewhere, strangers, server.port)
        await asyncio.gather(table.play_until(crowding), weigh_until(crowding))
    took = time.monotonic() - begin
    print(f"beside them: {await table.is_undisturbed()}; {took:.0f} s, grown by {grown:.0f} MB")  # noqa: T201
    return await crowding, grown


def megabytes(process: int) -> float:
    command = ["/bin/ps", "-o", "rss=", "-p", str(process)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 1024  # noqa: S603


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("soak")).up() as served:
        yield served


def test_server_beside_bodies_of_a_hundred_megabytes_reads_none_to_its_end(server: Server) -> None:
    sent, grown = asyncio.run(beside(server, huge))
    print(f"{len(sent)} bodies, {max(sent) / 1e6:.1f} MB sent of one at most")  # noqa: T201
    assert max(sent) < HUGE, "none was read to its end"
    assert grown < GROWTH_MB


def test_beside_many_bodies_that_are_nearly_too_large_and_never_end(server: Server) -> None:
    statuses, grown = asyncio.run(beside(server, nearly_too_large))
    print(Counter(statuses))  # noqa: T201
    assert set(statuses) <= {408, 503, 0}
    assert grown < GROWTH_BY_MANY_MB
