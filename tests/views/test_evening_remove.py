"""Delete an evening that was started by mistake."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.hand_facts import Seen
from sessions_app.models import Circle, Evening, User
from sessions_app.writers import ledger, repayments
from sessions_app.writers.repayments import Wanted
from tests import moves
from tests.factories import hand_fields, record
from tests.ledger.books import nothing_written
from tests.selection import first
from tests.views.page import HTMX_BODY, Page


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/remove/"


@pytest.mark.parametrize("who", ["owner", "keeper"])
@pytest.mark.parametrize("headers", first(1, [{}, HTMX_BODY]))
def test_it_is_asked_once_and_then_gone_for_everybody(
    cast: dict[str, Client], evening: Evening, who: str, headers: dict[str, str]
):
    phone = cast[who]
    assert url(evening) in Page.of(phone.get(f"/sessions/{evening.pk}/edit/")).links.values()
    with nothing_written():
        page = Page.of(phone.get(url(evening), headers=headers))
    assert "Anna, Béla, Cili" in page.text
    assert page.form(url(evening)).text == "Delete"
    assert phone.post(url(evening), headers=headers)["Location"] == "/"
    for one in cast.values():
        assert one.get(f"/sessions/{evening.pk}/").status_code == 404
        assert one.get(f"/sessions/{evening.pk}/live/?v=1").status_code == 404
        assert f"/sessions/{evening.pk}/" not in Page.of(one.get("/")).links.values()
    assert cast["keeper"].post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening)).status_code == 404
    assert phone.post(url(evening)).status_code == 404


def test_of_the_only_phone_at_the_table_the_table_goes_too(owners: Client, evening: Evening):
    owners.post(url(evening))
    assert not Circle.objects.exists()
    page = Page.of(owners.get("/"))
    assert "Same players as last time" not in page.buttons


def test_with_nothing_but_void_hands_it_can_be_deleted(owners: Client, owner: User, evening: Evening):
    record(evening, owner)
    ledger.void(evening.pk, 1, by=owner)
    assert url(evening) in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).links.values()
    assert "All its hands are void." in Page.of(owners.get(url(evening))).text
    assert owners.post(url(evening))["Location"] == "/"
    assert owners.get(f"/sessions/{evening.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("hand", "has hands that count"),
        ("played", "A hand is being played"),
        ("paid", "A payment was booked for this session"),
    ],
)
def test_refused_deletion_says_why_the_session_stays(
    owners: Client, owner: User, evening: Evening, state: str, said: str
):
    if state == "played":
        moves.let_play(evening.pk, 2, seen=Seen(1, 0), by=owner)
    else:
        record(evening, owner)
    if state == "paid":
        anna, bela, _cili = evening.seats.values_list("player", flat=True)
        wanted = Wanted(anna, bela, 60, "HUF", evenings=(evening.pk,))
        repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)
        ledger.void(evening.pk, 1, by=owner)
    assert url(evening) not in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).links.values()
    with nothing_written():
        asked, tried = owners.get(url(evening)), owners.post(url(evening))
    assert (asked.status_code, tried.status_code) == (200, 409)
    for response in (asked, tried):
        page = Page.of(response)
        assert said in page.text
        assert not page.all("form", action=url(evening))
