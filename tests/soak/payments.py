"""Payments of a hostile afternoon, and the paper beside them: those that the phones sent, and what is open by them."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Lock
from typing import Self
from uuid import UUID, uuid4

from tests.server import Server
from tests.soak.afternoon import killed, recount
from tests.soak.phones import JSON, Answer, Phone, Table, tables_at
from tests.views.page import Node, Page

CURRENCY = "points:asszorti"
PHONES = 4


@dataclass(frozen=True)
class Paid:
    """A payment as it stands on paper, between two seats."""

    payer: int
    payee: int
    amount: int


@dataclass
class Payments:
    """A table's circle with the numbers of its players by seat, and on paper every payment sent, by its token."""

    table: Table
    circle: int
    players: tuple[int, ...]
    paper: dict[UUID, Paid] = field(default_factory=dict)
    acknowledged: set[UUID] = field(default_factory=set)
    _turns: Iterator[int] = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def at(cls, table: Table) -> Self:
        """Read the keys of the circle and of the players from the pages of a table that has a hand."""
        settle = table.phones[0].get(f"{table.evening}settle/").page
        circle = int(next(node.attrs["data-circle"] for node in settle.nodes() if "data-circle" in node.attrs))
        shown = table.phones[0].get(f"/circles/{circle}/").page
        by_name = {row.one("bdi").text: int(row.attrs["data-player"]) for row in _balances(shown)}
        return cls(table, circle, tuple(by_name[name] for name in ("Anna", "Béla", "Cili")))

    def book(self, phone: Phone) -> Answer:
        """Book the next payment as a phone does from its outbox."""
        with self._lock:
            turn, token = next(self._turns), uuid4()
            self.paper[token] = Paid(turn % 3, (turn + 1) % 3, 1 + turn % 5)
        return self.send(phone, token)

    def send(self, phone: Phone, token: UUID) -> Answer:
        """Send a payment of the paper, for the first time or again. Raise NoAnswer."""
        paid = self.paper[token]
        between = {"payer": self.players[paid.payer], "payee": self.players[paid.payee], "amount": paid.amount}
        said = {"token": token, **between, "currency": CURRENCY, "for": "", "note": "", "another": "1"}
        answer = phone.post(f"/circles/{self.circle}/repayments/", said, JSON)
        if answer.status == 200:
            with self._lock:
                self.acknowledged.add(token)
        return answer

    def recount(self, server: Server) -> None:
        """Compare the program's records with the paper: each payment acknowledged, once; none that nobody sent; and
        what the circle's page shows as open.
        """
        kept = server.payments(self.circle)
        assert len(kept) == len(set(kept))
        assert self.acknowledged <= set(kept) <= self.paper.keys()
        still_open = self.table.balances(set(server.tokens(self.table.evening)))
        for token in kept:
            paid = self.paper[token]
            still_open[paid.payer] += paid.amount
            still_open[paid.payee] -= paid.amount
        shown = self.table.phones[0].get(f"/circles/{self.circle}/").page
        found = {int(row.attrs["data-player"]): int(row.attrs["data-open"]) for row in _balances(shown)}
        assert [found.get(player, 0) for player in self.players] == [still_open[seat] for seat in range(3)]


def _balances(circle: Page) -> list[Node]:
    """The rows of a circle's page that say what is open to each player."""
    return [row for row in circle.all("li") if {"data-open", "data-player"} <= set(row.attrs)]


def killed_while_paying(server: Server, rounds: int) -> int:
    """Let phones book payments while the server is killed; return the number of payments."""
    with ExitStack() as hanging_up:
        with server.up():
            [table] = hanging_up.enter_context(tables_at(server.port, 1, PHONES))
            assert table.record(table.phones[0]).status == 200
            assert table.phones[0].post(f"{table.evening}end/", {}).status == 302
            payments = Payments.at(table)
        phones = [partial(payments.book, phone) for phone in table.phones]
        return killed(server, rounds, phones, partial(send_again, server, payments))


def send_again(server: Server, payments: Payments) -> int:
    """Send the payments not acknowledged again under their tokens, as an outbox does; return the number of all."""
    table = payments.table
    for phone in table.phones:
        assert phone.get(table.evening).status == 200
    payments.recount(server)
    for token in payments.paper.keys() - payments.acknowledged:
        assert payments.send(table.phones[0], token).status == 200
    payments.recount(server)
    recount(server, [table])
    assert len(server.payments(payments.circle)) == len(payments.paper)
    return len(payments.paper)
