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
