"""Rate limits: an address over a limit gets the 429 page, and no member does."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Semaphore, Thread
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import override_settings

from sessions_app import rate_limits
from sessions_app.models import Circle, Evening, RateCount, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.views import rules
from sessions_app.writers import demo, members
from tests.factories import begun
from tests.views.page import ENGLISH, HTMX_SESSION_FORM, HUNGARIAN, Page, filled, session_form

FORM = {
    "player_1": "Anna",
    "player_2": "Béla",
    "player_3": "Zoé <b>",
    "first_dealer": "2",
    "stake": "0.5",
    "currency": "EUR",
}
pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of each are as many as there may be: the effect of a limit does not depend on its height."""
    for name in ("NEW_CIRCLES", "DEMOS", "WRONG_LINKS", "HOUSE_RULES"):
        monkeypatch.setattr(rate_limits, name, replace(getattr(rate_limits, name), most=2))


@pytest.fixture
def quick_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo without its hands, which take their time."""
    monkeypatch.setattr(demo, "DAYS_AGO", ())


def begin(address: str = "192.0.2.1", headers: dict[str, str] | None = None, **extra: Any) -> Any:
    """The answer to a new phone that starts a session from this address."""
    said = {"token": str(uuid4())} | FORM
    return Client(headers=ENGLISH).post("/sessions/new/", said, headers=headers, REMOTE_ADDR=address, **extra)


def open_demo(client: Client | None = None, address: str = "192.0.2.1", **fields: str) -> Any:
    return (client or Client(headers=ENGLISH)).post("/demo/", fields, REMOTE_ADDR=address)


def test_a_club_behind_one_address_begins_forty_tables_in_an_hour() -> None:
    for _phone in range(40):
        assert begin().status_code == 302
    assert Circle.objects.count() == 40


@pytest.mark.parametrize("headers", [{}, HTMX_SESSION_FORM], ids=["plain", "htmx"])
def test_too_many_new_circles_of_strangers_are_429_with_the_form_filled_in(
    few: None, owners: Client, headers: dict[str, str]
) -> None:
    for _circle in range(5):
        assert owners.post("/sessions/new/", FORM).status_code == 302
    of_owner = Circle.objects.count()
    for _try in range(5):  # a form that is not right yet is not counted
        assert Client().post("/sessions/new/", FORM | {"player_2": ""}).status_code == 422
        assert Client().post("/sessions/new/", FORM | {"arrange": "up:2"}).status_code == 200
    token = str(uuid4())
    for _tap in range(5):  # the second tap of the same form is not a second guest
        assert Client().post("/sessions/new/", FORM | {"token": token}).status_code == 302
    assert begin("127.0.0.1").status_code == 302
    users = User.objects.count()
    response = begin("127.0.0.1", headers=headers)
    page = Page.of(response)
    assert response.status_code == 429
    assert page.is_whole is not bool(headers)
    assert 3500 < int(response["Retry-After"]) <= 3600
    assert "What you typed is still here. Try again in 60 minutes." in page.text
    assert FORM.items() <= session_form(page).items()
    assert (User.objects.count(), Circle.objects.count()) == (users, of_owner + 2), "nobody was made"
    here = [begin(f"2001:db8:0:1::{number}").status_code for number in (1, 2, 3)]
    assert here == [302, 302, 429], "a household has many IPv6 addresses"
    assert [begin(other).status_code for other in ("192.0.2.2", "2001:db8:0:2::1")] == [302, 302]


def test_too_many_demos_are_429_with_retry_after(few: None, quick_demo: None, owners: Client) -> None:
    open_demo(), open_demo(owners)
    for headers, said in ((ENGLISH, "Try again in 60 minutes."), (HUNGARIAN, "60 perc múlva")):
        response = open_demo(Client(headers=headers), key="kept")
        page = Page.of(response)
        assert response.status_code == 429
        assert int(response["Retry-After"]) > 3500
        assert said in page.text
        assert filled(page.form("/demo/"))["key"] == "kept", "and may tap once more from there"
    assert open_demo(owners).status_code == 429, "a demo is counted for a member too"


@contextmanager
def another_demo_being_laid() -> Iterator[Event]:
    """A thread that is at it until it is told that it is done."""
    at_it, done = Event(), Event()

    def lay() -> None:
        with rate_limits.turn_to_make_a_demo():
            at_it.set()
            done.wait(30)

    other = Thread(target=lay)
    other.start()
    assert at_it.wait(30)
    try:
        yield done
    finally:
        done.set()
        other.join()


def test_demos_wait_their_turn_without_a_key_and_only_a_few(
    quick_demo: None, strangers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = Page.of(strangers.get(demo.load())).form("/demo/")
    monkeypatch.setattr(rate_limits, "_waiting", waiting := Semaphore(1))
    monkeypatch.setattr(rate_limits.time, "sleep", pytest.fail)
    with another_demo_being_laid() as done:
        assert strangers.post("/demo/", filled(form)).status_code == 302
        assert open_demo().status_code == 429, "too many threads wait already"
        waiting.release()
        monkeypatch.setattr(rate_limits.time, "sleep", lambda _seconds: done.set())
        assert open_demo().status_code == 302
        assert done.is_set(), "it has waited"


def test_demo_whose_turn_does_not_come_is_429_and_makes_no_guest(
    quick_demo: None, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "SECONDS_TO_WAIT", 0)
    with another_demo_being_laid():
        for _try in range(3):
            response = open_demo()
            assert (response.status_code, response["Retry-After"]) == (429, "5")
            assert "Other demos are being prepared right now. Try again in 5 seconds." in Page.of(response).text
    assert not User.objects.exists()
    assert open_demo().status_code == 302, "and it was not counted"


def test_links_that_do_not_exist_are_counted_and_those_that_do_always_open(
    few: None, evening: Evening, owner: User
) -> None:
    token = token_of(members.make_link(evening.circle_id, Role.VIEWER, by=owner))
    assert [Client().get(f"/join/{number}-nonsense/").status_code for number in range(4)] == [404, 404, 429, 429]
    response = Client(headers=ENGLISH).get("/join/1-nonsense/")
    assert int(response["Retry-After"]) > 3500
    assert response["Referrer-Policy"] == "strict-origin"
    assert "Too many invalid links" in Page.of(response).text
    without_cookie = Client(enforce_csrf_checks=True)
    assert without_cookie.post("/join/1-nonsense/", {"player": ""}).status_code == 429, "as it is filled in again"
    phone = Client()
    assert phone.get(f"/join/{token}/").status_code == 200
    assert phone.post(f"/join/{token}/", {"player": ""}).status_code == 302


def rules_of(line: str, client: Client | None = None) -> Any:
    return (client or Client(headers=ENGLISH)).get("/games/asszorti/rules/", {"rules": line})


def test_pages_of_house_rules_that_nobody_has_looked_up_are_counted_but_those_of_a_member_s_own_session(
    few: None, owners: Client, owner: User
) -> None:
    rules._texts.clear()
    lines = ("ladder=0", "ladder=1", "ladder=2")
    assert [rules_of(line).status_code for line in lines] == [200, 200, 429]
    refused = rules_of(lines[2])
    assert int(refused["Retry-After"]) > 3500
    assert "Too many house rules were looked up from this network in the last hour." in Page.of(refused).text
    assert rules_of("").status_code == 200, "the book is open to everybody"
    assert rules_of(lines[0]).status_code == 200, "it costs nothing once more"
    assert rules_of(lines[2], owners).status_code == 429, "one demo makes a member of anybody"
    of_session = {"rules": "ladder=3", "evening": str(begun(owner, rules="ladder=3").pk)}
    asked = [each.get("/games/asszorti/rules/", of_session).status_code for each in (Client(), owners)]
    assert asked == [429, 200]
    assert owners.get("/games/asszorti/rules/", of_session | {"rules": "ladder=4"}).status_code == 429


@pytest.mark.parametrize(
    ("limit", "address"),
    [("NEW_FORMS", "/sessions/new/?game=preference"), ("TRIAL_COUNTS", "/games/preference/worth/?tricks=3")],
)
def test_forms_that_anybody_may_ask_for_are_counted_by_address_and_by_user(
    monkeypatch: pytest.MonkeyPatch, owners: Client, keepers: Client, strangers: Client, limit: str, address: str
) -> None:
    monkeypatch.setattr(rate_limits, limit, rate_limits.Limit(limit, 2))
    for phone in (strangers, owners, keepers):
        refused = [phone.get(address) for _time in range(3)][-1]
        assert refused.status_code == 429
        assert int(refused["Retry-After"]) > 3500
        assert "opened too often" in Page.of(refused).text
    assert Client().get(address, REMOTE_ADDR="192.0.2.9").status_code == 200


def test_address_is_the_connection_s_and_a_header_counts_only_behind_a_proxy() -> None:
    for proxies, remote, forwarded, address in (
        (0, "192.0.2.1", (), "192.0.2.1"),
        (0, "192.0.2.1", ("198.51.100.9",), "192.0.2.1"),
        (0, "::ffff:192.0.2.1", (), "192.0.2.1"),
        (0, "2001:db8::1", (), "2001:db8::1"),
        (0, "", (), "None"),
        (1, "127.0.0.1", ("198.51.100.9",), "198.51.100.9"),
        (1, "127.0.0.1", ("203.0.113.5, made up", "198.51.100.9"), "198.51.100.9"),
        (1, "127.0.0.1", ("198.51.100.9", "nonsense"), "127.0.0.1"),
        (1, "127.0.0.1", (), "127.0.0.1"),
        (1, "127.0.0.1", ("203.0.113.5", "198.51.100.9:50123"), "198.51.100.9"),
        (1, "127.0.0.1", ("[2001:db8::1]:50123",), "2001:db8::1"),
        (1, "127.0.0.1", ("[2001:db8::1]",), "2001:db8::1"),
        (1, "127.0.0.1", ("::ffff:192.0.2.1",), "192.0.2.1"),
        (2, "127.0.0.1", ("203.0.113.5", "198.51.100.9", "192.0.2.7"), "198.51.100.9"),
        (2, "127.0.0.1", ("198.51.100.9",), "198.51.100.9"),
    ):
        said = {"HTTP_X_FORWARDED_FOR": ", ".join(forwarded)} if forwarded else {}
        with override_settings(PROXY=proxies):
            asked = RequestFactory().get("/", REMOTE_ADDR=remote, **said)
            assert str(rate_limits.address(asked)) == address, (proxies, remote, forwarded)


def test_no_address_is_written_anywhere(
    few: None, quick_demo: None, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    for _time in range(3):
        begin("203.0.113.77")
        open_demo(address="203.0.113.77")
        Client().get("/join/1-x/", REMOTE_ADDR="203.0.113.77")
    files = [path for path in settings.DATA.iterdir() if path.is_file()]
    assert any(path.name == "limits.sqlite3" for path in files) is (connection.vendor == "sqlite")
    assert not any(b"203.0.113.77" in bytes(row.who) for row in RateCount.objects.all())
    assert not [path for path in files if b"203.0.113.77" in path.read_bytes()]
    said = capfd.readouterr()
    assert not re.search(r"203\.0\.113", caplog.text + said.out + said.err)


@pytest.mark.only_on("sqlite")  # PostgreSQL counts by itself
def test_counting_asks_the_database_of_the_hands_nothing(
    few: None, strangers: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(0):
        for _time in range(4):
            strangers.get("/join/nonsense/")
