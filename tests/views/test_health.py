"""The health check: the process is alive, its database answers, and can be written to."""

import logging
from collections.abc import Callable, Iterator
from itertools import product
from threading import Event
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations import Migration
from django.test import Client

from sessions_app.management import data_version
from sessions_app.models import Evening, Hand, ProbeRow, User
from sessions_app.views import health
from tests.factories import hand_fields, record
from tests.views.failing import DEADLOCK, FULL, GONE, LOCKED, MOVED, full_disk, no_writing
from tests.views.page import ENGLISH, HTMX_HAND_FORM, HUNGARIAN, Page, filled


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


def test_health_checks_answer_to_any_host_by_one_word_alone_and_ready_costs_one_query(
    strangers: Client,
    tries: list[str],
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
    with no_writing(FULL), pytest.raises(OperationalError):
        health.write_and_delete()


@pytest.mark.parametrize(("error", "word"), [(LOCKED, b"locked\n"), (DEADLOCK, b"locked\n"), (FULL, b"full\n")])
def test_health_check_names_why_a_write_fails_while_the_process_is_alive(
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
        assert strangers.get("/healthz").status_code == 200
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


LANGUAGES = ((ENGLISH, "en"), (HUNGARIAN, "hu"))
EACH = [
    pytest.param(LOCKED, "too busy right now", id="locked"),
    pytest.param(DEADLOCK, "too busy right now", id="deadlock"),
    pytest.param(FULL, "disk is full", id="full"),
    pytest.param(MOVED, "was deleted or moved", id="moved"),
    pytest.param(GONE, "is not responding", id="gone"),
]


@pytest.mark.parametrize(("error", "words"), EACH)
def test_a_hand_that_cannot_be_written_comes_back_with_a_button_that_sends_it_again(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]], error: DatabaseError, words: str
):
    address, posted = f"/sessions/{evening.pk}/hands/new/", hand_fields(evening, game_kontra="1")
    before = written()
    for headers in ({}, HTMX_HAND_FORM):
        with no_writing(error):
            response = owners.post(address, posted, headers=headers)
        page = Page.of(response)
        assert response.status_code == 503
        assert 1 <= int(response["Retry-After"]) <= 30
        assert response["Cache-Control"] == "private, no-store"
        assert ("X-Not-Done" in response) is (error is not GONE), "who lost the connection does not know"
        assert words in page.text
        assert page.is_whole
        assert page.links["Home"] == "/"
        again = {name: value for name, value in filled(page.form(address)).items() if name != "csrfmiddlewaretoken"}
        assert again == posted
    assert written() == before
    for _tap in range(2):
        assert owners.post(address, again).status_code == 302
    assert [(str(hand.token), hand.deal) for hand in Hand.objects.all()] == [(posted["token"], "2H 7 K")]


def test_a_page_that_cannot_be_read_can_be_asked_for_again(
    owners: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_args: Any) -> None:
        raise GONE

    monkeypatch.setattr("sessions_app.access._admit", fail)
    for path, (headers, language) in product(("", "hands/new/", "settle/", "live/?v=0"), LANGUAGES):
        address = f"/sessions/{evening.pk}/{path}"
        page = Page.of(owners.get(address, headers=headers), 503)
        assert page.language == language
        assert ("The server's database is not responding." in page.text) is (language == "en")
        assert address in page.links.values()
        assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]


def test_a_field_that_was_sent_twice_is_sent_twice_again_and_all_is_escaped(owners: Client):
    with no_writing(LOCKED):
        page = Page.of(owners.post("/demo/?key=a%26b", {"key": ['"><b>', "é 👍"]}))
    fields = [(node.attrs["name"], node.attrs["value"]) for node in page.form("/demo/?key=a%26b").all("input")]
    assert fields[1:] == [("key", '"><b>'), ("key", "é 👍")]
    assert "<b>" not in page.html


@pytest.mark.parametrize(("error", "tells"), [(LOCKED, False), (MOVED, False), (FULL, True), (GONE, True)])
def test_the_log_has_a_line_for_the_crowd_and_the_whole_story_for_the_rest(
    owners: Client, evening: Evening, caplog: pytest.LogCaptureFixture, error: DatabaseError, tells: bool
):
    with caplog.at_level(logging.WARNING), no_writing(error):
        owners.post(f"/sessions/{evening.pk}/end/")
    said = [line for line in caplog.records if line.name == "sessions_app.views.errors"]
    assert [bool(line.exc_info) for line in said] == [tells]


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
