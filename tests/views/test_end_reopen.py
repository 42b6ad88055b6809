"""End an evening, and reopen it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, User
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_BODY, Page

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


def test_an_ended_evening_takes_no_hand_until_it_is_reopened(
    owners: Client, evening: Evening, post_hand: Callable[..., Any]
):
    owners.post(url(evening, "end"))
    assert post_hand(owners, evening).status_code == 409
    assert not Hand.objects.exists()
    owners.post(url(evening, "reopen"))
    assert post_hand(owners, evening).status_code == 302
    assert Hand.objects.count() == 1


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


@pytest.mark.parametrize("verb", ["end", "reopen"])
def test_htmx_is_led_on_too(owners: Client, evening: Evening, verb: str):
    response = owners.post(url(evening, verb), headers=HTMX_BODY)
    assert response.status_code in (200, 302)
    assert "HX-Redirect" in response.headers or "Location" in response.headers


@pytest.mark.parametrize("verb", ["end", "reopen"])
@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_BODY]))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_does_either(
    cast: dict[str, Client],
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    verb: str,
    headers: dict[str, str],
    who: str,
    status: int,
):
    before = written()
    assert cast[who].post(url(evening, verb), headers=headers).status_code == status
    assert written() == before


@pytest.mark.parametrize("verb", ["end", "reopen"])
def test_looking_at_its_address_changes_nothing(owners: Client, evening: Evening, verb: str):
    assert owners.get(url(evening, verb)).status_code == 405
    evening.refresh_from_db()
    assert not evening.has_ended


def test_a_hand_that_was_posted_before_the_end_is_answered_with_itself_after_it(owners: Client, evening: Evening):
    """The answer was lost on the way, the phone sends again: the hand is there, so it is no refusal."""
    posted = hand_fields(evening)
    owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    owners.post(url(evening, "end"))
    response = owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    assert response.status_code == 302
    assert Hand.objects.count() == 1


@pytest.mark.parametrize("hands", [3, 300])
def test_each_asks_as_many_queries_whatever_was_played(
    owners: Client,
    evening: Evening,
    play: Callable[..., Evening],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    with django_assert_num_queries(14):  # the roll-up and the circle's counter are written, too
        owners.post(url(evening, "end"))
    with django_assert_num_queries(10):
        owners.post(url(evening, "reopen"))


def test_the_figures_of_an_ended_evening_stay(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    owners.post(url(evening, "end"))
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).balances == {0: 12, 1: -6, 2: -6}
