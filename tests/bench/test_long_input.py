"""Cost of the longest input, in multiples of /healthz: ./run test -s tests/bench/test_long_input.py

Every field of every form that can be posted is sent with 300 kB of marks, of spaces and of one letter, with a form's
check that stands and with one that failed; so is every address with a query.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from scorekeeper.db.write_probe import WriteProbe
from sessions_app.models import Evening, User
from tests.views.every_url import Scene, patterns, row_of, taken_back
from tests.views.long_input import BYTES, ENCODED, FORM, GET_FIELDS, bodies

#: Milliseconds of the processor, on the machine of docs/measures.md.
GOAL = 50
SHOWN = 12


@pytest.fixture(autouse=True)
def static_folder() -> None:
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)


@pytest.fixture(autouse=True)
def steady_pulse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test holds the database for itself."""
    monkeypatch.setattr("sessions_app.views.health.probe", WriteProbe(lambda: None))


def taken(ask: Callable[[], Any]) -> float:
    """The milliseconds of the processor that an answer takes, the lesser of two."""
    times = []
    for _turn in range(2):
        begin = time.process_time()
        ask()
        times.append(time.process_time() - begin)
    return min(times) * 1000


def asked(scene: Scene, phone: Client) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The requests: words, and a function that sends it."""
    if "POST" in row_of(scene.path) and scene.name != "demo":
        for kind in ENCODED:
            for name, body in bodies(scene, iter(lambda kind=kind: kind, None)):
                yield (
                    f"POST {scene.name} {name} {kind}",
                    lambda body=body: phone.post(scene.address, body, content_type=FORM),
                )
        for field in (b"&", b"a&", b"a=1&"):
            body = field * (BYTES // len(field))
            yield f"POST {scene.name} {field!r}", lambda body=body: phone.post(scene.address, body, content_type=FORM)
    for name in GET_FIELDS.get(scene.name, ()):
        for kind, text in ENCODED.items():
            address = f"{scene.address}?{name}={text[:60_000].decode()}"
            yield f"GET {scene.name} {name} {kind}", lambda address=address: phone.get(address)


@pytest.mark.parametrize("fails", [False, True], ids=["sound", "failed check"])
def test_what_the_longest_input_costs(
    client_of: Callable[..., Client], keepers: Client, viewers: Client, owner: User, evening: Evening, fails: bool
) -> None:
    phone, costs = client_of(owner), {}
    phone.get("/")
    health = median(taken(lambda: phone.get("/healthz")) for _pulse in range(20))
    for path, pattern in patterns():
        if "POST" not in row_of(path) and pattern.name not in GET_FIELDS:
            continue
        with taken_back(phone):
            scene = Scene(path, evening, owner)
            phone.handler.enforce_csrf_checks = False
            phone.get(scene.address)  # with nothing drawn before
            phone.handler.enforce_csrf_checks = fails
            for what, ask in asked(scene, phone):
                with taken_back(phone):
                    costs[what] = taken(ask)
    print(f"\n/healthz: {health:.2f} ms; {len(costs)} asked")  # noqa: T201
    for what in sorted(costs, key=lambda what: -costs[what])[:SHOWN]:
        print(f"| {what} | {costs[what]:.1f} ms | {costs[what] / health:.1f} |")  # noqa: T201
    assert max(costs.values()) < GOAL
