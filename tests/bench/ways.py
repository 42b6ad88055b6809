"""Three ways to send the program a request and to measure its processor time.

`client` is Django's test client, `wsgi` the application as the server's threads call it, both in this process; `server`
is the program as ./run serves it, by one worker, whose time is looked at from outside. Nothing of Django is imported
before it is needed: the server is another process.
"""

import gzip
import time
from collections.abc import Callable, Mapping
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

from tests.soak.phones import Phone

#: The headers of each request of a phone, and its header for a language.
BROWSER = {
    "Host": "localhost",
    "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate",
}
LANGUAGES = {"en": "en-GB,en;q=0.9", "hu": "hu-HU,hu;q=0.9,en;q=0.8"}
FORM = "application/x-www-form-urlencoded"
#: A server that has used no more than this in a thousandth of a second has finished the request.
STILL = 20e-6

type Taken = tuple[int, bytes, Message]


class Measured(Phone):
    """A phone as a browser is one; `used` is the processor time of its last request, in seconds."""

    used = 0.0
    language = "en"

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)

    def _exchange(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> tuple[int, str, Message]:
        own = {**headers, "Accept-Language": LANGUAGES[self.language]}
        status, taken, said = self._measured(method, path, (body or "").encode(), BROWSER | own)
        text = gzip.decompress(taken) if said.get("Content-Encoding") == "gzip" else taken
        return status, text.decode(), said

    def _measured(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Taken:
        raise NotImplementedError


class ByClient(Measured):
    def __init__(self) -> None:
        from django.test import Client

        super().__init__()
        self._client = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")

    def _measured(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Taken:
        self._client.cookies.clear()  # they are among the headers
        environ = environ_of(headers)
        begin = time.process_time()
        if method == "POST":
            answer = self._client.post(path, body, FORM, **environ)
        else:
            answer = self._client.get(path, **environ)
        self.used = time.process_time() - begin
        cookies = [("Set-Cookie", cookie.OutputString()) for cookie in answer.cookies.values()]
        return answer.status_code, answer.content, message([*answer.headers.items(), *cookies])


class ByWsgi(Measured):
    def __init__(self) -> None:
        from scorekeeper.wsgi import application

        super().__init__()
        self._application = application

    def _measured(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Taken:
        from scorekeeper.http.asgi_bridge import environ_of as as_the_front_does

        said: list[Any] = []
        address = urlsplit(path)
        environ = as_the_front_does(
            {
                "method": method,
                "path": address.path,
                "raw_path": address.path.encode(),
                "query_string": address.query.encode(),
                "headers": [(name.lower().encode(), text.encode()) for name, text in headers.items()],
                "scheme": "http",
                "http_version": "1.1",
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", 80),
            },
            body,
        )
        begin = time.process_time()
        answer: Any = self._application(environ, lambda *start: said.extend(start))
        taken = b"".join(answer)
        answer.close()
        self.used = time.process_time() - begin
        return int(said[0].split()[0]), taken, message(said[1])


class ByServer(Measured):
    """`clock` says how much of the processor the server has used so far, in seconds."""

    def __init__(self, port: int, clock: Callable[[], float]) -> None:
        super().__init__(port)
        self._clock = clock

    def _measured(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Taken:
        begin = self._clock()
        self._connection.request(method, path, body or None, headers)
        with self._connection.getresponse() as response:
            taken = response.read()
        self.used = self._standing_still() - begin
        return response.status, taken, response.headers

    def _standing_still(self) -> float:
        """The clock, once the server has released its resources for the answer."""
        now, before = self._clock(), -1.0
        while now - before > STILL:
            time.sleep(0.001)
            now, before = self._clock(), now
        return now


def environ_of(headers: Mapping[str, str]) -> dict[str, Any]:
    return {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items() if name != "Content-Type"}


def message(headers: list[tuple[str, str]]) -> Message:
    said = Message()
    for name, text in headers:
        said[name] = text
    return said


def processor_of(process: int) -> float:
    """The seconds that a process has used of the processor, in all its threads, ended ones too. Linux only: the
    number of a process's clock is made of its own.
    """
    return time.clock_gettime((~process << 3) | 2)
