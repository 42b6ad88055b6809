"""A large circle asks for what it likes, beside another table: ./run test -s tests/bench/test_large_circle.py

A guest has 800 sessions with 600 names, and asks for statistics of another day each time. Said are the memory of the
workers before and after 100 of these, and how long a save takes at another table, beside none, two and eight such
connections.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from statistics import median
from threading import Event

from tests.serving import PROJECT, environment
from tests.soak.afternoon import Server
from tests.soak.phones import Answer, Phone, tables_at

SAVES, REQUESTS = 200, 100
GENERATE = """
import django
django.setup()
from sessions_app.models import User
from tests.statistics.generate import generate
[circle] = generate(User.objects.earliest("pk"), sessions=800, hands=2, players=600, distinct=90)
print(circle.pk)
"""


def large_circle(data: Path) -> int:
    """Give the first guest a large circle, and return its key."""
    made = subprocess.run(  # noqa: S603
        [sys.executable, "-c", GENERATE], cwd=PROJECT, env=environment(data), capture_output=True, text=True, check=True
    )
    return int(made.stdout)


def memory_of(worker: int) -> float:
    """Return the memory of a process in MB."""
    lines = Path(f"/proc/{worker}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmRSS"))


@contextmanager
def asking(phones: list[Phone], address: Callable[[], str], answers: list[Answer]) -> Iterator[None]:
    """Let each phone ask without a pause."""
    over = Event()

    def ask(phone: Phone) -> None:
        while not over.is_set():
            answers.append(phone.get(address()))

    with ThreadPoolExecutor(max(1, len(phones))) as pool:
        asked = [pool.submit(ask, phone) for phone in phones]
        try:
            yield
        finally:
            over.set()
    for each in asked:
        each.result()


def test_large_circle_beside_another_table(tmp_path: Path) -> None:
    with (
        Server(tmp_path).up() as server,
        tables_at(server.port, 1, 1) as [guest],
        tables_at(server.port, 1, 1) as [table],
    ):
        circle, days = large_circle(tmp_path), count()

        def address() -> str:
            return f"/circles/{circle}/statistics/?from={date(2024, 1, 1) + timedelta(days=next(days))}"

        def waits(connections: int) -> str:
            phones = [guest.phones[0].twin() for _connection in range(connections)]
            answers: list[Answer] = []
            with asking(phones, address, answers):
                seconds = sorted(table.record(table.phones[0]).seconds * 1000 for _save in range(SAVES))
            for phone in phones:
                phone.close()
            slow = seconds[-SAVES // 20 :]
            statuses = dict(Counter(answer.status for answer in answers))
            return f"{median(seconds):.0f} | {median(slow):.0f} | {seconds[-1]:.0f} | {statuses}"

        print("\n| beside | a save waits, ms | the slowest twentieth | the slowest | answers |\n|---|---|---|---|---|")  # noqa: T201
        for connections in (0, 2, 8):
            print(f"| {connections} connections | {waits(connections)} |")  # noqa: T201
        before = max(map(memory_of, server.workers))
        asked = Counter(guest.phones[0].get(address()).status for _request in range(REQUESTS))
        after = max(map(memory_of, server.workers))
        print(f"{REQUESTS} requests, {dict(asked)}: a worker holds {after:.0f} MB, and {before:.0f} before")  # noqa: T201
