"""Processor time of the lists over books of 50 to 50,000 sessions: ./run test -s tests/bench/test_past.py

In multiples of /healthz, by Django's test client, as the user of all circles. The sessions have two hands each: a list
reads no hand.
"""

import time
from collections.abc import Iterator
from statistics import median

import pytest
from django.test import Client

from sessions_app.models import Circle, User
from tests.statistics.generate import generate

#: Multiples of /healthz for a list.
GOAL = 20
TIMES = 15
#: Sessions, and the circles that they are in.
BOOKS = ((50, 1), (1_000, 1), (50_000, 10))


def times(client: Client, path: str) -> Iterator[float]:
    """The processor times of a page, in seconds, once it was asked for."""
    client.get(path)
    for _time in range(TIMES):
        begin = time.process_time()
        client.get(path)
        yield time.process_time() - begin


def addresses(circle: Circle) -> Iterator[tuple[str, str]]:
    player = circle.players.order_by("pk").values_list("pk", flat=True)[0]
    oldest = circle.evenings.order_by("started_at", "pk")[5].started_at
    yield "home", "/"
    yield "the first page", "/sessions/"
    yield "filtered by game and player", f"/sessions/?game=tarokk&player={player}"
    yield "searched", "/sessions/?q=anna+nevnap"
    yield "searched, nothing found", "/sessions/?q=nobody"
    yield "the last page", f"/sessions/?after={oldest:%Y-%m-%d}"
    yield "a circle", f"/circles/{circle.pk}/"


@pytest.mark.parametrize(("sessions", "circles"), BOOKS)
@pytest.mark.django_db(transaction=True)
def test_what_lists_cost(owner: User, owners: Client, goals: bool, sessions: int, circles: int) -> None:
    made = generate(owner, sessions=sessions, hands=2, players=30 * circles, circles=circles, distinct=90)
    print(f"\n{sessions} sessions\n| page | ms | multiples of /healthz | goal |\n|---|---|---|---|")  # noqa: T201
    missed = []
    for what, address in addresses(made[0]):
        # Side by side, as other programs slow both down.
        health, page = (median(times(owners, path)) for path in ("/healthz", address))
        missed += [what] if page / health > GOAL else []
        figures = f"{page * 1000:.1f} | {page / health:.0f}"
        print(f"| {what} | {figures} | {'no' if what in missed else 'yes'} |")  # noqa: T201
    assert not (goals and missed), missed
