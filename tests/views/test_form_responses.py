"""The headers that tell a script where a form's answer leads, and whether only its token was stale."""

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import record
from tests.views.page import Page

SCRIPT = {"X-Act": "1"}


@pytest.fixture
def strict(owner: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    return client


def test_a_script_is_told_where_the_form_leads(owners: Client, evening: Evening, owner: User):
    record(evening, owner, "2H 7", declarer=1)
    path = f"/sessions/{evening.pk}/hands/1/"
    response = owners.post(f"{path}void/", headers=SCRIPT)
    assert (response.status_code, response["X-Location"], response.content) == (200, path, b"")
    assert "Location" not in response


def test_it_becomes_a_guest_by_it_as_a_browser_does(strangers: Client, db: None):
    key = Page.of(strangers.get("/demo/")).one("input", name="key").attrs["value"]
    response = strangers.post("/demo/", {"key": key}, headers=SCRIPT)
    assert response["X-Location"].startswith("/sessions/")
    assert response.cookies["sessionid"].value


def test_without_a_script_the_browser_is_led_on(owners: Client, evening: Evening):
    response = owners.post(f"/sessions/{evening.pk}/end/")
    assert response.status_code == 302
    assert "X-Location" not in response


@pytest.mark.parametrize("path", ["hands/new/", "hands/preview/", "announce/", "referee/call/", "end/"])
def test_a_form_whose_token_is_old_is_marked_as_one_to_be_sent_again(strict: Client, evening: Evening, path: str):
    response = strict.post(f"/sessions/{evening.pk}/{path}")
    assert (response.status_code, response["X-Stale-Token"]) == (403, "1")


def test_what_comes_from_elsewhere_is_not(strict: Client, evening: Evening):
    response = strict.post(f"/sessions/{evening.pk}/end/", headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert "X-Stale-Token" not in response
