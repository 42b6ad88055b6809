"""The health check: the process is alive, its database answers, and can be written to."""

import logging
from collections.abc import Callable
from itertools import product
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations import Migration
from django.test import Client

from sessions_app.management import data_version
from sessions_app.models import Evening, Hand, ProbeRow, User
from sessions_app.views import health
from tests.factories import hand_fields, record
from tests.ledger.books import nothing_written
from tests.views.failing import DEADLOCK, FULL, GONE, LOCKED, MOVED, full_disk, no_writing
from tests.views.page import ENGLISH, HTMX_HAND_FORM, HUNGARIAN, Page, filled


class Clock:
    now = 0.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[float]:
    """The times of the tries to write from now on; each is on the disk before the next."""
    made: list[float] = []

    def write() -> None:
        made.append(clock.now)
        health.write_and_delete()

    monkeypatch.setattr("sessions_app.views.health.probe", health.WriteProbe(write, lambda: clock.now))
    monkeypatch.setattr(health, "WAIT", 20)
    return made


def test_health_checks_answer_to_any_host_by_one_word_alone_and_ready_costs_one_query(
    strangers: Client,
    tries: list[float],
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[..., Any],
):
    monkeypatch.setattr(health, "write_and_delete", lambda: None)
    for path, number in (("/healthz/ready", 1), ("/healthz", 0)):
        for host in ("192.0.2.1:8000", "localhost", "elsewhere.example"):
            with django_assert_num_queries(number):
                response = strangers.get(path, headers={"host": host})
            assert (response.status_code, response.content) == (200, b"ok\n")
            assert not response.cookies
    for path in ("/", "/healthz/", "/healthz/ready/"):
        assert strangers.get(path, headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("tries")
def test_database_that_lacks_a_migration_is_not_ready(monkeypatch: pytest.MonkeyPatch, clock: Clock):
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
    client = Client()
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", Mock(side_effect=OperationalError("the database is down")))
        response = client.get("/healthz/ready")
        assert response.status_code == 503
        assert b"does not answer" in response.content
        assert b"the database is down" not in response.content, "no internals to whoever asks"
        assert response["Cache-Control"] == "private, no-store"
    assert client.get("/healthz/ready").status_code == 200


def test_writing_is_tried_now_and_then_and_not_at_each_question(
    strangers: Client, tries: list[float], clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "write_and_delete", lambda: None)
    for clock.now in (0, 0.5, 0.9, 1, 1.5, 1.9, 2, 90):
        assert strangers.get("/healthz/ready").content == b"ok\n"
    assert tries == [0, 1, 2, 90]


@pytest.mark.django_db(transaction=True)
def test_the_try_is_a_real_one_and_leaves_nothing(tries: list[float]):
    assert Client().get("/healthz/ready").content == b"ok\n"
    assert (len(tries), ProbeRow.objects.count()) == (1, 0)
    with no_writing(FULL), pytest.raises(OperationalError):
        health.write_and_delete()


def test_health_check_names_why_a_write_fails_while_the_process_is_alive(
    strangers: Client, tries: list[float], clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    for begun, error, word in ((0, LOCKED, b"locked\n"), (2, DEADLOCK, b"locked\n"), (4, FULL, b"full\n")):
        monkeypatch.setattr(health, "write_and_delete", Mock(side_effect=error))
        for clock.now in (begun, begun + 0.9):
            response = strangers.get("/healthz/ready")
            assert (response.status_code, response.content) == (503, word)
            assert strangers.get("/healthz").status_code == 200
        monkeypatch.setattr(health, "write_and_delete", lambda: None)
        clock.now = begun + 1
        assert strangers.get("/healthz/ready").status_code == 200
    assert tries == [0, 1, 2, 3, 4, 5]


def test_one_write_probe_waits_and_a_stuck_queue_is_503(
    strangers: Client, tries: list[float], clock: Clock, monkeypatch: pytest.MonkeyPatch
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


#: Each error, what is said of it, and whether the log has the whole story or, for a crowd, a line.
EACH = (
    *((LOCKED, "too busy right now", False), (DEADLOCK, "too busy right now", False), (FULL, "disk is full", True)),
    *((MOVED, "was deleted or moved", False), (GONE, "is not responding", True)),
)


@pytest.mark.parametrize(("error", "words", "tells"), EACH, ids=["locked", "deadlock", "full", "moved", "gone"])
def test_a_hand_that_cannot_be_written_is_logged_and_comes_back_with_a_button_that_sends_it_again(
    owners: Client, evening: Evening, caplog: pytest.LogCaptureFixture, error: DatabaseError, words: str, tells: bool
):
    address, posted = f"/sessions/{evening.pk}/hands/new/", hand_fields(evening, game_kontra="1")
    for headers in ({}, HTMX_HAND_FORM):
        with caplog.at_level(logging.WARNING), nothing_written(), no_writing(error):
            response = owners.post(address, posted, headers=headers)
        page = Page.of(response, 503)
        assert 1 <= int(response["Retry-After"]) <= 30
        assert response["Cache-Control"] == "private, no-store"
        assert ("X-Not-Done" in response) is (error is not GONE), "who lost the connection does not know"
        assert words in page.text
        assert page.is_whole
        assert page.links["Home"] == "/"
        again = {name: value for name, value in filled(page.form(address)).items() if name != "csrfmiddlewaretoken"}
        assert again == posted
    said = [bool(line.exc_info) for line in caplog.records if line.name == "sessions_app.views.errors"]
    assert said == [tells, tells]
    for _tap in range(2):
        assert owners.post(address, again).status_code == 302
    assert [(str(hand.token), hand.deal) for hand in Hand.objects.all()] == [(posted["token"], "2H 7 K")]


def test_a_page_that_cannot_be_read_can_be_asked_for_again(
    owners: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sessions_app.access._admit", Mock(side_effect=GONE))
    for path, headers in product(("", "hands/new/", "settle/", "live/?v=0"), (ENGLISH, HUNGARIAN)):
        address = f"/sessions/{evening.pk}/{path}"
        page = Page.of(owners.get(address, headers=headers), 503)
        assert page.language == headers["Accept-Language"]
        assert ("The server's database is not responding." in page.text) is (headers == ENGLISH)
        assert address in page.links.values()
        assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]


def test_a_field_that_was_sent_twice_is_sent_twice_again_and_all_is_escaped(owners: Client):
    with no_writing(LOCKED):
        page = Page.of(owners.post("/demo/?key=a%26b", {"key": ['"><b>', "é 👍"]}))
    fields = [(node.attrs["name"], node.attrs["value"]) for node in page.form("/demo/?key=a%26b").all("input")]
    assert fields[1:] == [("key", '"><b>'), ("key", "é 👍")]
    assert "<b>" not in page.html


@pytest.mark.django_db(transaction=True)
def test_on_a_full_disk_all_that_was_acknowledged_is_there_and_the_rest_can_be_sent_again(
    owners: Client, owner: User, evening: Evening, post_hand: Callable[..., Any]
):
    record(evening, owner, "2H 7")
    owners.get(f"/sessions/{evening.pk}/")  # it is noted that the phone follows
    answers = []
    with full_disk():
        while not answers or answers[-1].status_code == 302:
            answers.append(post_hand(owners, evening))
        assert owners.get(f"/sessions/{evening.pk}/").status_code == 200
    page = Page.of(answers.pop(), 503)
    assert "disk is full" in page.text
    assert evening.hands.count() == 1 + len(answers)
    address = f"/sessions/{evening.pk}/hands/new/"
    assert owners.post(address, filled(page.form(address))).status_code == 302
    assert evening.hands.count() == 2 + len(answers)
