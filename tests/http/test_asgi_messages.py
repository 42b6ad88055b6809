"""The ASGI bridge by itself: the environ of a request, and bodies that come in several messages."""

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from scorekeeper.http import asgi_bridge
from scorekeeper.http.asgi_bridge import (
    MAX_BODIES,
    MAX_BODY,
    MAX_UPLOAD,
    PIECE,
    USUAL_BODY,
    Answer,
    AsgiBridge,
    Uploads,
    environ_of,
)
from tests import strangers


def scope(method: str = "GET", path: bytes = b"/", query: bytes = b"", *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        **{"type": "http", "http_version": "1.1", "method": method, "scheme": "http"},
        **{"raw_path": path, "path": "never looked at", "query_string": query, "headers": list(headers)},
        **{"server": ("::", "8000"), "client": ("::ffff:127.0.0.1", "50000")},
    }


def environ(*headers: tuple[bytes, bytes], path: bytes = b"/", body: bytes = b"") -> dict[str, Any]:
    return environ_of(scope("POST", path, b"q=%41&\xc3\xa9", *headers), body)


def test_the_request_is_told_as_wsgi_tells_it() -> None:
    told = environ(
        *((b"host", b"localhost:1"), (b"content-type", b"text/plain")),
        *((b"cookie", b"a=1"), (b"cookie", b"b=\xc3\xa9"), (b"x-a", b"\xe9"), (b"x-a", b"two")),
        *((b"x_forwarded_proto", b"https"), (b"content_length", b"9"), (b"x_forwarded_for", b"192.0.2.1")),
        path=b"/a%C3%A9/%ff/b%2Fc",
        body=b"abc",
    )
    assert told["PATH_INFO"].encode("latin-1") == b"/a\xc3\xa9/\xff/b/c"
    assert told["QUERY_STRING"].encode("latin-1") == b"q=%41&\xc3\xa9"
    assert told["HTTP_HOST"] == "localhost:1"
    assert (told["CONTENT_TYPE"], told["CONTENT_LENGTH"]) == ("text/plain", "3")
    assert (told["SERVER_PORT"], told["REMOTE_ADDR"]) == ("8000", "::ffff:127.0.0.1")
    assert (told["SERVER_PROTOCOL"], told["wsgi.url_scheme"]) == ("HTTP/1.1", "http")
    assert told["wsgi.input"].read() == b"abc"
    assert "HTTP_CONTENT_TYPE" not in told
    assert told["HTTP_COOKIE"].encode("latin-1") == b"a=1; b=\xc3\xa9"
    assert told["HTTP_X_A"].encode("latin-1") == b"\xe9,two"
    assert not [name for name in told if "FORWARDED" in name], "no header passes for one that a proxy vouches for"


def answered(front: AsgiBridge, asked: dict[str, Any], *messages: dict[str, Any]) -> Coroutine[Any, Any, list[Any]]:
    """The answer of the bridge to a request whose body comes in these messages; the last may never come."""

    async def run() -> list[Any]:
        said: list[Any] = []
        coming = iter(messages)

        async def receive() -> dict[str, Any]:
            return next(coming, None) or await asyncio.Event().wait()

        async def send(message: dict[str, Any]) -> None:
            said.append(message)

        await front(asked, receive, send)
        return said

    return run()


def answer_of(application: Any, asked: dict[str, Any], *messages: dict[str, Any]) -> list[Any]:
    """Return the same of a bridge of its own with one thread."""
    return strangers.run(answered(AsgiBridge(application, plain, threads=1), asked, *messages))


