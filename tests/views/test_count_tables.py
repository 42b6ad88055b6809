"""The tables by which a phone counts a hand that it cannot send yet: their address on the form, and what it answers."""

import pytest
from django.test import Client

from sessions_app.faces import FACES
from sessions_app.models import Evening, User
from sessions_app.writers import lineup
from tests.factories import record
from tests.views.page import HTMX_HAND_FORM, Page

FOR_GOOD = "private, max-age=31536000, immutable"
NOT_AT_ALL = "private, no-store"


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/count-tables/"


def named(client: Client, evening: Evening, path: str = "hands/new/", **headers: str) -> str | None:
    """Return the address that a form of the evening names."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/{path}", headers=headers))
    return page.one("form", id="hand-form").attrs.get("data-tables")


def test_the_form_names_an_address_whose_answer_may_be_kept_for_good(owners: Client, evening: Evening):
    address = named(owners, evening)
    assert address
    assert address.startswith(f"{url(evening)}?v=")
    response = owners.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["Cache-Control"] == FOR_GOOD
    assert response.json() == FACES["asszorti"].provisional_tables(evening, 3)
    assert named(owners, evening, **HTMX_HAND_FORM) == address, "a part of the page, too"


def test_the_address_is_the_same_until_the_tables_are_others(
    owners: Client, keepers: Client, owner: User, evening: Evening, evening_of_four: Evening
):
    def version(client: Client, of: Evening) -> str:
        return (named(client, of) or "").rpartition("?v=")[2]

    before = version(owners, evening)
    record(evening, owner, "2H 7")
    assert version(owners, evening) == version(keepers, evening) == before
    assert version(owners, evening_of_four) != before


@pytest.mark.parametrize("query", ["", "?v=", "?v=00000000", "?v=x&v=y", "?w={right}", "?v={right}0"])
def test_by_another_version_they_are_the_present_ones_and_not_kept(owners: Client, evening: Evening, query: str):
    right = named(owners, evening)
    assert right
    response = owners.get(url(evening) + query.format(right=right.rpartition("=")[2]))
    assert response.status_code == 200
    assert response.content == owners.get(right).content
    assert response["Cache-Control"] == NOT_AT_ALL


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("keeper", 200), ("viewer", 403), ("outsider", 404), ("stranger", 404)]
)
def test_whoever_may_record_a_hand_gets_them_and_nobody_else(
    cast: dict[str, Client], evening: Evening, who: str, status: int
):
    address = named(cast["owner"], evening)
    assert address
    for ask in (cast[who].get, cast[who].head):
        response = ask(address)
        assert response.status_code == status
        assert response["Cache-Control"] == (FOR_GOOD if status == 200 else NOT_AT_ALL)
        assert b"amounts" not in response.content or (ask, status) == (cast[who].get, 200)


def test_there_are_none_where_seats_have_changed(owners: Client, owner: User, evening_of_four: Evening):
    address = named(owners, evening_of_four)
    assert address
    record(evening_of_four, owner, "2H 7")
    lineup.leave(evening_of_four.pk, 3, by=owner)
    assert named(owners, evening_of_four) is None
    for ask in (owners.get, owners.head):
        response = ask(address)
        assert (response.status_code, response["Cache-Control"]) == (404, NOT_AT_ALL)
