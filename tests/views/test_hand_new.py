"""Record a hand by the hand form."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings, ledger
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_BODY, HTMX_HAND_FORM, Page, hand_form

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


def test_it_says_whose_hand_it_is_and_what_is_still_to_be_tapped(owners: Client, evening: Evening):
    page = opened(owners, evening)
    assert "Hand 1 · Anna deals · Béla speaks first" in page.text
    assert "Still to tap: declarer, contract, trumps and tricks." in page.text


def test_its_groups_have_the_names_of_the_table(owners: Client, evening: Evening):
    names = {legend.children[0] for legend in opened(owners, evening).all("legend")}
    assert {"Declarer", "Contract", "Trumps", "Kontra on the game", "Arrivázs", "Arrivázs kontra", "Tricks"} <= names


def test_all_choices_are_there_with_what_a_contract_is_worth(owners: Client, evening: Evening):
    page = opened(owners, evening)
    values = {
        name: [radio.attrs["value"] for radio in page.all("input", name=name)]
        for name in ("dealer", "declarer", "contract", "trump", "game_kontra", "arrivazs", "arrivazs_kontra", "tricks")
    }
    assert values == {
        "dealer": ["0", "1", "2"],
        "declarer": ["0", "1", "2"],
        "contract": ["3", "2", "1", "hand"],
        "trump": ["hearts", "diamonds", "clubs", "spades", "none"],
        "game_kontra": ["0", "1", "2", "3", "4", "5"],
        "arrivazs": ["none", "lost", "won", "idegen"],
        "arrivazs_kontra": ["0", "1", "2", "3", "4", "5"],
        "tricks": [str(n) for n in range(12)],
    }
    assert [small.text for small in page.of_class("with-trumps")] == ["2", "4", "6", "8"]
    assert [small.text for small in page.of_class("without-trumps")] == ["4", "8", "12", "16"]


def test_what_cannot_be_is_named_for_the_script_to_take_away(owners: Client, evening: Evening):
    page = opened(owners, evening)
    excluded = {
        (radio.attrs["name"], radio.attrs["value"]): radio.attrs.get("data-excluded", "").split()
        for radio in page.all("input", type="radio")
    }
    assert "arrivazs=idegen" in excluded["trump", "none"]
    assert "trump=none" in excluded["arrivazs", "idegen"]
    assert "tricks=2" in excluded["arrivazs", "won"]
    assert "tricks=3" not in excluded["arrivazs", "won"]
    assert "tricks=11" in excluded["arrivazs", "lost"]


def test_at_a_table_of_four_who_deals_is_not_offered_to_play(owners: Client, evening_of_four: Evening):
    page = opened(owners, evening_of_four)
    seats = page.all("input", name="declarer")
    assert [seat.attrs["value"] for seat in seats] == ["0", "1", "2", "3"]
    assert seats[0].attrs["data-excluded"] == "dealer=0"


def test_the_deal_passes_to_the_left_and_stays_when_it_was_thrown_in_so(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    assert hand_form(opened(owners, evening))["dealer"] == "1"
    evening.refresh_from_db()
    ledger.record(evening.pk, token=UUID(int=1), number=2, facts=Facts(1, deal_stays=True), by=owner)
    assert hand_form(opened(owners, evening))["dealer"] == "1"


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


def test_it_is_whole_for_htmx_that_asks_for_something_else(owners: Client, evening: Evening):
    assert Page.of(owners.get(url(evening), headers=HTMX_BODY)).is_whole


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


def test_htmx_is_sent_on_by_a_header(owners: Client, evening: Evening):
    response = owners.post(url(evening), hand_fields(evening), headers=HTMX_HAND_FORM)
    assert response.status_code == 200
    assert response["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1"
    assert Hand.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "deal"),
    [
        ({"tricks": "6", "opponent_tricks": "5"}, "2H 6-5-0"),
        ({"tricks": "6", "opponent_tricks": "0"}, "2H 6-0-5"),
        ({"tricks": "7", "opponent_tricks": "3"}, "2H 7-3-1"),
        ({"tricks": "0"}, "2H 0"),
        ({"tricks": "11"}, "2H 11"),
        ({"game_kontra": "5"}, "2H 7 M"),
        ({"arrivazs": "won", "arrivazs_kontra": "1"}, "2H 7 A+K"),
        ({"arrivazs": "lost"}, "2H 7 A-"),
        ({"arrivazs": "idegen", "arrivazs_kontra": "5", "game_kontra": "2"}, "2H 7 R A*M"),
        ({"contract": "hand", "trump": "none", "tricks": "3"}, "hN 3"),
        ({"contract": "1", "trump": "clubs"}, "1C 7"),
        ({"contract": "3", "trump": "diamonds"}, "3D 7"),
        ({"trump": "spades", "game_kontra": None, "arrivazs": None}, "2S 7"),
    ],
)
def test_what_was_tapped_is_what_is_recorded(
    owners: Client, evening: Evening, fields: dict[str, str | None], deal: str
):
    response = owners.post(url(evening), hand_fields(evening, **fields))
    assert response.status_code == 302
    assert Hand.objects.get().deal == deal


def test_a_dealer_can_be_corrected(owners: Client, evening: Evening):
    owners.post(url(evening), hand_fields(evening, dealer="2"))
    assert Hand.objects.get().dealer == 2
    assert hand_form(opened(owners, evening))["dealer"] == "0"


@pytest.mark.parametrize(("redeal", "stays"), [("stays", True), ("passes", False)])
def test_a_deal_thrown_in_needs_its_dealer_alone(owners: Client, evening: Evening, redeal: str, stays: bool):
    form = hand_form(opened(owners, evening)) | {"redeal": redeal}
    assert owners.post(url(evening), form).status_code == 302
    hand = Hand.objects.get()
    assert (hand.declarer, hand.deal, hand.deal_stays) == (None, "", stays)
    assert hand.is_thrown_in


def test_a_deal_thrown_in_forgets_what_was_half_tapped(owners: Client, evening: Evening):
    posted = hand_fields(evening, tricks=None, redeal="passes")
    assert owners.post(url(evening), posted).status_code == 302
    assert Hand.objects.get().is_thrown_in


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


def test_counting_a_half_tapped_form_says_what_is_missing(owners: Client, evening: Evening):
    response = owners.post(url(evening), hand_fields(evening, count="1", tricks=None, trump=None))
    page = Page.of(response)
    assert response.status_code == 200
    assert "Still to tap: trumps and tricks" in page.text


def test_at_six_tricks_the_split_is_asked_for_and_five_nil_is_named(owners: Client, evening: Evening):
    response = owners.post(url(evening), hand_fields(evening, tricks="6"))
    page = Page.of(response)
    assert response.status_code == 422
    assert "choose the split" in page.error("opponent_tricks")
    assert "Cili : Anna" in page.one("fieldset", id="field-opponent_tricks").text, "the first is left of the declarer"
    splits = [label.text for label in page.one("fieldset", id="field-opponent_tricks").all("label")]
    assert "5 : 0" in splits[5]
    assert not Hand.objects.exists()


def test_the_form_of_an_ended_session_says_so_at_once(owners: Client, evening: Evening):
    evenings.end(evening.pk)
    page = opened(owners, evening)
    assert "This session has ended. Reopen to add or correct hands." in page.text


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_opens_it_or_writes(
    cast: dict[str, Client],
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    who: str,
    status: int,
    headers: dict[str, str],
):
    before = written()
    assert cast[who].get(url(evening), headers=headers).status_code == status
    response = cast[who].post(url(evening), hand_fields(evening), headers=headers)
    assert response.status_code == status
    if status == 404:
        assert b"Anna" not in response.content
    assert written() == before


@pytest.mark.parametrize("hands", [3, 300])
def test_opening_and_saving_ask_as_many_queries_whatever_was_played(
    owners: Client,
    evening: Evening,
    play: Callable[..., Evening],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    with django_assert_num_queries(5):
        owners.get(url(evening))
    posted = hand_fields(evening)
    with django_assert_num_queries(11):
        assert owners.post(url(evening), posted).status_code == 302
    with django_assert_num_queries(3):
        assert owners.post(url(evening), hand_fields(evening, tricks="12")).status_code == 422
