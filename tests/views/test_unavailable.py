"""The 503 page of a database error: it has the posted fields in it, and its button sends them again."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client

from sessions_app.models import Evening, Hand, User
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.failing import DEADLOCK, FULL, GONE, LOCKED, MOVED, full_disk, no_writing
from tests.views.page import ENGLISH, HUNGARIAN, Page, filled

EACH = [
    pytest.param(LOCKED, "too busy right now", id="locked"),
    pytest.param(DEADLOCK, "too busy right now", id="deadlock"),
    pytest.param(FULL, "disk is full", id="full"),
    pytest.param(MOVED, "was deleted or moved", id="moved"),
    pytest.param(GONE, "is not responding", id="gone"),
]


@pytest.mark.parametrize(("error", "words"), EACH)
@pytest.mark.parametrize("headers", first(1, [{}, {"HX-Request": "true", "HX-Target": "form#hand-form"}]))
def test_a_hand_that_cannot_be_written_comes_back_with_a_button_that_sends_it_again(
    owners: Client,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    error: DatabaseError,
    words: str,
    headers: dict[str, str],
):
    address, posted = f"/sessions/{evening.pk}/hands/new/", hand_fields(evening, game_kontra="1")
    before = written()
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
    assert written() == before
    again = {name: value for name, value in filled(page.form(address)).items() if name != "csrfmiddlewaretoken"}
    assert again == posted
    for _tap in range(2):
        assert owners.post(address, again).status_code == 302
    assert [(str(hand.token), hand.deal) for hand in Hand.objects.all()] == [(posted["token"], "2H 7 K")]


@pytest.mark.parametrize(("headers", "language"), [(ENGLISH, "en"), (HUNGARIAN, "hu")])
@pytest.mark.parametrize("path", ["", "hands/new/", "settle/", "live/?v=0"])
def test_a_page_that_cannot_be_read_can_be_asked_for_again(
    owners: Client,
    evening: Evening,
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
    language: str,
    path: str,
):
    def fail(*_args: Any) -> None:
        raise GONE

    address = f"/sessions/{evening.pk}/{path}"
    monkeypatch.setattr("sessions_app.access._admit", fail)
    response = owners.get(address, headers=headers)
    page = Page.of(response)
    assert (response.status_code, page.language) == (503, language)
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


def test_a_mistake_of_our_own_stays_one(owners: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch):
    def fail(*_args: Any) -> None:
        raise DatabaseError("a column that is not there")

    owners.raise_request_exception = False
    monkeypatch.setattr("sessions_app.views.evening.seats_of", fail)
    assert owners.get(f"/sessions/{evening.pk}/").status_code == 500


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
    refused = answers.pop()
    assert refused.status_code == 503
    page = Page.of(refused)
    assert "disk is full" in page.text
    assert evening.hands.count() == 1 + len(answers)
    address = f"/sessions/{evening.pk}/hands/new/"
    assert owners.post(address, filled(page.form(address))).status_code == 302
    assert evening.hands.count() == 2 + len(answers)
