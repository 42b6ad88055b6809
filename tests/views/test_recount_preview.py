"""The preview of a correction, in a game whose hands are independent: only the agreed end may change."""

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import evening_of, hand_fields, record
from tests.views.page import HTMX_COUNT, Page

REACHED = "Cili has reached 14 points"


@pytest.fixture
def evening(owner: User) -> Evening:
    """To 14 points; Béla's 6 and Cili's 4 stand there."""
    evening = evening_of(owner)
    Evening.objects.filter(pk=evening.pk).update(rules="points=14")
    record(evening, owner, "2H 7", 1)
    record(evening, owner, "2H 7", 2)
    return evening


def preview(client: Client, evening: Evening, line: str) -> Page:
    fields = hand_fields(evening, declarer="2", line=line)
    return Page.of(client.post(f"/sessions/{evening.pk}/hands/preview/?hand=2", fields, headers=HTMX_COUNT))


def test_the_end_that_a_correction_brings_is_said_without_a_later_hand(owners: Client, evening: Evening):
    part = preview(owners, evening, "2H 11").one("hx-partial")
    assert REACHED in part.text
    assert "later hand" not in part.text
    assert part.all("table") == []


def test_preview_says_that_the_game_is_no_longer_over(owners: Client, evening: Evening, owner: User):
    evening.refresh_from_db()
    record(evening, owner, "2H 11", 2)
    fields = hand_fields(evening, declarer="2", line="2H 5")
    answer = owners.post(f"/sessions/{evening.pk}/hands/preview/?hand=3", fields, headers=HTMX_COUNT)
    assert "The game is no longer over." in Page.of(answer).one("hx-partial").text


def test_an_end_that_stays_is_not_said_again(owners: Client, evening: Evening, owner: User):
    evening.refresh_from_db()
    record(evening, owner, "2H 11", 2)
    fields = hand_fields(evening, declarer="2", line="2H 12")
    answer = owners.post(f"/sessions/{evening.pk}/hands/preview/?hand=3", fields, headers=HTMX_COUNT)
    assert Page.of(answer).one("hx-partial").text == ""
