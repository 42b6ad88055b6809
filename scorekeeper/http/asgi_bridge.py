"""ASGI application in front of the WSGI one: an event loop reads each request whole, then a thread answers it.

A thread that reads from the network itself is held by a slow sender: 33 connections that send one byte a second were
enough to stop the server. Slow bodies, large bodies and file uploads are rejected here, before Django sees them, and a
body that is too large is not read to its end.

A long answer is sent in pieces. A thread takes a piece from the application, and the event loop waits until the client
has room for it: a client that stalls holds one piece in memory, and neither a thread nor another answer.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

#: Largest body, in bytes; the largest form of the app has a tenth of it.
MAX_BODY: Final = 300_000
#: Bytes of all bodies that one worker holds at once, so that many large ones do not fill its memory. Bodies of up to
#: USUAL_BODY, which every filled-in form is, are read even above it.
MAX_BODIES: Final = 50 * MAX_BODY
USUAL_BODY: Final = 16_000
#: Seconds that a body may take from its first byte to its last. The app's own scripts give up after 8.
BODY_TIMEOUT: Final = 10
#: Bytes of an answer that are taken and sent at once; every usual page is one piece. A single part of the application's
#: answer may be longer.
PIECE: Final = 64 * 1024
#: Seconds that a client may take for a piece.
PIECE_TIMEOUT: Final = 60

type Environ = dict[str, Any]
type Scope = dict[str, Any]
type Message = dict[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class Answer(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes


class Rejected(Exception):
    """The body is not read; `status` is 408 (too slow), 413 (too large), 415 (a file) or 503 (too much at once)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Disconnected(Exception):
    """The client closed the connection before its body was complete."""


class Parts:
    """The parts of an answer of the WSGI application, taken piece by piece, each piece by any thread."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._parts, self._iterator, self._ahead = parts, iter(parts), b""

    def take(self) -> tuple[bytes, bool]:
        """Return the next piece, and whether another one follows."""
        taken, size = [self._ahead], len(self._ahead)
        for part in self._iterator:
            if size >= PIECE:
                self._ahead = part
                return b"".join(taken), True
            taken.append(part)
            size += len(part)
        return b"".join(taken), False

    def close(self) -> None:
        if close := getattr(self._parts, "close", None):
            close()


class AsgiBridge:
    """ASGI application, HTTP only, in front of a WSGI one. `rejection` makes the page for a status of Rejected."""

    def __init__(
        self, application: Callable[..., Iterable[bytes]], rejection: Callable[[int, Environ], Answer], threads: int
    ) -> None:
        self._application = application
        self._rejection = rejection
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="answers")
        self._held_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, rest = bytearray(), None
        try:
            if announces_body(scope):
                await self._read_body(body, scope, receive)
            environ = environ_of(scope, bytes(body))
            answer, rest = await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, environ)
        except Rejected as rejected:
            answer = self._reject(rejected.status, environ_of(scope, b""))
        except Disconnected:
            return
        finally:
            self._held_bytes -= len(body)
        await send(start_of(answer))
        if rest is None:
            await send({"type": "http.response.body", "body": answer.body})
        else:
            await self._send_pieces(answer.body, rest, receive, send)

    async def _send_pieces(self, piece: bytes, rest: Parts, receive: Receive, send: Send) -> None:
        """Send the piece and the rest of its answer, as long as the client takes it.

        An answer that is not sent to its end breaks the connection off: no client takes a part of it for the whole.
        """
        loop, more = asyncio.get_running_loop(), True
        # The server's `send` does not tell that the client has gone.
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            while more:
                await _unless(gone, send({"type": "http.response.body", "body": piece, "more_body": True}))
                piece, more = await loop.run_in_executor(self._threads, rest.take)
            await send({"type": "http.response.body", "body": piece})
        except Disconnected:
            pass
        finally:
            gone.cancel()
            await loop.run_in_executor(self._threads, rest.close)

    async def _read_body(self, body: bytearray, scope: Scope, receive: Receive) -> None:
        """Fill `body` within BODY_TIMEOUT. Raise Rejected or Disconnected."""
        reject_by_headers(scope)
        try:
            async with asyncio.timeout(BODY_TIMEOUT):
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Disconnected
                    body += message["body"]
                    self._held_bytes += len(message["body"])
                    if len(body) > MAX_BODY:
                        raise Rejected(413)
                    if self._held_bytes > MAX_BODIES and len(body) > USUAL_BODY:
                        raise Rejected(503)
                    more = message["more_body"]
        except TimeoutError:
            raise Rejected(408) from None

    def _answer(self, environ: Environ) -> tuple[Answer, Parts | None]:
        """Call the WSGI application, in a worker thread. Return the answer with its first piece, and what follows."""
        started: list[tuple[str, list[tuple[str, str]]]] = []
        try:
            parts = Parts(
                self._application(environ, lambda status, headers, _error=None: started.append((status, headers)))
            )
            more = False
            try:
                # No body is sent to HEAD, so none is taken: the file of a download is not read for it.
                piece, more = (b"", False) if environ["REQUEST_METHOD"] == "HEAD" else parts.take()
            finally:
                if not more:
                    parts.close()
        except Exception:
            # Django answers errors of views itself; this one is outside of Django.
            logger.exception("Could not answer %s", line_of(environ))
            return Answer(500, [("Content-Type", "text/plain")], b"Something broke.\n"), None
        status, headers = started[-1]
        return Answer(int(status[:3]), headers, piece), parts if more else None

    def _reject(self, status: int, environ: Environ) -> Answer:
        logger.warning("Refused (%d): %s", status, line_of(environ))
        return self._rejection(status, environ)


async def _disconnected(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _unless(gone: "asyncio.Future[None]", sending: Awaitable[None]) -> None:
    """Wait until a piece is sent, for PIECE_TIMEOUT at most. Raise Disconnected if the client goes or stalls."""
    task = asyncio.ensure_future(sending)
    try:
        await asyncio.wait((task, gone), timeout=PIECE_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        if gone.done() or not task.done():
            raise Disconnected
        task.result()
    finally:
        task.cancel()


def announces_body(scope: Scope) -> bool:
    """Return whether the request has a body. The server has rejected invalid and contradictory lengths already."""
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def reject_by_headers(scope: Scope) -> None:
    """Raise Rejected for a body that its headers alone show to be unwanted."""
    headers = dict(scope["headers"])
    # No view takes files, and no form of the app is sent in this encoding.
    if headers.get(b"content-type", b"").strip().lower().startswith(b"multipart/"):
        raise Rejected(415)
    if int(headers.get(b"content-length", 0)) > MAX_BODY:
        raise Rejected(413)


def environ_of(scope: Scope, body: bytes) -> Environ:
    """Return the WSGI environ (PEP 3333) of an ASGI request whose body has been read."""
    host, port = scope["server"]
    environ = headers_of(scope) | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    # The length of a chunked body is known by now.
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def headers_of(scope: Scope) -> Environ:
    """Return the headers by their WSGI names.

    A header with an underscore in its name is dropped: it would pass for the one with a hyphen, which a trusted proxy
    sets.
    """
    found: Environ = {}
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue
        name = "HTTP_" + raw.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        if name in found:
            text = found[name] + ("; " if name == "HTTP_COOKIE" else ",") + text
        found[name] = text
    return found


def start_of(answer: Answer) -> Message:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    # Without this header granian would send its own name.
    return {"type": "http.response.start", "status": answer.status, "headers": [*headers, (b"server", b"")]}


def line_of(environ: Environ) -> str:
    """Return the request as one printable line for the log."""
    return ascii(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} from {environ['REMOTE_ADDR']}")[1:-1]
