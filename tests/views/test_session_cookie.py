"""Lifetime of a phone's sign-in, and the names of its cookies."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.test.utils import override_settings

from scorekeeper.http import middleware
from sessions_app.models import Evening
from tests.views.page import Page

DAY = 24 * 3600
YEAR = 365 * DAY
HOST = "__Host-"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let so many seconds go by, from now on."""
    now = signing.time.time()

    def go_on(seconds: int) -> None:
        monkeypatch.setattr(signing.time, "time", lambda: now + seconds)

    return go_on


@pytest.fixture
def https() -> Iterator[None]:
    names = {f"{kind}_COOKIE_NAME": HOST + getattr(middleware, kind) for kind in ("SESSION", "CSRF", "LANGUAGE")}
    secure = {f"{kind}_COOKIE_SECURE": True for kind in ("SESSION", "CSRF", "LANGUAGE")}
    with override_settings(**names, **secure):
        yield


def polled(client: Client, evening: Evening) -> Any:
    """The requests of a phone that only follows: there is nothing new."""
    evening.refresh_from_db()
    response = client.get(f"/sessions/{evening.pk}/live/?v={evening.version}")
    assert response.status_code == 204
    return response


def test_phone_stays_signed_in_while_it_is_used_once_a_year_and_its_language_and_csrf_cookie_last_as_long(
    owners: Client, evening: Evening, later: Callable[[int], None]
):
    page = f"/sessions/{evening.pk}/"
    owners.post("/language/", {"language": "hu", "next": "/"})
    given = owners.get(f"{page}hands/new/").cookies["csrftoken"]
    assert not owners.get(f"{page}hands/new/").cookies, "the phone has it"
    for week in range(1, 60):
        later(week * 8 * DAY)
        response = owners.get(page) if week > 1 else polled(owners, evening)
        assert response.status_code in (200, 204)
        for name in ("sessionid", "django_language", "csrftoken"):
            assert int(response.cookies[name]["max-age"]) == YEAR
    assert response.cookies["django_language"].value == "hu"
    assert (response.cookies["csrftoken"].value, response.cookies["csrftoken"]["httponly"]) == (given.value, True)
    owners.cookies["csrftoken"] = "damaged"
    assert len(owners.get(f"{page}hands/new/").cookies["csrftoken"].value) == 32
    later(61 * 8 * DAY)
    response = owners.post("/language/", {"language": "en", "next": "/"})
    assert response.cookies["django_language"].value == "en", "what was tapped just now counts"
    later(61 * 8 * DAY + YEAR + 1)
    assert owners.get(page).status_code == 404


def test_following_renews_it_once_a_week_and_no_oftener(
    owners: Client,
    evening: Evening,
    later: Callable[[int], None],
    django_assert_num_queries: Callable[..., Any],
):
    polled(owners, evening)
    for seconds, renewed in ((2, False), (7 * DAY - 60, False), (7 * DAY + 60, True), (7 * DAY + 62, False)):
        later(seconds)
        evening.refresh_from_db()
        with django_assert_num_queries(1):
            response = owners.get(f"/sessions/{evening.pk}/live/?v={evening.version}")
        assert (response.status_code, "sessionid" in response.cookies) == (204, renewed)


def test_under_https_a_phone_of_before_keeps_its_sign_in_and_its_language(
    owners: Client, evening: Evening, https: None, monkeypatch: pytest.MonkeyPatch
):
    owners.cookies["django_language"] = "hu"
    owners.cookies["csrftoken"] = "x" * 32
    owners.raise_request_exception = False
    with monkeypatch.context() as broken:
        broken.setattr("sessions_app.views.evening.seats_of", None)
        assert owners.get(f"/sessions/{evening.pk}/", secure=True).status_code == 500, "nothing is taken away then"
    response = owners.get(f"/sessions/{evening.pk}/", secure=True)
    assert Page.of(response, 200).language == "hu"
    for name in ("sessionid", "django_language"):
        moved = response.cookies[HOST + name]
        assert moved.value
        assert (moved["secure"], moved["httponly"], moved["path"], moved["domain"]) == (True, True, "/", "")
    for name in ("sessionid", "csrftoken", "django_language"):
        assert response.cookies[name]["max-age"] == 0, "the old one is taken away"
        del owners.cookies[name]
    response = owners.get(f"/sessions/{evening.pk}/", secure=True)
    assert Page.of(response, 200).language == "hu"
    assert set(response.cookies) <= {f"{HOST}csrftoken"}, "once is enough"


def test_old_name_counts_where_there_is_no_new_one_and_for_a_stranger_s_language(
    owners: Client, viewers: Client, strangers: Client, evening: Evening, https: None
):
    owners.get("/", secure=True)
    owners.cookies["sessionid"] = viewers.cookies["sessionid"].value
    assert owners.get(f"/sessions/{evening.pk}/hands/new/", secure=True).status_code == 200, "still the owner"
    strangers.cookies["django_language"] = "hu"
    assert strangers.get("/demo/", secure=True).cookies[f"{HOST}django_language"].value == "hu"
