"""48 phones that write all the time: ./run test -s tests/soak/test_writers.py"""

from collections import Counter
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from tests.soak.afternoon import Server, all_at_once, over_in, recount, waits
from tests.soak.phones import Answer, Phone, Table, tables_at
from tests.soak.postgres import either_database

TABLES, PHONES, SECONDS = 16, 3, 20


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_48_writers_all_get_their_turn(tmp_path: Path, database: str) -> None:
    log: list[Answer] = []

    def record(table: Table, phone: Phone) -> None:
        # A writer among others that never pause may find each number taken that it was told is free.
        assert table.record(phone).status in (200, 409)

    with (
        either_database(database) as url,
        Server(tmp_path, url).up() as server,
        tables_at(server.port, TABLES, PHONES, log) as tables,
    ):
        log.clear()
        all_at_once([partial(record, table, phone) for table in tables for phone in table.phones], over_in(SECONDS))
        posts = list(log)
        hands = recount(server, tables)
    seconds = [answer.seconds for answer in posts]
    statuses = dict(Counter(answer.status for answer in posts))
    print(f"\n{TABLES * PHONES} writers on {database}: {hands} hands in {SECONDS} s; {waits(seconds)}; {statuses}")  # noqa: T201
    assert {answer.status for answer in posts} <= {200, 409}, "409: that number was taken, here is the next"
    assert max(seconds) <= max(1, 20 * median(seconds))
