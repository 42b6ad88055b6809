"""Killed in the midst of writing, again and again."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from tests.server import Server
from tests.soak.afternoon import recount, until_it_dies
from tests.soak.phones import Table, tables_at

TABLES, PHONES = 2, 4


def killed_and_started(server: Server, rounds: int, *, crash: Callable[[], None] = lambda: None) -> int:
    """So many times: phones record until the server is killed, and a `crash` of its database with it; started again, it
    has every hand it acknowledged; the others are sent again, and are there once. Return the number of hands.
    """
    with server.up():
        stack = ExitStack()
        tables = stack.enter_context(tables_at(server.port, TABLES, PHONES))
    with stack:
        for number in range(rounds):
            with server.up():
                send_again(server, tables)
                look(tables)
                phones = [partial(table.record, phone) for table in tables for phone in table.phones]
                until_it_dies(phones, server, hands=5 + number % 7)
                crash()
        with server.up():
            return recount(server, tables)


def send_again(server: Server, tables: list[Table]) -> None:
    """Send the hands not acknowledged again under their tokens, as an outbox does."""
    before = recount(server, tables)
    for table in tables:
        for token in table.paper.keys() - table.acknowledged:
            assert table.send(table.phones[0], token).status == 200
    assert recount(server, tables) == sum(len(table.paper) for table in tables) >= before


def look(tables: list[Table]) -> None:
    for table in tables:
        for phone in table.phones:
            assert phone.get(table.evening).status == 200
