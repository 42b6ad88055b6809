"""Clients that behave badly towards a server, many at once: bare connections."""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
#: Longer than the server's own patience by far.
PATIENCE = 40


class End(NamedTuple):
    """The end of a connection: its status (0 for none), and the seconds until then."""

    status: int
    seconds: float


class Reply(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for each, value in self.headers if each == name.lower()), None)


def post(path: str = "/demo/", *headers: bytes) -> bytes:
    """The head of a request whose body follows."""
    lines = [f"POST {path} HTTP/1.1".encode(), b"Host: localhost", FORM.strip(), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def slow_post(port: int, *, chunked: bool) -> End:
    """A body that comes a byte a second, and never to its end."""
    length, byte = (b"Transfer-Encoding: chunked", b"1\r\na\r\n") if chunked else (b"Content-Length: 1000", b"a")
    return await drip(port, post("/demo/", length), [byte] * PATIENCE, every=1)


async def slow_head(port: int) -> End:
    """Headers that come a byte at a time, and never to their end."""
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Name: "
    return await drip(port, b"", [bytes([byte]) for byte in head.ljust(PATIENCE * 2, b"x")], every=0.5)


async def silent(port: int) -> End:
    return await drip(port, b"", [], every=1)


async def drip(port: int, first: bytes, rest: Sequence[bytes], every: float) -> End:
    """Say it, then the rest of it bit by bit, until the server has enough."""
    begin = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def speak() -> None:
        for bit in (first, *rest):
            writer.write(bit)
            await asyncio.sleep(every)

    speaking = asyncio.create_task(speak())
    said = b""
    try:
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                said = await reader.read()
    finally:
        speaking.cancel()
        writer.close()
    return End(int(said[9:12] or 0), time.monotonic() - begin)


async def say(port: int, *requests: bytes) -> list[Reply]:
    """The replies to requests on one connection, each sent when the one before has been answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE):
            replies = []
            for request in requests:
                writer.write(request)
                replies.append(await reply(reader, is_head=request.startswith(b"HEAD ")))
            return replies
    finally:
        writer.close()


async def reply(reader: asyncio.StreamReader, *, is_head: bool = False) -> Reply:
    """One answer, read as HTTP says: not a byte more."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()[:-1]
    pairs = [line.partition(":") for line in lines]
    headers = [(name.lower(), value.strip()) for name, _colon, value in pairs]
    status = int(first.split()[1])
    length = next((int(value) for name, value in headers if name == "content-length"), 0)
    has_body = not is_head and status not in (204, 304)
    return Reply(status, headers, await reader.readexactly(length) if has_body else b"")


def run[T](coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the coroutine's result; it runs in a thread of its own, as Playwright may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def crowd(port: int, *, slow: int, mute: int, slow_heads: int) -> list[End]:
    """The ends of many at once: those with a slow body, then those that say nothing, then those with slow headers."""
    return await asyncio.gather(
        *(slow_post(port, chunked=number % 2 == 0) for number in range(slow)),
        *(silent(port) for _ in range(mute)),
        *(slow_head(port) for _ in range(slow_heads)),
    )
