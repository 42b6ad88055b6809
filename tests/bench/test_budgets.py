"""The budgets of docs/measures.md: ./run test -s tests/bench/test_budgets.py (three minutes)

`--game` and `--language` measure another game and the other language; with `--goals`, a budget that is missed is a
failure. Milliseconds are the processor's, on the machine of the budgets: they are compared as multiples of
/healthz/ready.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Browser

from scorekeeper.db.cache import clear_all
from scorekeeper.money import settlement
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, User
from sessions_app.readers.evening import figures
from sessions_app.readers.evening.seating import turn
from sessions_app.writers import evenings, ledger
from tests.bench.costs import HEALTHZ
from tests.bench.walks import FIRST, walked
from tests.bench.wire import wired
from tests.browser.conftest import LOCALES
from tests.browser.phones import NO_WORKER
from tests.server import Server
from tests.serving import PROJECT, environment, prepare
from tests.statistics.generate import generate

#: Milliseconds of a request, after any change.
BUDGETS = {
    "record a hand": 5,
    "the evening's page": 12,
    "the hand form": 12,
    "the live count of a tap": 5,
    "settle up": 12,
    "a poll that finds nothing new": 1,
    "a scrape of the metrics": 150,  # one hundredth of a core, if it comes every 15 seconds
}
#: Milliseconds of a page of a circle with 50 or 1,000 sessions: after a hand, and with empty caches.
BUDGETS_OF_A_CIRCLE = {
    "home": (20, 60),
    "past sessions": (20, None),
    "circle": (20, 60),
    "player": (20, 60),
    "statistics of the circle": (60, 400),
    "the same of a year": (60, 400),
    "statistics of a player": (60, 400),
    "the sessions behind a figure": (60, 400),
    "year": (60, 400),
}
#: Bytes over the wire, compressed, heads and bodies.
WEIGHT_OF_FIRST_VISIT, WEIGHT_OF_STEP = 60_000, 8_000
TIMES = 7


def test_requests_of_an_evening_keep_their_budgets(tmp_path: Path, goals: bool, request: pytest.FixtureRequest) -> None:
    options = [str(request.config.getoption(name)) for name in ("--game", "--language")]
    prepare(tmp_path)
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.bench.costs", *options],
        cwd=PROJECT,
        env=environment(tmp_path, SCOREKEEPER_HOSTS="localhost", SCOREKEEPER_METRICS_TOKEN="f3a1c5d7e9b2f4a6c8d0"),
        stdout=subprocess.PIPE,
        check=True,
    )
    say("what", "ms", "multiples of /healthz/ready", "budget", "met")
    missed = []
    for what, (times, health) in json.loads(process.stdout).items():
        multiple = median(times) / median(health)
        missed += [what] if multiple > BUDGETS[what] / 1000 / HEALTHZ else []
        met = "no" if what in missed else "yes"
        say(what, f"{median(times) * 1000:.1f}", f"{multiple:.1f}", f"{BUDGETS[what]} ms", met)
    assert not (goals and missed), missed


@pytest.mark.parametrize("sessions", [1000, 50])
@pytest.mark.django_db(transaction=True)
def test_pages_of_a_large_circle_keep_their_budgets(owner: User, owners: Client, goals: bool, sessions: int) -> None:
    circle = generate(owner, sessions=sessions, hands=40, players=30, distinct=min(sessions, 90))
    health = median(used(lambda: owners.get("/healthz/ready")) for _time in range(100))
    slower = health / HEALTHZ  # than the machine of the budgets, by so much
    say("times slower than the machine of the budgets", f"{slower:.2f}")
    changes: tuple[Callable[[], object], ...] = (
        empty_caches,
        lambda: end_or_reopen(circle),
        lambda: throw_in(circle, owner),
        lambda: None,
    )
    say("page", "nothing kept", "a session ended", "a hand", "nothing new", "budget", "nothing kept", "met")
    missed = []
    for what, address in addresses(circle):
        found = []
        for change in changes:
            times = []
            for _time in range(TIMES):
                change()
                times.append(used(lambda address=address: owners.get(address)))  # type: ignore[misc]
            found.append(median(times) * 1000)
        warm, cold = BUDGETS_OF_A_CIRCLE[what]
        is_met = max(found[2:]) <= warm * slower and (cold is None or found[0] <= cold * slower)
        missed += [] if is_met else [what]
        say(what, *(f"{ms:.1f}" for ms in found), warm, cold or "", "yes" if is_met else "no")
    assert not (goals and missed), missed


def addresses(circle: Circle) -> Iterator[tuple[str, str]]:
    player = circle.players.order_by("pk").values_list("pk", flat=True)[0]
    yield "home", "/"
    yield "past sessions", "/sessions/?state=all"
    yield "circle", f"/circles/{circle.pk}/"
    yield "player", f"/circles/{circle.pk}/players/{player}/"
    yield "statistics of the circle", f"/circles/{circle.pk}/statistics/"
    yield "the same of a year", f"/circles/{circle.pk}/statistics/?period=year"
    yield "statistics of a player", f"/circles/{circle.pk}/players/{player}/statistics/"
    yield "the sessions behind a figure", f"/circles/{circle.pk}/players/{player}/statistics/won/"
    yield "year", f"/circles/{circle.pk}/years/2026/"


def used(ask: Callable[[], object]) -> float:
    """Return the processor time of a request, in seconds."""
    begin = time.process_time()
    ask()
    return time.process_time() - begin


def empty_caches() -> None:
    clear_all()
    figures._played.cache_clear()
    settlement._lines.cache_clear()


def end_or_reopen(circle: Circle) -> None:
    last = Evening.objects.filter(circle=circle).latest("started_at")
    (evenings.reopen if last.has_ended else evenings.end)(last.pk)


def throw_in(circle: Circle, by: User) -> None:
    """Record a hand that was thrown in: it raises the version of the last evening, which runs."""
    evening = Evening.objects.filter(circle=circle).latest("started_at")
    evenings.reopen(evening.pk)
    evening.refresh_from_db()
    facts = Facts(turn(evening).dealer)
    ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)


def test_steps_of_an_evening_keep_their_weight_over_the_wire(
    tmp_path: Path,
    browser: Browser,
    browser_context_args: dict[str, object],
    goals: bool,
    request: pytest.FixtureRequest,
) -> None:
    """Without a service worker, as by plain http in the room: with one, a phone fetches pages for later as well."""
    game, language = (str(request.config.getoption(name)) for name in ("--game", "--language"))
    with Server(tmp_path, workers=1).up() as server, wired(server.port) as wire:
        own = {"base_url": f"http://localhost:{wire.port}", "locale": LOCALES[language]}
        context = browser.new_context(**browser_context_args | own)
        context.add_init_script(NO_WORKER)
        steps = walked(wire, server.port, context, game)
        context.close()
    say("step", "answers", "bytes", "bodies alone", "budget", "met", "for later")
    missed = []
    for step, answers in steps.items():
        now = [answer for answer in answers if not answer.is_for_later]
        weight, bodies = sum(answer.bytes for answer in now), sum(answer.body for answer in now)
        later = sum(answer.bytes for answer in answers) - weight
        budget = WEIGHT_OF_FIRST_VISIT if step == FIRST else WEIGHT_OF_STEP
        missed += [step] if weight > budget else []
        met = "no" if step in missed else "yes"
        say(step, len(now), f"{weight:,}", f"{bodies:,}", f"{budget:,}", met, f"{later:,}")
    assert not (goals and missed), missed


def say(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |")  # noqa: T201
