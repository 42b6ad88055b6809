"""Processor time of a circle's pages with 1,000 evenings: ./run test -s tests/bench/test_statistics.py

In milliseconds and in multiples of /healthz, by Django's test client; with `--goals`, a missed budget is a failure.
Cold: nothing of the circle is cached, as after the start of a process. Ended: an evening has ended, or was reopened.
A hand: the running evening has a new hand. Warm: nothing has changed since the last visit.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.db.cache import clear_all
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, User
from sessions_app.readers import evening_figures
from sessions_app.readers.next_deal import turn
from sessions_app.writers import evenings, ledger
from tests.bench.costs import HEALTHZ
from tests.statistics.generate import generate

TIMES = 7


def used(ask: Callable[[], object]) -> float:
    """The processor time of a request, in seconds."""
    begin = time.process_time()
    ask()
    return time.process_time() - begin


def forget() -> None:
    clear_all()
    evening_figures._played.cache_clear()


def ended_or_reopened(circle: Circle) -> None:
    """End the circle's last evening, or reopen it."""
    last = Evening.objects.filter(circle=circle).latest("started_at")
    (evenings.reopen if last.has_ended else evenings.end)(last.pk)


def thrown_in(circle: Circle, by: User) -> None:
    """Record a hand that was thrown in: it raises the version of the last evening, which runs."""
    evening = Evening.objects.filter(circle=circle).latest("started_at")
    evenings.reopen(evening.pk)
    evening.refresh_from_db()
    facts = Facts(turn(evening).dealer)
    ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)


def addresses(circle: Circle) -> Iterator[tuple[str, str, int, int | None]]:
    """Yield pages with their budgets in ms: one that nothing has changed since, and one with nothing kept."""
    player = circle.players.order_by("pk").values_list("pk", flat=True)[0]
    yield "home", "/", 20, None
    yield "past sessions", "/sessions/?state=all", 20, None
    yield "circle", f"/circles/{circle.pk}/", 20, 60
    yield "player", f"/circles/{circle.pk}/players/{player}/", 20, 60
    yield "statistics of the circle", f"/circles/{circle.pk}/statistics/", 60, 400
    yield "the same of a year", f"/circles/{circle.pk}/statistics/?period=year", 60, 400
    yield "statistics of a player", f"/circles/{circle.pk}/players/{player}/statistics/", 60, 400
    yield "the sessions behind a figure", f"/circles/{circle.pk}/players/{player}/statistics/won/", 60, 400
    yield "year", f"/circles/{circle.pk}/years/2026/", 60, 400


@pytest.mark.django_db(transaction=True)
def test_what_statistics_cost(owner: User, owners: Client, goals: bool) -> None:
    (circle,) = generate(owner, sessions=1000, hands=40, players=30, distinct=90)
    health = median(used(lambda: owners.get("/healthz")) for _time in range(100))
    quiet = health / HEALTHZ  # slower than the machine of the budgets by so much
    print(f"\n/healthz: {health * 1000:.2f} ms")  # noqa: T201
    print("| page | cold | ended | a hand | warm | budget, warm | budget, cold | met |\n" + "|---" * 8 + "|")  # noqa: T201
    missed = []
    for what, address, warm, cold in addresses(circle):
        changes: tuple[Callable[[], object], ...] = (
            forget,
            lambda: ended_or_reopened(circle),
            lambda: thrown_in(circle, owner),
            lambda: None,
        )
        found = []
        for change in changes:
            times = []
            for _time in range(TIMES):
                change()
                times.append(used(lambda address=address: owners.get(address)))  # type: ignore[misc]
            found.append(median(times) * 1000)
        is_met = found[-1] <= warm * quiet and (cold is None or found[0] <= cold * quiet)
        missed += [] if is_met else [what]
        figures = " | ".join(f"{ms:.1f} ({ms / health / 1000:.0f}×)" for ms in found)
        print(f"| {what} | {figures} | {warm} | {cold or ''} | {'yes' if is_met else 'no'} |")  # noqa: T201
    assert not (goals and missed), missed
