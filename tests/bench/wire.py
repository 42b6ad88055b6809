"""A wire between a browser and the server that weighs every answer which comes back on it, its head and its body.

A browser's own figures leave out the requests of its service worker.
"""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Event, Thread
from typing import NamedTuple


class Answer(NamedTuple):
    """`is_for_later` is what nobody looks at yet: a page that a script asks for, and not htmx for a part of its own;
    data that a phone keeps for good; or a file that is prefetched.
    """

    path: str
    head: int
    body: int
    is_for_later: bool

    @property
    def bytes(self) -> int:
        return self.head + self.body


class Wire:
    """`answers` are all that came back so far; taking some out of it begins anew."""

    def __init__(self, server: int) -> None:
        self.answers: list[Answer] = []
        self.port = 0
        self._server = server

    async def carry(self, opened: Event, over: asyncio.Event) -> None:
        listening = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        opened.set()
        await over.wait()
        listening.close()  # and connections still open are dropped with the loop

    async def _carry(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        with suppress(OSError, EOFError, asyncio.CancelledError), closing(to_browser), closing(to_server):
            while True:
                asked = await message(browser)
                to_server.write(b"".join(asked))
                head, body = await message(server)
                first, fields = parsed(head)
                (line, said), status = parsed(asked[0]), int(first.split()[1])
                is_page = fields.get("content-type", "").startswith("text/html")
                is_kept = "immutable" in fields.get("cache-control", "")
                by_script = (
                    said.get("sec-fetch-dest") == "empty" and line.startswith("GET") and "hx-request" not in said
                )
                is_prefetched = said.get("sec-purpose") == "prefetch"
                for_later = is_prefetched or (by_script and status == 200 and (is_page or is_kept))
                self.answers.append(Answer(line.split()[1], len(head), len(body), for_later))
                to_browser.write(head + body)
                await to_browser.drain()


async def message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """A request or an answer, its head and its body; a body whose length is not said is none."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(parsed(head)[1].get("content-length", 0))
    return head, await reader.readexactly(length)


def parsed(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").splitlines()[:-1]
    return first, {name.lower(): text.strip() for name, _colon, text in (line.partition(":") for line in lines)}


@contextmanager
def wired(server: int) -> Iterator[Wire]:
    """A wire to the server's port, in a thread of its own: Playwright has this one's loop."""
    wire, opened, over, loop = Wire(server), Event(), asyncio.Event(), asyncio.new_event_loop()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(wire.carry(opened, over))

    thread = Thread(target=run)
    thread.start()
    opened.wait()
    try:
        yield wire
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
