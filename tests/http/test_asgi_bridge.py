"""The ASGI bridge as the server's own process: requests it takes in, those it refuses unread, and their waiting."""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from functools import partial
from typing import Any

import pytest

from scorekeeper.http import middleware
from scorekeeper.http.asgi_bridge import MAX_BODY
from scorekeeper.ops import network
from tests import strangers
from tests.server import Server, wait_until
from tests.soak.phones import Answer, Phone, tables_at
from tests.strangers import Reply, crowd, post, reply, say
from tests.views.page import Page

SLOW, SILENT, SLOW_HEADS = 40, 50, 20
#: Nobody who behaves waits for those who do not. A page takes some hundredths of a second.
UNDISTURBED = 3
PAGES = "/offline/", "/healthz"
MULTIPART = b"Content-Type: multipart/form-data; boundary=x"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("front")).up() as served:
        yield served


def said(server: Server, *requests: bytes) -> list[Reply]:
    return strangers.run(say(server.port, *requests))


def get(path: str, *headers: bytes, method: str = "GET") -> bytes:
    return b"\r\n".join([f"{method} {path} HTTP/1.1".encode(), b"Host: localhost", *headers, b"", b""])


@pytest.mark.thorough
def test_slow_and_silent_connections_are_closed_and_hold_up_nobody(server: Server) -> None:
    with ThreadPoolExecutor() as pool:
        crowding = pool.submit(asyncio.run, crowd(server.port, slow=SLOW, mute=SILENT, slow_heads=SLOW_HEADS))
        visiting = [pool.submit(visits, server.port, path, crowding) for path in PAGES]
    ended = crowding.result()
    assert {end.status for end in ended[:SLOW]} == {408}
    assert {end.status for end in ended[SLOW:]} == {0}
    assert all(8 < end.seconds < 20 for end in ended)
    for answers in [visit.result() for visit in visiting]:
        assert {answer.status for answer in answers} == {200}
        assert len(answers) > 20
        assert max(answer.seconds for answer in answers) < UNDISTURBED


def visits(port: int, path: str, ended: Future[Any]) -> list[Answer]:
    """The answers to one new visitor after the other, each on a connection of its own."""
    answers = []
    while not wait([ended], timeout=0.1).done:
        with closing(Phone(port)) as phone:
            answers.append(phone.get(path))
    return answers


@pytest.mark.parametrize(
    ("status", "headers", "language", "name"),
    [
        (413, [b"Content-Length: %d" % (MAX_BODY + 1)], b"en", "en"),
        (413, [b"Content-Length: 100000000", b"Cookie: django_language=en"], b"hu", "en"),
        (415, [MULTIPART, b"Content-Length: 100"], b"hu", "hu"),
        (415, [MULTIPART.upper(), b"Transfer-Encoding: chunked"], b"de", "hu"),
        (415, [b"Content-Length: 100000000", MULTIPART], b"\xff\xfe, ;q=x", "hu"),
    ],
)
def test_unwanted_body_is_refused_before_it_is_sent(
    server: Server, status: int, headers: list[bytes], language: bytes, name: str
) -> None:
    [answer] = said(server, get("/demo/", b"Accept-Language: " + language, *headers, method="POST"))
    page = Page(answer.body.decode())
    assert answer.status == status
    assert page.language == name
    assert page.one("h1").text
    assert ("Nothing was changed." in page.text) is (name == "en")
    assert page.links["Home" if name == "en" else "Kezdőlap"] == "/"
    assert answer.header("X-Scorekeeper"), "a script is not to send it again"
    assert answer.header("Cache-Control") == "private, no-store"
    assert "default-src 'none'" in (answer.header("Content-Security-Policy") or "")
    assert answer.header("Permissions-Policy") == middleware.POLICY
    assert not answer.header("Server")


def test_endless_body_is_not_read_to_its_end(server: Server) -> None:
    async def endless() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(post("/demo/", b"Transfer-Encoding: chunked"))
        sent = 0
        with suppress(ConnectionError), closing(writer):
            while not reader.at_eof() and sent < 100_000_000:
                writer.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
                await writer.drain()
        return sent

    assert strangers.run(endless()) < 30_000_000, "only what is under way between here and there"


def test_body_of_the_largest_size_is_read(server: Server) -> None:
    body = b"key=".ljust(MAX_BODY, b"x")
    chunked = post("/demo/", b"Transfer-Encoding: chunked")
    ways = (
        post("/demo/", b"Content-Length: %d" % MAX_BODY) + body,
        chunked + b"%x\r\n%s\r\n0\r\n\r\n" % (MAX_BODY, body),
    )
    assert [answer.status for way in ways for answer in said(server, way)] == [403, 403], "the form's check has read it"
    [too_much] = said(server, chunked + b"%x\r\n" % (MAX_BODY + 1) + body + b"xx")
    assert too_much.status == 413


def test_answers_are_well_formed_on_a_connection_that_goes_on(server: Server) -> None:
    seen = get("/demo/"), get("/demo/", method="HEAD"), get("/healthz", b"X-Junk: \xe9\xff"), get("/nowhere/%ff/%C3%A9")
    page, head, healthy, nowhere = said(server, *seen)
    assert (page.status, head.status, healthy.status, nowhere.status) == (200, 200, 200, 404)
    assert page.header("Content-Length") == str(len(page.body))
    assert head.header("Content-Length") == page.header("Content-Length")
    assert head.body == b""
    [too_much] = said(server, get("/", *[b"X-%d: " % number + b"x" * 8000 for number in range(20)]))
    assert too_much.status == 431
    for answer in (page, head, healthy, nowhere):
        assert not answer.header("Server"), "it does not tell what it is"
        assert answer.header("X-Scorekeeper")
        assert answer.header("Date")


def test_an_answer_with_two_cookies_and_one_without_a_body(server: Server) -> None:
    with tables_at(server.port, tables=1, phones=1) as (table,):
        [phone] = table.phones
        assert {"sessionid", "csrftoken"} <= phone._cookies.keys()
        [live] = [
            node for node in phone.get(table.evening).page.all() if node.attrs.get("data-live", "").endswith("/live/")
        ]
        for _twice in range(2):
            same = phone.get(f"{live.attrs['data-live']}?v={live.attrs['data-version']}")
            assert same.status == 204
            assert same.headers["Content-Length"] in (None, "0")


def test_stopping_server_finishes_begun_requests(server: Server) -> None:
    async def begin_stop_and_end() -> list[Reply]:
        begun = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
        for _reader, writer in begun:
            writer.write(post("/demo/", b"Content-Length: 10") + b"abc")
        assert (await say(server.port, get("/healthz")))[0].status == 200, "so those before have been heard"
        server.stop()
        answers = []
        for reader, writer in begun:
            with closing(writer):
                writer.write(b"defghij")
                answers.append(await reply(reader))
        return answers

    try:
        assert [answer.status for answer in strangers.run(begin_stop_and_end())] == [403] * 4
        assert server.wait() == 0
    finally:
        server.kill()
        server.start()


def test_when_workers_are_killed_others_come_and_nobody_waits_for_ever(server: Server) -> None:
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
        wait_until(partial(another_serves, server, worker))


def another_serves(server: Server, killed: int) -> bool:
    """Return whether there are two workers without the killed one, whose requests are lost with it."""
    status = network.status(server.port, "/healthz", "localhost")
    assert status in (None, 200)
    workers = server.workers()
    return status == 200 and len(workers) == 2 and killed not in workers
