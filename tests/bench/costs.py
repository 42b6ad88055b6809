"""Processor time of an evening of four phones, request by request, each beside /healthz/ready.

`python -m tests.bench.costs GAME LANGUAGE`, as tests/bench/test_budgets.py runs it by itself, calls the application as
the server's threads do, with metrics, and prints its measurements as JSON: for each request the seconds of each time
that it was sent, and of /healthz/ready then.

A request is sent several times in a row, and so is /healthz/ready then: any request between large pages costs twice
what it costs among its like, as the processor has forgotten it meanwhile, and that would flatter the pages.
"""

import gzip
import json
import os
import re
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.bench.hands import answered, names, next_form, tapped
from tests.soak.phones import Phone, invitation
from tests.views.page import HTMX_COUNT, hand_form

#: An evening has so many hands before it is measured; 40 on the average, and half as many more in the end.
HANDS_FIRST = 26
EVENINGS, WARM_UP = 8, 1
PHONES = 4
#: Seconds of /healthz/ready on the quiet machine that the budgets are for.
HEALTHZ = 0.00027
#: Each request is sent by all phones after so many hands; /healthz/ready so often, and its first are not counted.
HANDS, PULSES, UNCOUNTED = 4, 6, 2
STATE = {"HX-Request": "true", "HX-Target": "div#state"}
#: The headers of each request of a phone, and its header for a language.
BROWSER = {
    "Host": "localhost",
    "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate",
}
LANGUAGES = {"en": "en-GB,en;q=0.9", "hu": "hu-HU,hu;q=0.9,en;q=0.8"}


class Cost(NamedTuple):
    """The times of a request, and of /healthz/ready beside it."""

    times: list[float]
    health: list[float]


class Measured(Phone):
    """A phone of the application itself; `used` is the processor time of its last request, in seconds."""

    used = 0.0

    def __init__(self, application: Callable[..., Any], language: str) -> None:
        super().__init__(0)
        self._application, self._language = application, LANGUAGES[language]

    def _exchange(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> tuple[int, str, Message]:
        from scorekeeper.http.asgi_bridge import environ_of

        said: list[Any] = []
        address, sent = urlsplit(path), {**BROWSER, **headers, "Accept-Language": self._language}
        environ = environ_of(
            {
                "method": method,
                "path": address.path,
                "raw_path": address.path.encode(),
                "query_string": address.query.encode(),
                "headers": [(name.lower().encode(), text.encode()) for name, text in sent.items()],
                "scheme": "http",
                "http_version": "1.1",
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", 80),
            },
            (body or "").encode(),
        )
        begin = time.process_time()
        answer: Any = self._application(environ, lambda *start: said.extend(start))
        taken = b"".join(answer)
        answer.close()
        self.used = time.process_time() - begin
        found = Message()
        for name, text in said[1]:
            found[name] = text
        unzip = gzip.decompress if found.get("Content-Encoding") == "gzip" else bytes
        return int(said[0].split()[0]), unzip(taken).decode(), found


class Evening:
    """An evening of as many as play the game, and four phones that write."""

    def __init__(self, phone: Callable[[], Measured], chance: Random, game: str) -> None:
        self._stranger, self._chance, self._game = phone(), chance, game
        self._phones = [phone() for _phone in range(PHONES)]
        self._owner, *others = self._phones
        begun = self._owner.post("/sessions/new/", names(self._owner.get("/sessions/new/"), game))
        self._path = answered(begun, 302).headers["Location"].partition("?")[0]
        self._owner.get(self._path)  # signing in changes the CSRF token
        answered(self._owner.post(f"{self._path}members/me/", {"ask_no_more": "1", "session": "1"}), 302)
        for other in others:
            link = invitation(self._owner, self._path)
            other.get(link)
            answered(other.post(link, {"player": ""}), 302)
        self._opened = hand_form(self._owner.get(f"{self._path}hands/new/").page)
        for _hand in range(HANDS_FIRST):
            self._record()

    def costs(self) -> Iterator[tuple[str, Cost]]:
        yield "record a hand", self._measured(lambda: [self._record(), self._record()])
        yield "the evening's page", self._measured(lambda: self._after_a_hand(""))
        yield "the hand form", self._measured(lambda: self._after_a_hand("hands/new/"))
        yield "the live count of a tap", self._measured(lambda: [self._tap() for _phone in self._phones])
        yield "settle up", self._measured(lambda: self._after_a_hand("settle/"))
        known = re.search(r'data-version="(\d+)"', self._owner.get(self._path).text)
        assert known
        nothing_new = f"live/?v={known[1]}"
        yield "a poll that finds nothing new", self._measured(lambda: self._asked_by_all(nothing_new, STATE, 204))
        token = {"Authorization": f"Bearer {os.environ['SCOREKEEPER_METRICS_TOKEN']}"}
        yield "a scrape of the metrics", self._measured(lambda: [self._asked(self._stranger, "/metrics", token)])

    def _measured(self, ask: Callable[[], list[float]]) -> Cost:
        times, health = [], []
        for _turn in range(HANDS):
            times += ask()
            pulses = [self._asked(self._stranger, "/healthz/ready") for _pulse in range(PULSES)]
            health += pulses[UNCOUNTED:]
        return Cost(times, health)

    def _record(self) -> float:
        """Record the next hand by the owner's phone; return the time that took."""
        self._opened |= tapped(self._chance, self._game)
        answered(self._owner.post(f"{self._path}hands/new/", self._opened), 302)
        self._opened = next_form(self._opened, self._game)
        return self._owner.used

    def _tap(self) -> float:
        said = self._opened | tapped(self._chance, self._game)
        answered(self._owner.post(f"{self._path}hands/preview/", said, HTMX_COUNT), 200)
        return self._owner.used

    def _after_a_hand(self, rest: str) -> list[float]:
        self._record()
        return self._asked_by_all(rest)

    def _asked_by_all(self, rest: str, headers: Mapping[str, str] = {}, status: int = 200) -> list[float]:
        return [self._asked(phone, self._path + rest, headers, status) for phone in self._phones]

    def _asked(self, phone: Measured, address: str, headers: Mapping[str, str] = {}, status: int = 200) -> float:
        answered(phone.get(address, headers), status)
        return phone.used


def measured(game: str, language: str) -> dict[str, Cost]:
    import django

    from scorekeeper.ops import data_dir

    data_dir.prepare()
    django.setup()
    from scorekeeper.wsgi import application

    count_as_two_workers()
    chance, costs = Random(8), defaultdict[str, Cost](lambda: Cost([], []))  # noqa: S311
    for turn in range(WARM_UP + EVENINGS):
        for what, cost in Evening(lambda: Measured(application, language), chance, game).costs():
            if turn >= WARM_UP:
                costs[what].times.extend(cost.times)
                costs[what].health.extend(cost.health)
    return costs


def count_as_two_workers() -> None:
    """Count all requests from now on; and before, as two workers do that were asked for each address in four ways."""
    from django.conf import settings
    from django.urls import get_resolver

    from scorekeeper.ops import metrics

    metrics.prepare(settings.DATA / "metrics-0")
    metrics.start()
    for name in (name for name in get_resolver().reverse_dict if isinstance(name, str)):
        for method, status in (("GET", 200), ("GET", 404), ("POST", 302), ("POST", 422)):
            metrics.add_request(name, method, status, 0)
    for file in (settings.DATA / "metrics-0").iterdir():
        shutil.copy(file, file.with_name(f"{file.stem.rpartition('_')[0]}_1.db"))


if __name__ == "__main__":
    json.dump(measured(*sys.argv[1:]), sys.stdout)
