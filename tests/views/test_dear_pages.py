"""Dear pages: one is made at a time in a worker, others go on meanwhile, and a user is given so much an hour."""

import time
from collections.abc import Callable
from threading import Lock

import pytest
from django.test import Client

from sessions_app import dear_pages
from sessions_app.models import Circle, Evening, User
from tests.factories import UserFactory, evening_of
from tests.views.page import Page, filled

pytestmark = pytest.mark.django_db
#: The pages and files of a circle, and of an evening.
PATHS = (
    *("", "statistics/", "players/{player}/statistics/", "players/{player}/statistics/points/", "years/2026/"),
    *("export.csv", "export.xlsx", "export.json"),
)
OF_EVENING = ("settle/", "export.csv", "export.xlsx", "export.json", "print/")


@pytest.fixture(autouse=True)
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page of a circle is dear, and waits for no time."""
    monkeypatch.setattr(dear_pages, "DEAR", 0)
    monkeypatch.setattr(dear_pages, "SECONDS_TO_WAIT", 0)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Lock:
    """Somebody's turn, which does not end."""
    lock = Lock()
    lock.acquire()
    monkeypatch.setattr(dear_pages, "_turn", lock)
    return lock


def of(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/"


@pytest.mark.parametrize(
    "path",
    [*(f"/circles/{{circle}}/{path}" for path in PATHS), *(f"/sessions/{{evening}}/{path}" for path in OF_EVENING)],
)
def test_dear_page_waits_for_its_turn_and_is_refused_in_words(
    owners: Client, evening: Evening, taken: Lock, path: str
) -> None:
    player = evening.seats.values_list("player", flat=True)[0]
    address = path.format(circle=evening.circle_id, evening=evening.pk, player=player)
    assert owners.get(address).status_code == 200, "it was not known to be dear"
    refused = owners.get(address)
    assert refused.status_code == 429
    assert refused["Retry-After"] == "0"
    assert "no-store" in refused["Cache-Control"]
    assert "The server is busy with other large pages." in Page.of(refused).text
    taken.release()
    assert owners.get(address).status_code == 200
    assert owners.get(address).status_code == 200, "the turn was given back"


def test_pages_of_others_and_of_the_table_go_on_beside_a_dear_one(
    owners: Client, client_of: Callable[[User | None], Client], evening: Evening, taken: Lock
) -> None:
    owners.get(of(evening))
    other = UserFactory()
    assert client_of(other).get(of(evening_of(other))).status_code == 200
    for path in ("", "hands/new/", "members/", "table/"):
        assert owners.get(f"/sessions/{evening.pk}/{path}").status_code == 200


def test_stranger_takes_no_turn(owners: Client, strangers: Client, evening: Evening, taken: Lock) -> None:
    owners.get(of(evening))
    assert strangers.get(of(evening)).status_code == 404


def test_user_who_has_used_up_his_hour_is_refused_and_others_are_not(
    owners: Client, keepers: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dear_pages, "ALLOWED", 1)
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "thread_time", lambda: next(ticks))
    owners.get(of(evening))
    refused = owners.get(f"{of(evening)}statistics/")
    assert refused.status_code == 429
    assert 3590 < int(refused["Retry-After"]) <= 3600
    assert "opened too often" in Page.of(refused).text
    assert keepers.get(of(evening)).status_code == 200
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 3601)
    assert owners.get(of(evening)).status_code == 200


def test_refused_payment_comes_with_its_fields_to_be_sent_again(owners: Client, evening: Evening, taken: Lock) -> None:
    owners.get(of(evening))
    refused = owners.post(f"{of(evening)}repayments/", {"amount": "12", "currency": "HUF"})
    assert refused.status_code == 429
    again = filled(Page.of(refused).form(f"{of(evening)}repayments/"))
    assert {"amount": "12", "currency": "HUF"}.items() <= again.items()
    assert not Circle.objects.get(pk=evening.circle_id).repayments.exists()


def test_costs_of_so_many_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dear_pages, "MOST", 3)
    costs = dear_pages.Costs()
    for key in ("a", "b", "c", "a", "d"):
        costs.add(key, 1)
    assert [costs.of(key)[0] for key in "abcd"] == [2, 0, 1, 1]


def test_long_page_makes_way_for_those_that_wait_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, free = Lock(), []
    monkeypatch.setattr(dear_pages, "_turn", turn)
    monkeypatch.setattr(time, "sleep", lambda _seconds: free.append(not turn.locked()))
    dear_pages.make_way()
    with dear_pages.measured("circle", "user"):
        dear_pages.make_way()
    with dear_pages.measured("circle", "user"):
        assert turn.locked(), "it is known to be dear"
        dear_pages.make_way()
        assert turn.locked()
    assert free == [True, True, True]
    assert not turn.locked()
