"""Tables that play on for a quarter of an hour, as fast as they can: ./run test -s tests/soak/test_load.py

SOAK_MINUTES sets a shorter time.
"""

import os
from collections import defaultdict
from itertools import cycle
from pathlib import Path
from uuid import UUID

import pytest

from tests.server import Server
from tests.soak.afternoon import all_at_once, measured, over_in, recount, waits
from tests.soak.phones import Answer, Phone, Table, tables_at
from tests.soak.postgres import either_database

MINUTES = float(os.environ.get("SOAK_MINUTES", "15"))
TABLES, PHONES = 8, 3
#: The requests of a phone in turn: mostly it asks whether there is anything new.
DAY = ("live", "live", "form", "record", "session", "live", "amend", "hand", "live", "void", "ok", "restore", "settle")
#: So much more may the workers hold in the end than after a tenth of the time.
GROWTH = 1.25


class Player:
    """One phone at its table, and the hands that it wrote itself: those alone it changes, so that the paper is sure."""

    def __init__(self, table: Table, phone: Phone, waited: dict[str, list[float]]) -> None:
        self._table, self._phone, self._waited = table, phone, waited
        self._mine: list[UUID] = []
        self._day = cycle(DAY)

    def act(self) -> None:
        what = next(self._day)
        answer = self._does(what)
        self._waited[what].append(answer.seconds)
        assert answer.status in (200, 204, 302), f"{what}: {answer.status} {answer.text[-2000:]}"

    def _does(self, what: str) -> Answer:
        table, phone = self._table, self._phone
        if what == "record":
            token = table.new_hand()
            self._mine.append(token)
            return table.send(phone, token)
        if what == "amend":
            return table.amend(phone, self._mine[-1])
        if what in ("void", "restore"):
            return table.void(phone, self._mine[-1], void=what == "void")
        hand = f"{table.evening}hands/{table.paper[self._mine[-1]].number if self._mine else 1}/"
        if what == "ok":
            return phone.post(f"{hand}mark/", {"mark": "ok"})
        pages = {"live": "live/?v=1", "form": "hands/new/", "session": "", "settle": "settle/"}
        return phone.get(hand if what == "hand" else table.evening + pages[what])


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost_or_refused_and_nothing_grows(tmp_path: Path, database: str) -> None:
    waited: dict[str, list[float]] = defaultdict(list)
    with (
        either_database(database) as url,
        Server(tmp_path, url=url).up() as server,
        tables_at(server.port, TABLES, PHONES) as tables,
    ):
        players = [Player(table, phone, waited) for table in tables for phone in table.phones]
        with measured(server, every=MINUTES * 6) as memory:
            all_at_once([player.act for player in players], over_in(MINUTES * 60))
        hands = recount(server, tables)
    print(f"\n{len(players)} phones on {database}, {MINUTES} minutes: {hands} hands; workers hold {memory} kB")  # noqa: T201
    for what, seconds in waited.items():
        print(f"  {what}: {waits(seconds)}")  # noqa: T201
    assert sum(memory[-1]) <= GROWTH * sum(memory[0])
