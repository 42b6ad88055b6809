"""Eight phones that record hands at eight tables, in turn with eight that book bills with ihatemoney, on SQLite both.

./run test -s tests/bench/test_peer.py (with `--goals`, a goal that is missed is a failure). The peer is installed
into a virtual environment of its own, once.
"""

import multiprocessing
import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median

import pytest

from tests.bench import peer, writers
from tests.bench.writers import Turn, Writers
from tests.server import Server

PHONES, ROUNDS, SECONDS, TRIAL = 8, 5, 4, 2
AT_LEAST, AT_MOST = 2.3, 5


def rate(turns: Sequence[Turn], seconds: float) -> float:
    return sum(len(turn.waits) for turn in turns) / seconds


def said(name: str, turns: Sequence[Turn], rates: Sequence[float]) -> str:
    waits = sorted(wait for turn in turns for wait in turn.waits)
    share = sum(turn.used for turn in turns) / (ROUNDS * SECONDS) / (os.cpu_count() or 1)
    times = (median(waits), slow(waits), waits[-1])
    row = [
        name,
        f"{median(rates):.0f} ({min(rates):.0f}–{max(rates):.0f})",
        *(f"{time * 1000:.0f} ms" for time in times),
    ]
    return "| " + " | ".join([*row, f"{slow(waits) / median(waits):.1f}", f"{share:.0%}"]) + " |"


def slow(waits: list[float]) -> float:
    """The shortest wait of the slowest twentieth."""
    return waits[len(waits) * 95 // 100]


def test_hands_beside_the_peers_bills(tmp_path: Path, goals: bool, request: pytest.FixtureRequest) -> None:
    programs, cores = peer.installed(request.config.cache.mkdir("peer")), os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        ours = stack.enter_context(Server(tmp_path).up())
        its = stack.enter_context(peer.served(programs, tmp_path / "peer", cores))
        phones = stack.enter_context(closing(Writers(context, PHONES, writers.phone, ours.port)))
        ways = {
            way: stack.enter_context(closing(Writers(context, PHONES, writers.bookkeeper, its, way)))
            for way in ("form", "api")
        }
        trials = {way: rate(books.write(TRIAL), TRIAL) for way, books in ways.items()}
        way = max(trials, key=lambda way: trials[way])
        phones.write(TRIAL)
        hands, bills = [], []
        for _round in range(ROUNDS):
            hands.append(phones.write(SECONDS))
            bills.append(ways[way].write(SECONDS))
    rates = [[rate(turns, SECONDS) for turns in rounds] for rounds in (hands, bills)]
    print(f"\nThe peer by its form and by its API, tried for {TRIAL} s: {trials}; measured by its {way}")  # noqa: T201
    print("| who writes | a second | median | slowest twentieth | slowest | of the median | clients' share |")  # noqa: T201
    print("|---|---|---|---|---|---|---|")  # noqa: T201
    our_turns = [turn for turns in hands for turn in turns]
    print(said("a hand, ours", our_turns, rates[0]))  # noqa: T201
    print(said("a bill, ihatemoney", [turn for turns in bills for turn in turns], rates[1]))  # noqa: T201
    ratio = median(rates[0]) / median(rates[1])
    print(f"Ours writes {ratio:.2f} times as many; the goal is {AT_LEAST}.")  # noqa: T201
    waits = sorted(wait for turn in our_turns for wait in turn.waits)
    assert not goals or ratio >= AT_LEAST
    assert not goals or slow(waits) <= AT_MOST * median(waits)
