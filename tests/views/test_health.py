"""The health check: the process is alive, its database answers, and can be written to."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations import Migration
from django.test import Client

from sessions_app.management import data_version
from sessions_app.models import ProbeRow
from sessions_app.views import health
from tests.views.failing import DEADLOCK, FULL, LOCKED, no_writing


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[list[str]]:
    """The results of the tries to write from now on: '' or an error's words; each is on the disk before the next."""
    made: list[str] = []

    def write() -> None:
        made.append("")
        health.write_and_delete()

    monkeypatch.setattr("sessions_app.views.health.probe", health.WriteProbe(write, clock))
    monkeypatch.setattr(health, "WAIT", 20)
    return made


def test_ready_costs_one_query_and_alive_none(
    strangers: Client, tries: list[str], django_assert_num_queries: Callable[..., object]
):
    for path, number in (("/healthz/ready", 1), ("/healthz", 0)):
        with django_assert_num_queries(number):
            strangers.get(path)


def test_health_checks_answer_to_any_host_by_one_word_alone(
    strangers: Client, tries: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "write_and_delete", lambda: None)
    for path in ("/healthz", "/healthz/ready"):
        for host in ("192.0.2.1:8000", "localhost", "elsewhere.example"):
            response = strangers.get(path, headers={"host": host})
            assert (response.status_code, response.content) == (200, b"ok\n")
            assert not response.cookies
    for path in ("/", "/healthz/", "/healthz/ready/"):
        assert strangers.get(path, headers={"host": "elsewhere.example"}).status_code == 400


def test_process_is_alive_while_its_database_is_not_ready(
    strangers: Client, tries: list[str], monkeypatch: pytest.MonkeyPatch
):
    def write() -> None:
        raise LOCKED

    monkeypatch.setattr(health, "write_and_delete", write)
    assert [strangers.get(path).status_code for path in ("/healthz/ready", "/healthz")] == [503, 200]


@pytest.mark.django_db(transaction=True)
def test_database_that_lacks_a_migration_is_not_ready(tries: list[str], monkeypatch: pytest.MonkeyPatch, clock: Clock):
    tomorrow = {("sessions_app", "9999_of_tomorrow"): Migration("9999_of_tomorrow", "sessions_app")}
    with_tomorrow = data_version._on_disk() | tomorrow
    health.refuse_unmigrated.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(data_version, "_on_disk", lambda: with_tomorrow)
        response = Client().get("/healthz/ready")
        assert (response.status_code, response.content) == (503, b"unmigrated\n")
    clock.now = 1
    assert Client().get("/healthz/ready").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_health_check_is_503_while_the_database_is_down(monkeypatch: pytest.MonkeyPatch):
    def down(*_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("the database is down")

    client = Client()
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", down)
        response = client.get("/healthz/ready")
        assert response.status_code == 503
        assert b"does not answer" in response.content
        assert b"the database is down" not in response.content, "no internals to whoever asks"
        assert response["Cache-Control"] == "private, no-store"
    assert client.get("/healthz/ready").status_code == 200


def test_writing_is_tried_now_and_then_and_not_at_each_question(
    strangers: Client, tries: list[str], clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "write_and_delete", lambda: None)
    for clock.now in (0, 0.5, 0.9, 1, 1.5, 1.9, 2, 90):
        assert strangers.get("/healthz/ready").content == b"ok\n"
    assert len(tries) == 4


@pytest.mark.django_db(transaction=True)
def test_the_try_is_a_real_one_and_leaves_nothing(tries: list[str]):
    assert Client().get("/healthz/ready").content == b"ok\n"
    assert (len(tries), ProbeRow.objects.count()) == (1, 0)


@pytest.mark.parametrize(("error", "word"), [(LOCKED, b"locked\n"), (DEADLOCK, b"locked\n"), (FULL, b"full\n")])
def test_health_check_names_why_a_write_fails(
    strangers: Client,
    tries: list[str],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    error: DatabaseError,
    word: bytes,
):
    def write() -> None:
        raise error

    monkeypatch.setattr(health, "write_and_delete", write)
    for clock.now in (0, 0.9):
        response = strangers.get("/healthz/ready")
        assert (response.status_code, response.content) == (503, word)
    monkeypatch.setattr(health, "write_and_delete", lambda: None)
    clock.now = 1
    assert strangers.get("/healthz/ready").status_code == 200
    assert len(tries) == 2


def test_one_write_probe_waits_and_a_stuck_queue_is_503(
    strangers: Client, tries: list[str], clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    turn = Event()
    monkeypatch.setattr(health, "write_and_delete", turn.wait)
    monkeypatch.setattr(health, "WAIT", 0.01)
    for clock.now, status in ((0, 503), (0.9, 503), (7, 503), (60, 503)):
        assert strangers.get("/healthz/ready").status_code == status
    assert strangers.get("/healthz/ready").content == b"locked\n"
    assert len(tries) == 1, "one waits, and no others behind it"
    waiting = health.probe._trying
    assert waiting
    turn.set()
    waiting.join()
    monkeypatch.setattr(health, "WAIT", 20)
    assert strangers.get("/healthz/ready").status_code == 200


def test_write_probe_writes(db: None):
    with no_writing(FULL), pytest.raises(OperationalError):
        health.write_and_delete()
