"""Writers without a pause, each in a process of its own, on a connection that stays open if the server lets it: a phone
that records hands at a table of its own, and its like that books bills with the peer.
"""

import json
import re
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext, SpawnProcess
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.bench.hands import answered, names, next_form, tapped
from tests.soak.phones import Phone
from tests.views.page import hand_form

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TOKEN = re.compile(r'name="csrf_token"[^>]* value="([^"]+)"')

#: To write one thing, and to hang up: a server lets go who has been silent for a while.
type Writer = tuple[Callable[[], None], Callable[[], None]]


class Turn(NamedTuple):
    """The waits of a writer for each answer, and its own processor time; in seconds."""

    waits: list[float]
    used: float


class Writers:
    """Writers in processes of their own; each opens its connection when it begins, and writes when told to."""

    def __init__(self, context: BaseContext, count: int, opened: Callable[..., Writer], *where: Any) -> None:
        self._ends: list[tuple[SpawnProcess, Connection]] = []
        for number in range(count):
            ours, its = context.Pipe()
            process = context.Process(target=_writing, args=(its, opened, (*where, number)), daemon=True)
            process.start()
            self._ends.append((process, ours))  # type: ignore[arg-type]
        for _process, end in self._ends:
            assert end.recv() == "ready"

    def write(self, seconds: float) -> list[Turn]:
        until = time.time() + seconds
        for _process, end in self._ends:
            end.send(until)
        return [end.recv() for _process, end in self._ends]

    def close(self) -> None:
        for process, end in self._ends:
            end.close()
            process.join()


def _writing(end: Connection, opened: Callable[..., Writer], where: tuple[Any, ...]) -> None:
    write, hang_up = opened(*where)
    hang_up()
    end.send("ready")
    try:
        while True:
            until, waits, used = end.recv(), [], time.process_time()
            while (begin := time.time()) < until:
                write()
                waits.append(time.time() - begin)
            end.send(Turn(waits, time.process_time() - used))
            hang_up()
    except EOFError:
        return


def phone(port: int, number: int) -> Writer:
    """A phone at a table of its own: as ./run serves it, the form's own POST, up to its redirect."""
    owner, chance = Phone(port), Random(number)  # noqa: S311
    begun = owner.post("/sessions/new/", names(owner.get("/sessions/new/")))
    evening = answered(begun, 302).headers["Location"].partition("?")[0]
    form = hand_form(owner.get(f"{evening}hands/new/").page)

    def write() -> None:
        nonlocal form
        answered(owner.post(f"{evening}hands/new/", form | tapped(chance)), 302)
        form = next_form(form)

    return write, owner.close


def bookkeeper(port: int, way: str, number: int) -> Writer:
    """One who books bills in a project of his own: by the web's form up to its redirect, or by the peer's API."""
    name = f"{way}{number}"
    web = Web(port)
    made = {"name": name, "id": name, "password": "demo", "contact_email": "a@example.com", "default_currency": "XXX"}
    assert web.ask("POST", "/api/projects", made)[0] == 201
    basic = {"Authorization": f"Basic {b64encode(f'{name}:demo'.encode()).decode()}"}
    people = [web.ask("POST", f"/api/projects/{name}/members", {"name": person}, basic)[1] for person in "abc"]
    bill = {"date": "2026-11-22", "what": "hand", "payer": people[0].strip(), "bill_type": "Expense"}
    bill |= {"payed_for": [each.strip() for each in people[1:]], "original_currency": "XXX", "amount": "12"}
    if way == "api":
        token = json.loads(web.ask("GET", f"/api/projects/{name}/token", {}, basic)[1])["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        return lambda: web.expect(201, f"/api/projects/{name}/bills", bill, bearer), web.close
    logged_in = web.ask("GET", "/authenticate")[1]
    entry = {"id": name, "password": "demo", "csrf_token": token_of(logged_in)}
    web.expect(302, "/authenticate", entry, {})
    bill["csrf_token"] = token_of(web.ask("GET", f"/{name}/add")[1])
    return lambda: web.expect(302, f"/{name}/add", bill, {}), web.close


def token_of(page: str) -> str:
    found = TOKEN.search(page)
    assert found, page[:2000]
    return found[1]


class Web(Phone):
    """A phone of the peer, whose pages have other forms."""

    def ask(
        self, method: str, path: str, fields: Mapping[str, Any] = {}, headers: Mapping[str, str] = {}
    ) -> tuple[int, str]:
        answer = self._ask(method, path, urlencode(fields, doseq=True), {**FORM, **headers})
        return answer.status, answer.text

    def expect(self, status: int, path: str, fields: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        answer = self.ask("POST", path, fields, headers)
        assert answer[0] == status, answer
