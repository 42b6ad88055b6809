"""Record a hand by the hand form."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand
from tests.factories import hand_fields
from tests.views.page import HTMX_HAND_FORM, Page, hand_form

PLAIN: dict[str, str] = {}


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


def test_each_opening_has_a_token_of_its_own_and_writes_nothing(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    first, second = (hand_form(opened(owners, evening))["token"] for _ in range(2))
    assert first != second
    assert written() == before


def test_it_is_a_fragment_for_htmx_that_asks_for_the_form(owners: Client, evening: Evening):
    page = Page.of(owners.get(url(evening), headers=HTMX_HAND_FORM))
    assert not page.is_whole
    assert "<html" not in page.html
    assert hand_form(page).keys() == hand_form(opened(owners, evening)).keys()
    assert "Anna deals" in page.text


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_five_taps_and_the_hand_is_on_the_sheet(cast: dict[str, Client], evening: Evening, who: str):
    client = cast[who]
    form = hand_form(opened(client, evening)) | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
    response = client.post(url(evening), form)
    assert response.status_code == 302
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1"
    page = Page.of(client.get(response["Location"]))
    assert page.balances == {0: -6, 1: 12, 2: -6}
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, "2H 7")
    assert hand.revisions.get().made_by_id == int(client.session["_auth_user_id"])


@pytest.mark.parametrize(("redeal", "stays"), [("stays", True), ("passes", False)])
def test_a_deal_thrown_in_needs_its_dealer_alone(owners: Client, evening: Evening, redeal: str, stays: bool):
    form = hand_form(opened(owners, evening)) | {"redeal": redeal}
    assert owners.post(url(evening), form).status_code == 302
    hand = Hand.objects.get()
    assert (hand.declarer, hand.deal, hand.deal_stays) == (None, "", stays)
    assert hand.is_thrown_in


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
