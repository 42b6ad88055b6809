"""End an evening, and reopen it."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand
from tests.factories import hand_fields
from tests.views.page import Page

PLAIN: dict[str, str] = {}


def url(evening: Evening, verb: str) -> str:
    return f"/sessions/{evening.pk}/{verb}/"


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_an_ended_evening_moves_from_running_to_past_and_back(cast: dict[str, Client], evening: Evening, who: str):
    client = cast[who]
    response = client.post(url(evening, "end"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/settle/")
    home = Page.of(client.get("/"))
    assert "Continue" not in home.links
    assert len(home.of_class("card")) == 1
    response = client.post(url(evening, "reopen"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/")
    assert Page.of(client.get("/")).links["Continue"] == f"/sessions/{evening.pk}/"


@pytest.mark.parametrize("verb", ["end", "reopen"])
def test_twice_is_once(owners: Client, evening: Evening, verb: str):
    if verb == "reopen":
        owners.post(url(evening, "end"))
    assert owners.post(url(evening, verb)).status_code == 302
    evening.refresh_from_db()
    version, ended_at = evening.version, evening.ended_at
    assert owners.post(url(evening, verb)).status_code == 302
    evening.refresh_from_db()
    assert (evening.version, evening.ended_at) == (version, ended_at)


def test_a_hand_that_was_posted_before_the_end_is_answered_with_itself_after_it(owners: Client, evening: Evening):
    """The answer was lost on the way, the phone sends again: the hand is there, so it is no refusal."""
    posted = hand_fields(evening)
    owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    owners.post(url(evening, "end"))
    response = owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    assert response.status_code == 302
    assert Hand.objects.count() == 1
