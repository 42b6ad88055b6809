"""Record a hand by the hand form."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.faces import FACES
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import lineup
from tests.factories import hand_fields, record
from tests.views.page import HTMX_HAND_FORM, Page, hand_form


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/new/"


def opened(client: Client, evening: Evening, **headers: Any) -> Page:
    return Page.of(client.get(url(evening), headers=headers))


def test_the_open_form_has_all_that_needs_no_tap(owners: Client, evening: Evening):
    page = opened(owners, evening)
    form = hand_form(page)
    assert UUID(form["token"])
    assert form["number"] == "1"
    assert form["dealer"] == "0"
    assert (form["game_kontra"], form["arrivazs"], form["arrivazs_kontra"]) == ("0", "none", "0")
    assert [name for name in ("declarer", "contract", "trump", "tricks", "opponent_tricks") if name in form] == []
    assert "note_split" not in form
    assert "Save hand 1" in page.buttons
    assert page.one("form", id="hand-form").attrs["action"] == url(evening)


def test_opened_form_has_its_own_token_and_writes_nothing(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    first, second = (hand_form(opened(owners, evening))["token"] for _ in range(2))
    assert first != second
    assert written() == before


def test_five_taps_and_the_hand_is_on_the_sheet(keepers: Client, evening: Evening):
    form = hand_form(opened(keepers, evening)) | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
    response = keepers.post(url(evening), form)
    assert response.status_code == 302
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1"
    page = Page.of(keepers.get(response["Location"]))
    assert page.balances == {0: -6, 1: 12, 2: -6}
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, "2H 7")
    assert hand.revisions.get().made_by_id == int(keepers.session["_auth_user_id"])


def test_without_scripts_it_is_counted_by_a_button_and_nothing_is_written(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    posted = hand_fields(evening, count="1", game_kontra="1")
    response = owners.post(url(evening), posted)
    page = Page.of(response)
    assert response.status_code == 200
    assert page.is_whole
    assert page.points == 12
    assert hand_form(page)["token"] == posted["token"]
    assert hand_form(page)["tricks"] == "7"
    assert page.errors == []
    assert written() == before


def test_at_six_tricks_the_split_is_asked_for_and_five_nil_is_named(owners: Client, evening: Evening):
    response = owners.post(url(evening), hand_fields(evening, tricks="6"))
    page = Page.of(response)
    assert response.status_code == 422
    assert "choose the split" in page.error("opponent_tricks")
    assert "Cili : Anna" in page.one("fieldset", id="field-opponent_tricks").text, "the first is left of the declarer"
    splits = [label.text for label in page.one("fieldset", id="field-opponent_tricks").all("label")]
    assert "5 : 0" in splits[5]
    assert not Hand.objects.exists()


# --- The tables by which a phone counts without network ---


FOR_GOOD = "private, max-age=31536000, immutable"
NOT_AT_ALL = "private, no-store"


def tables_url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/count-tables/"


def named(client: Client, evening: Evening, path: str = "hands/new/", **headers: str) -> str | None:
    """Return the address that a form of the evening names."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/{path}", headers=headers))
    return page.one("form", id="hand-form").attrs.get("data-tables")


def test_the_form_names_an_address_whose_answer_may_be_kept_for_good(owners: Client, evening: Evening):
    address = named(owners, evening)
    assert address
    assert address.startswith(f"{tables_url(evening)}?v=")
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
def test_count_tables_of_another_version_are_the_present_ones_and_not_cached(
    owners: Client, evening: Evening, query: str
):
    right = named(owners, evening)
    assert right
    response = owners.get(tables_url(evening) + query.format(right=right.rpartition("=")[2]))
    assert response.status_code == 200
    assert response.content == owners.get(right).content
    assert response["Cache-Control"] == NOT_AT_ALL


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("keeper", 200), ("viewer", 403), ("outsider", 404), ("stranger", 404)]
)
def test_count_tables_are_given_to_writers_only(cast: dict[str, Client], evening: Evening, who: str, status: int):
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
