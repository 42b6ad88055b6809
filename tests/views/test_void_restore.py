"""Make a hand void, and restore it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.factories import record
from tests.selection import first
from tests.views.page import HTMX_BODY, Page, filled

PLAIN: dict[str, str] = {}


def url(evening: Evening, verb: str, number: int = 1) -> str:
    return f"/sessions/{evening.pk}/hands/{number}/{verb}/"


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_a_void_takes_the_hand_out_of_the_balances_and_a_restore_puts_it_back(
    cast: dict[str, Client], owner: User, evening: Evening, who: str
):
    client, sheet = cast[who], f"/sessions/{evening.pk}/"
    record(evening, owner, "2H 7", declarer=0)
    response = client.post(url(evening, "void"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/hands/1/")
    assert Page.of(client.get(sheet)).balances == {0: 0, 1: 0, 2: 0}
    client.post(url(evening, "restore"))
    assert Page.of(client.get(sheet)).balances == {0: 12, 1: -6, 2: -6}
    assert Hand.objects.get().revisions.count() == 3


def test_undo_goes_back_to_the_sheet_with_the_hand_marked_and_a_way_to_restore(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    form = Page.of(owners.get(f"/sessions/{evening.pk}/?saved=1")).form(url(evening, "void"))
    response = owners.post(url(evening, "void"), filled(form))
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1"
    page = Page.of(owners.get(response["Location"]))
    assert "Hand 1 is void." in page.text
    restored = owners.post(url(evening, "restore"), filled(page.form(url(evening, "restore"))))
    assert restored["Location"] == f"/sessions/{evening.pk}/?saved=1"
    assert not Hand.objects.get().is_void


def test_htmx_is_sent_on_by_a_header(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    response = owners.post(url(evening, "void"), headers=HTMX_BODY)
    assert response["HX-Redirect"] == f"/sessions/{evening.pk}/hands/1/"
    response = owners.post(url(evening, "restore"), {"sheet": "1"}, headers=HTMX_BODY)
    assert response["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1"


@pytest.mark.parametrize("verb", ["void", "restore"])
def test_the_same_tap_twice_is_one_change(owners: Client, owner: User, evening: Evening, verb: str):
    record(evening, owner, "2H 7")
    if verb == "restore":
        owners.post(url(evening, "void"))
    before = Hand.objects.get().revisions.count()
    for _ in range(2):
        assert owners.post(url(evening, verb)).status_code == 302
    assert Hand.objects.get().revisions.count() == before + 1


def test_a_hand_in_the_middle_goes_and_the_rest_keep_their_numbers(
    owners: Client, evening: Evening, play: Callable[..., Evening]
):
    play(evening, 5)
    owners.post(url(evening, "void", 3))
    page = Page.of(owners.get(f"/sessions/{evening.pk}/"))
    assert page.numbers == [5, 4, 3, 2, 1]
    assert "Enter hand 6" in page.links


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_BODY]))
@pytest.mark.parametrize("verb", ["void", "restore"])
def test_an_ended_session_takes_neither_and_says_what_to_do(
    owners: Client,
    owner: User,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    verb: str,
    headers: dict[str, str],
):
    record(evening, owner, "2H 7")
    evenings.end(evening.pk)
    before = written()
    response = owners.post(url(evening, verb), headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert "This session has ended" in page.text
    assert "Reopen" in page.buttons
    assert written() == before


@pytest.mark.parametrize("verb", ["void", "restore"])
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_changes_a_hand(
    cast: dict[str, Client],
    owner: User,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    verb: str,
    who: str,
    status: int,
):
    record(evening, owner, "2H 7")
    before = written()
    assert cast[who].post(url(evening, verb)).status_code == status
    assert cast[who].post(url(evening, verb), headers=HTMX_BODY).status_code == status
    assert written() == before


@pytest.mark.parametrize("verb", ["void", "restore"])
@pytest.mark.parametrize("number", ["0", "2", "9" * 30, "9" * 5000])
def test_a_number_that_is_no_hand_is_not_found(owners: Client, evening: Evening, verb: str, number: str):
    assert owners.post(f"/sessions/{evening.pk}/hands/{number}/{verb}/").status_code == 404


@pytest.mark.parametrize("verb", ["void", "restore"])
def test_looking_at_its_address_changes_nothing(owners: Client, owner: User, evening: Evening, verb: str):
    record(evening, owner, "2H 7")
    assert owners.get(url(evening, verb)).status_code == 405
    assert Hand.objects.get().revisions.count() == 1


@pytest.mark.parametrize("hands", [3, 300])
def test_each_asks_as_many_queries_whatever_was_played(
    owners: Client,
    evening: Evening,
    play: Callable[..., Evening],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    with django_assert_num_queries(10):
        owners.post(url(evening, "void", 3))
    with django_assert_num_queries(10):
        owners.post(url(evening, "restore", 3))