def part(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def echo(environ: dict[str, Any], start: Any) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/plain")])
    return [environ["wsgi.input"].read(), b"!"]


def plain(status: int, _environ: dict[str, Any]) -> Answer:
    return Answer(status, [], b"")


LENGTH = (b"content-length", b"6")


def test_a_body_in_parts_is_put_together_before_anybody_is_asked() -> None:
    start, body = answer_of(echo, scope("POST", b"/", b"", LENGTH), part(b"abc"), part(b"def", more=False))
    assert (start["status"], body["body"]) == (200, b"abcdef!")


def test_request_broken_off_in_its_body_is_not_handled() -> None:
    def never(environ: dict[str, Any], start: Any) -> list[bytes]:
        raise AssertionError("asked for half a request")

    for way in (LENGTH, (b"transfer-encoding", b"chunked")):
        assert answer_of(never, scope("POST", b"/", b"", way), part(b"abc"), {"type": "http.disconnect"}) == []


def test_many_large_bodies_at_once_fill_no_memory_and_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    front = AsgiBridge(echo, plain, threads=1)
    asked = scope("POST", b"/", b"", (b"transfer-encoding", b"chunked"))
    most = MAX_BODIES // MAX_BODY

    async def many() -> list[Any]:
        waiting = [asyncio.create_task(answered(front, asked, part(b"x" * MAX_BODY))) for _ in range(most)]
        await asyncio.sleep(0)
        refused = await answered(front, asked, part(b"x" * (USUAL_BODY + 1)))
        usual = await answered(front, asked, part(b"x" * USUAL_BODY, more=False))
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return [refused, usual, await answered(front, asked, part(b"x" * MAX_BODY, more=False))]

    assert [start["status"] for start, *_body in strangers.run(many())] == [503, 200, 200]
    assert "Refused (503): POST / from ::ffff:127.0.0.1" in caplog.text


def test_error_around_the_application_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def broken(environ: dict[str, Any], start: Any) -> list[bytes]:
        raise RuntimeError("a secret of the inside")

    start, body = answer_of(broken, scope("GET", b"/a%0Ab"))
    assert start["status"] == 500
    assert b"secret" not in body["body"]
    assert "Could not answer GET /a\\nb from" in caplog.text
    assert "a secret of the inside" in caplog.text


# --- Long answers ---


class Long:
    """An application whose every answer is a thousand pieces; it counts those that are taken, and knows its close."""

    pieces = 1000

    def __init__(self) -> None:
        self.taken, self.closed = 0, Event()

    def __call__(self, environ: dict[str, Any], start: Any) -> "Long":
        start("200 OK", [("Content-Length", str(self.pieces * PIECE))])
        return self

    def __iter__(self) -> Iterator[bytes]:
        for _number in range(self.pieces):
            self.taken += 1
            yield b"x" * PIECE

    def close(self) -> None:
        self.closed.set()


class Client:
    """A client that takes only the first `takes` messages of an answer, and then stalls, until it goes."""

    def __init__(self, takes: int) -> None:
        self.takes, self.got, self.stalled, self.gone = takes, list[int](), asyncio.Event(), asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if len(self.got) == self.takes:
            self.stalled.set()
            await asyncio.Event().wait()
        self.got.append(len(message.get("body", b"")))


def read(application: Long, takes: int) -> list[int]:
    """Return the sizes of the messages that a client took of the answer."""

    async def take() -> list[int]:
        client = Client(takes)
        await AsgiBridge(application, plain, threads=1)(scope(), client.receive, client.send)
        return client.got

    return strangers.run(take())


def test_long_answer_is_taken_only_as_fast_as_it_is_sent() -> None:
    application = Long()
    got = read(application, takes=2000)
    assert sum(got) == Long.pieces * PIECE
    assert max(got) == PIECE, "it was never joined"
    assert application.closed.is_set()


def test_five_stalled_readers_hold_no_thread_and_a_piece_each() -> None:
    stalling = [Long() for _ in range(5)]

    async def read() -> list[Any]:
        usual, clients = iter(stalling), [Client(takes=2) for _ in stalling]
        front = AsgiBridge(lambda *asked: next(usual, echo)(*asked), plain, threads=1)
        held = [asyncio.create_task(front(scope(), client.receive, client.send)) for client in clients]
        await asyncio.gather(*(client.stalled.wait() for client in clients))
        beside = await answered(front, scope("POST", b"/", b"", LENGTH), part(b"abcdef", more=False))
        taken = [application.taken for application in stalling]
        for client in clients:
            client.gone.set()
        await asyncio.gather(*held)
        return [beside, taken]

    (start, body), taken = strangers.run(read())
    assert (start["status"], body["body"]) == (200, b"abcdef!")
    assert max(taken) <= 3
    assert all(application.closed.is_set() for application in stalling), "they have gone"


def test_reader_that_stalls_for_too_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_bridge, "PIECE_TIMEOUT", 0)
    application = Long()
    assert read(application, takes=1) == [0], "the start, and no end"
    assert application.closed.is_set()


def test_head_reads_nothing_of_a_long_answer() -> None:
    application = Long()
    start, body = answer_of(application, scope("HEAD"))
    assert dict(start["headers"])[b"Content-Length"] == str(Long.pieces * PIECE).encode()
    assert (body["body"], application.taken, application.closed.is_set()) == (b"", 0, True)


# --- Files, which one address takes ---

FILE = (b"content-length", b"%d" % (MAX_BODY + 3))


def uploading(folder: Path, user: str | None) -> AsgiBridge:
    return AsgiBridge(echo, plain, threads=1, uploads=Uploads(b"/import/", folder, lambda environ: user))


def test_file_of_a_signed_in_user_reaches_the_application_and_leaves_nothing_behind(tmp_path: Path) -> None:
    front = uploading(tmp_path, "7")
    parts = part(b"x" * MAX_BODY), part(b"end", more=False)
    start, *pieces = strangers.run(answered(front, scope("POST", b"/import/", b"", FILE), *parts))
    assert start["status"] == 200
    assert b"".join(piece["body"] for piece in pieces) == b"x" * MAX_BODY + b"end!"
    assert list(tmp_path.iterdir()) == []
    assert not front._uploaders


@pytest.mark.parametrize(
    ("user", "path", "headers", "status"),
    [
        pytest.param(None, b"/import/", [FILE], 413, id="stranger"),
        pytest.param("7", b"/demo/", [FILE], 413, id="elsewhere"),
        pytest.param("7", b"/import/", [(b"content-length", b"%d" % (MAX_UPLOAD + 1))], 413, id="too large"),
        pytest.param("7", b"/demo/", [LENGTH, (b"content-type", b"multipart/form-data")], 415, id="file elsewhere"),
    ],
)
def test_unwanted_file_is_rejected_before_it_is_read(
    tmp_path: Path, user: str | None, path: bytes, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    start, _body = strangers.run(answered(uploading(tmp_path, user), scope("POST", path, b"", *headers)))
    assert start["status"] == status


def test_user_sends_one_file_at_a_time(tmp_path: Path) -> None:
    front, asked = uploading(tmp_path, "7"), scope("POST", b"/import/", b"", FILE)

    async def run() -> list[Any]:
        first = asyncio.create_task(answered(front, asked, part(b"x")))
        await asyncio.sleep(0)
        refused = await answered(front, asked, part(b"x"))
        first.cancel()
        return refused

    start, _body = strangers.run(run())
    assert start["status"] == 503
