"""Cost of compression at the server, and the bytes it saves on the wire. By hand: ./run test -s
tests/bench/test_compression.py
"""

from collections.abc import Callable
from statistics import median
from time import thread_time

from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import record

ROUNDS = 40
#: A compressed page takes at most so many times the processor's time of the same page as it is.
AT_MOST = 1.3


def cost(ask: Callable[[], object]) -> float:
    """The processor's time of one call: other programs have no part in it."""
    begin = thread_time()
    ask()
    return thread_time() - begin


def test_a_compressed_page_costs_little_more(owners: Client, owner: User, evening: Evening) -> None:
    for _hand in range(40):
        record(evening, owner)
    ratios = {}
    for path in ("/", "/sessions/{}/", "/sessions/{}/hands/new/", "/sessions/{}/settle/", "/sessions/"):

        def ask(encoding: str, address: str = path.format(evening.pk)) -> bytes:
            return bytes(owners.get(address, headers={"accept-encoding": encoding}).content)

        costs = [(cost(lambda: ask("identity")), cost(lambda: ask("gzip"))) for _round in range(ROUNDS)]
        plain, zipped = (median(times) for times in zip(*costs, strict=True))
        ratios[path] = zipped / plain
        sizes = f"{len(ask('identity'))} -> {len(ask('gzip'))} bytes"
        print(f"\n{path}: {sizes}, {plain * 1000:.1f} -> {zipped * 1000:.1f} ms")  # noqa: T201
    assert max(ratios.values()) <= AT_MOST, ratios
