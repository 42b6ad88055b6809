"""ASGI application in front of the WSGI one: an event loop reads each request whole, then a thread answers it.

A thread that reads from the network itself is held by a slow sender: 33 connections that send one byte a second were
enough to stop the server. Slow bodies, large bodies and file uploads are rejected here, before Django sees them, and a
body that is too large is not read to its end.

One address takes files (`Uploads`). What a signed-in user sends there goes to a temporary file as it comes: it costs
neither a thread nor memory, one at a time a user, a few at a time in all.

A long answer is sent in pieces. A thread takes a piece from the application, and the event loop waits until the client
has room for it: a client that stalls holds one piece in memory, and neither a thread nor another answer.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

#: Largest body, in bytes; the largest form of the app has a tenth of it.
MAX_BODY: Final = 300_000
#: Bytes of all bodies that one worker holds at once, so that many large ones do not fill its memory. Bodies of up to
#: USUAL_BODY, which every filled-in form is, are read even above it.
MAX_BODIES: Final = 50 * MAX_BODY
USUAL_BODY: Final = 16_000
#: Seconds that a body may take from its first byte to its last. The app's own scripts give up after 8.
BODY_TIMEOUT: Final = 10
#: The largest file, and the largest body that brings one, in bytes.
MAX_FILE: Final = 50_000_000
MAX_UPLOAD: Final = MAX_FILE + MAX_BODY
#: Seconds that it may take: 50 MB at 2 Mbit/s are 200.
UPLOAD_TIMEOUT: Final = 240
#: Users who send a file at once.
MOST_UPLOADS: Final = 4
#: Bytes of an answer that are taken and sent at once; every usual page is one piece. A single part of the application's
#: answer may be longer.
PIECE: Final = 64 * 1024
#: Seconds that a client may take for a piece.
PIECE_TIMEOUT: Final = 60
#: The key of the environ with the time from which on a request waits for a thread.
READ_AT: Final = "scorekeeper.read_at"

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


class Uploads(NamedTuple):
    """The address that takes files, the folder of temporary files, and the function that returns a request's user.

    A file is unlinked as soon as it is made: nothing stays of it, whatever ends this process.
    """

    path: bytes
    folder: Path
    user_of: Callable[[Environ], str | None]


class Body:
    """The body of a request: in memory, up to MAX_BODY, or that of an `uploader` in a file."""

    def __init__(self, uploader: str | None = None, folder: Path | None = None) -> None:
        self.uploader, self.size = uploader, 0
        self.file: IO[bytes] = TemporaryFile(dir=folder) if uploader else BytesIO()  # noqa: SIM115
        self.most, self.seconds = (MAX_UPLOAD, UPLOAD_TIMEOUT) if uploader else (MAX_BODY, BODY_TIMEOUT)

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size <= self.most:
            self.file.write(part)

    def environ(self, scope: Scope) -> Environ:
        self.file.seek(0)
        return environ_of(scope, b"") | {"wsgi.input": self.file, "CONTENT_LENGTH": str(self.size)}


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
        self,
        application: Callable[..., Iterable[bytes]],
        rejection: Callable[[int, Environ], Answer],
        threads: int,
        uploads: Uploads | None = None,
    ) -> None:
        self._application = application
        self._rejection = rejection
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="answers")
        self._uploads = uploads
        self._uploaders: set[str] = set()
        self._held_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, rest = Body(), None
        try:
            if announces_body(scope):
                body = self._expected(scope)
                await self._read_body(body, receive)
            environ = body.environ(scope) | {READ_AT: time.perf_counter()}
            answer, rest = await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, environ)
        except Rejected as rejected:
            answer = self._reject(rejected.status, environ_of(scope, b""))
        except Disconnected:
            return
        finally:
            self._let_go(body)
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

    def _expected(self, scope: Scope) -> Body:
        """Return the body, empty, of a request that may send it by its headers. Raise Rejected."""
        headers = dict(scope["headers"])
        length = int(headers.get(b"content-length", 0))
        uploads, uploader = self._uploads, None
        if uploads and scope["raw_path"] == uploads.path and scope["method"] == "POST":
            if length > MAX_BODY or b"transfer-encoding" in headers:
                uploader = uploads.user_of(environ_of(scope, b""))
        # Elsewhere no view takes files, and no form of the app is sent in this encoding.
        elif headers.get(b"content-type", b"").strip().lower().startswith(b"multipart/"):
            raise Rejected(415)
        if length > (MAX_UPLOAD if uploader else MAX_BODY):
            raise Rejected(413)
        if uploads is None or uploader is None:
            return Body()
        if uploader in self._uploaders or len(self._uploaders) >= MOST_UPLOADS:
            raise Rejected(503)
        self._uploaders.add(uploader)
        return Body(uploader, uploads.folder)

    async def _read_body(self, body: Body, receive: Receive) -> None:
        """Fill `body` in its time. Raise Rejected or Disconnected."""
        try:
            async with asyncio.timeout(body.seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Disconnected
                    body.add(message["body"])
                    self._held_bytes += 0 if body.uploader else len(message["body"])
                    if body.size > body.most:
                        raise Rejected(413)
                    if not body.uploader and self._held_bytes > MAX_BODIES and body.size > USUAL_BODY:
                        raise Rejected(503)
                    more = message["more_body"]
        except TimeoutError:
            raise Rejected(408) from None

    def _let_go(self, body: Body) -> None:
        """Free the memory, or the place and the file, of a body whose request has been answered."""
        if body.uploader:
            self._uploaders.discard(body.uploader)
        else:
            self._held_bytes -= body.size
        body.file.close()

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
