"""Phones on plain HTTP, and the paper beside them: the hands they sent and their sums, counted by no program.

Nothing of the program is imported here: it knows a page's forms and marks, as a browser does.
"""

import http.client
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.message import Message
from itertools import count
from threading import Lock
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID, uuid4

from tests.views.page import Page

#: The taps, and the declarer's points from each opponent counted by hand.
DEALS: tuple[tuple[Mapping[str, str], int], ...] = (
    ({"contract": "2", "trump": "hearts", "tricks": "7"}, +6),
    ({"contract": "2", "trump": "diamonds", "tricks": "5"}, -4),
    ({"contract": "1", "trump": "none", "tricks": "7"}, +18),
    ({"contract": "3", "trump": "spades", "tricks": "10"}, +6),
    ({"contract": "hand", "trump": "clubs", "tricks": "4"}, -12),
)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
JSON = {"Accept": "application/json"}
#: So many times a phone asks for the next number that is free: among phones that never pause it may often be too late.
TRIES = 200


class NoAnswer(Exception):
    """The server went before it had answered: the request may have been done, or not."""


@dataclass(frozen=True)
class Answer:
    """`seconds` is how long the phone waited for it, from the request's first byte to the answer's last."""

    status: int
    text: str
    headers: Message
    seconds: float

    @property
    def page(self) -> Page:
        return Page(self.text)


class Phone:
    """One phone: a connection that stays open, its cookies, and the last form's token. For one thread at a time."""

    def __init__(self, port: int) -> None:
        self._port, self._connection = port, http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._cookies: dict[str, str] = {}
        self._token = ""

    def get(self, path: str, headers: Mapping[str, str] = {}) -> Answer:
        try:
            answer = self._ask("GET", path, None, headers)
        except NoAnswer:  # the connection was of a server that has gone: a browser opens another
            answer = self._ask("GET", path, None, headers)
        if found := TOKEN.search(answer.text):
            self._token = found[1]
        return answer

    def post(self, path: str, fields: Mapping[str, Any], headers: Mapping[str, str] = {}) -> Answer:
        body = urlencode({"csrfmiddlewaretoken": self._token, **fields})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, body, {**form, **headers})

    def close(self) -> None:
        self._connection.close()

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        cookie = "; ".join(f"{name}={text}" for name, text in self._cookies.items())
        begin = time.perf_counter()
        status, text, said = self._exchange(method, path, body, {"Accept-Language": "en", **headers, "Cookie": cookie})
        for line in said.get_all("Set-Cookie") or []:
            name, _equals, rest = line.partition("=")
            self._cookies[name] = rest.partition(";")[0]
        return Answer(status, text, said, time.perf_counter() - begin)

    def _exchange(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> tuple[int, str, Message]:
        try:
            self._connection.request(method, path, body, headers)
            with self._connection.getresponse() as response:
                return response.status, response.read().decode(), response.headers
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise NoAnswer(f"{method} {path}: {error!r}") from error


@dataclass
class Sent:
    """A hand as it stands on paper: which of DEALS, and the number it was given. A void one counts nothing."""

    declarer: int
    deal: int
    number: int | None = None
    void: bool = False


@dataclass
class Table:
    """An evening of three, its phones, and on paper every hand that any of them sent, by its token."""

    evening: str
    phones: list[Phone]
    paper: dict[UUID, Sent] = field(default_factory=dict)
    acknowledged: set[UUID] = field(default_factory=set)
    _last: int = 0
    _turns: Iterator[int] = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def opened(cls, port: int, phones: int) -> Self:
        """The first phone starts an evening and shares the right to write with the others, by the link."""
        owner, *others = (Phone(port) for _phone in range(phones))
        owner.get("/sessions/new/")
        names = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "player_4": ""}
        started = owner.post("/sessions/new/", names | {"token": uuid4(), "first_dealer": "1", "currency": "HUF"})
        assert started.status == 302, started.text
        evening = started.headers["Location"]
        for other in others:
            link = invitation(owner, evening)
            other.get(link)
            assert other.post(link, {"player": ""}).status == 302
        for phone in (owner, *others):
            assert phone.get(evening).status == 200
        return cls(evening, [owner, *others])

    def record(self, phone: Phone) -> Answer:
        """Record the next hand of the pack as a phone does from its outbox, under the next free number."""
        return self.send(phone, self.new_hand())

    def send(self, phone: Phone, token: UUID) -> Answer:
        """Send a hand of the paper, for the first time or again. Raise NoAnswer."""
        sent = self.paper[token]
        number = sent.number or self._last + 1
        for _try in range(TRIES):
            said = {"token": token, "number": number, "another": "on"}
            answer = phone.post(f"{self.evening}hands/new/", {**tapped(sent), **said}, JSON)
            if answer.status != 409:
                break
            # The phone that has just recorded knows the next number first, and would be the quickest again each time.
            number = max(json.loads(answer.text)["next_number"], self._last + 1)
        if answer.status == 200:
            with self._lock:
                sent.number = json.loads(answer.text)["number"]
                self._last = max(self._last, sent.number)
                self.acknowledged.add(token)
        return answer

    def amend(self, phone: Phone, token: UUID) -> Answer:
        """Give a hand that was acknowledged another deal. Only one thread may change one hand."""
        sent = self.paper[token]
        corrected = replace(sent, deal=next(self._turns) % len(DEALS))
        said = {"number": sent.number, "token": token}
        answer = phone.post(f"{self.evening}hands/{sent.number}/edit/", {**tapped(corrected), **said})
        if answer.status == 302:
            sent.deal = corrected.deal
        return answer

    def void(self, phone: Phone, token: UUID, *, void: bool) -> Answer:
        sent = self.paper[token]
        answer = phone.post(f"{self.evening}hands/{sent.number}/{'void' if void else 'restore'}/", {})
        if answer.status == 302:
            sent.void = void
        return answer

    def balances(self, written: set[UUID]) -> dict[int, int]:
        """On paper: each seat's sum if just these hands were written."""
        total = dict.fromkeys(range(3), 0)
        for token in written:
            hand = self.paper[token]
            points = 0 if hand.void else DEALS[hand.deal][1]
            for seat in total:
                total[seat] += 2 * points if seat == hand.declarer else -points
        return total

    def new_hand(self) -> UUID:
        with self._lock:
            turn, token = next(self._turns), uuid4()
            self.paper[token] = Sent(turn % 3, turn % len(DEALS))
        return token


@contextmanager
def tables_at(port: int, tables: int, phones: int) -> Iterator[list[Table]]:
    """Yield so many circles with so many phones each; the phones hang up in the end."""
    opened = [Table.opened(port, phones) for _table in range(tables)]
    try:
        yield opened
    finally:
        for table in opened:
            for phone in table.phones:
                phone.close()


def tapped(hand: Sent) -> dict[str, Any]:
    return {**DEALS[hand.deal][0], "dealer": 0, "declarer": hand.declarer}


def invitation(owner: Phone, evening: str) -> str:
    """The path of the link that shares the owner's right to write."""
    owner.get(f"{evening}invite/")
    shown = owner.get(owner.post(f"{evening}invite/", {"role": "keeper"}).headers["Location"])
    found = re.search(r'(/join/[^"/\s]+/)', shown.text)
    assert found, shown.text
    return found[1]
