"""Processor time of the program, in multiples of /healthz: ./run test -s tests/bench/test_costs.py

`--through=client` and `--through=server` measure the same with Django's test client, and with the server around it;
`--language=hu` measures the other language, `--game=tarokk` another game; `--goals` makes a failure of a budget that is
missed.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.bench.costs import HEALTHZ, PHONES, Cost
from tests.browser.server import Server
from tests.serving import PROJECT, environment

#: Milliseconds on the machine of the budgets (docs/measures.md).
BUDGETS = {
    "record a hand": 5,
    "the evening's page": 12,
    "the hand form": 12,
    "the live count of a tap": 5,
    "settle up": 12,
    "a poll that finds nothing new": 1,
}


def costs(data: Path, way: str, language: str, game: str) -> dict[str, Cost]:
    server = Server(data, workers=1)
    served: list[str] = []
    try:
        if way == "server":
            server.start()
            served = [str(server.port), *map(str, server.workers())]
        process = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "tests.bench.costs", game, language, way, *served],
            cwd=PROJECT,
            env=environment(data, SCOREKEEPER_HOSTS="localhost"),
            stdout=subprocess.PIPE,
            check=True,
        )
    finally:
        if served:
            server.kill()
    return {what: Cost(*times) for what, times in json.loads(process.stdout).items()}


def mixed(cost: Cost) -> float:
    """Average time of one phone's request, where all phones ask after each hand."""
    if not cost.others:
        return median(cost.first)
    return (median(cost.first) + (PHONES - 1) * median(cost.others)) / PHONES


def test_what_it_costs(tmp_path: Path, goals: bool, request: pytest.FixtureRequest) -> None:
    said = (request.config.getoption(name) for name in ("--through", "--language", "--game"))
    found = costs(tmp_path, *map(str, said))
    pulses = [seconds for cost in found.values() for seconds in cost.health]
    print(f"\n/healthz: {median(pulses) * 1000:.2f} ms, median of {len(pulses)}")  # noqa: T201
    print("| what | ms | multiples of /healthz | budget | met | the first phone | the others |")  # noqa: T201
    print("|---|---|---|---|---|---|---|")  # noqa: T201
    missed = []
    for what, cost in found.items():
        health, budget = median(cost.health), BUDGETS.get(what)
        multiple = mixed(cost) / health
        missed += [what] if budget and multiple > budget / 1000 / HEALTHZ else []
        parts = [f"{median(times) / health:.1f}" for times in (cost.first, cost.others) if cost.others] or ["", ""]
        met = [f"≤ {budget} ms", "no" if what in missed else "yes"] if budget else ["", ""]
        print("|", " | ".join([what, f"{mixed(cost) * 1000:.1f}", f"{multiple:.1f}", *met, *parts]), "|")  # noqa: T201
    assert not (goals and missed), missed
