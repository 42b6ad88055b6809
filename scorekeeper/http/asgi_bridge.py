"""The way in: a request is taken in whole by an event loop, and only then is one of the threads asked to answer it.

A thread that reads from the network itself belongs to who sends, for as long as he likes: 33 who send a byte a second
were enough for nobody else to be served. What is slow, too large, or a file, is refused here, before a page has heard
of it, and what is too large is not read on.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

#: Bytes of a body; the largest form there is has a tenth of it.
LARGEST: Final = 300_000
#: Bytes of all bodies that one worker has in hand: who sends many large ones at once fills no memory. A form as people
#: fill it in is never among those that are too much then.
LARGEST_OF_ALL: Final = 50 * LARGEST
USUAL: Final = 16_000
#: Seconds that a body may take from its first byte to its last. A phone's own patience is 8.
PATIENCE: Final = 10

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


class Refused(Exception):
    """Not taken in; `status` says why: 408 too slow, 413 too large, 415 a file, 503 too much of it at once."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Gone(Exception):
    """Who sent it went away in the midst of it."""


class Front:
    """An ASGI application, for HTTP only, in front of a WSGI one. `refusal` makes the page for a status of Refused."""

    def __init__(
        self, application: Callable[..., Iterable[bytes]], refusal: Callable[[int, Environ], Answer], threads: int
    ) -> None:
        self._application = application
        self._refusal = refusal
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="answers")
        self._in_hand = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()
        try:
            if announces_body(scope):
                await self._take_in(body, scope, receive)
            environ = environ_of(scope, bytes(body))
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, environ)
        except Refused as refused:
            answer = self._refuse(refused.status, environ_of(scope, b""))
        except Gone:
            return
        finally:
            self._in_hand -= len(body)
        await send(start_of(answer))
        await send({"type": "http.response.body", "body": answer.body})

    async def _take_in(self, body: bytearray, scope: Scope, receive: Receive) -> None:
        """Fill `body`, in time. Raises Refused, Gone."""
        refuse_by_headers(scope)
        try:
            async with asyncio.timeout(PATIENCE):
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Gone
                    body += message["body"]
                    self._in_hand += len(message["body"])
                    if len(body) > LARGEST:
                        raise Refused(413)
                    if self._in_hand > LARGEST_OF_ALL and len(body) > USUAL:
                        raise Refused(503)
                    more = message["more_body"]
        except TimeoutError:
            raise Refused(408) from None

    def _answer(self, environ: Environ) -> Answer:
        """Ask the application; in a thread of its own."""
        said: list[tuple[str, list[tuple[str, str]]]] = []
        try:
            parts = self._application(environ, lambda status, headers, _error=None: said.append((status, headers)))
            try:
                content = b"".join(parts)
            finally:
                if close := getattr(parts, "close", None):
                    close()
        except Exception:
            # Django answers whatever goes wrong in a page; this went wrong around it.
            logger.exception("Could not answer %s", line_of(environ))
            return Answer(500, [("Content-Type", "text/plain")], b"Something broke.\n")
        status, headers = said[-1]
        return Answer(int(status[:3]), headers, content)

    def _refuse(self, status: int, environ: Environ) -> Answer:
        logger.warning("Refused (%d): %s", status, line_of(environ))
        return self._refusal(status, environ)


def announces_body(scope: Scope) -> bool:
    """Whether one is to come. A length that is no number, or said twice in two ways, the server has refused itself."""
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def refuse_by_headers(scope: Scope) -> None:
    """Raise Refused for a body that nobody needs to read to know that it is not wanted."""
    headers = dict(scope["headers"])
    # Nothing here takes files, and no form of ours is sent like this.
    if headers.get(b"content-type", b"").strip().lower().startswith(b"multipart/"):
        raise Refused(415)
    if int(headers.get(b"content-length", 0)) > LARGEST:
        raise Refused(413)


def environ_of(scope: Scope, body: bytes) -> Environ:
    """The same request as WSGI tells it (PEP 3333), its body at hand."""
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
    # That of a chunked one is known by now.
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def headers_of(scope: Scope) -> Environ:
    """The headers by their WSGI names.

    One with an underscore in its name is left out: it would pass for the one with a hyphen, which a proxy in front
    vouches for.
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
    # Left out, the server's would stand there, with its name.
    return {"type": "http.response.start", "status": answer.status, "headers": [*headers, (b"server", b"")]}


def line_of(environ: Environ) -> str:
    """The request in one line, whatever stands in it."""
    return ascii(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} from {environ['REMOTE_ADDR']}")[1:-1]
