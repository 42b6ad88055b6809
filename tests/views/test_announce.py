"""Announce a hand from the hand form; every phone shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.writers import evenings
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Node, Page, hand_form
from tests.views.refereeing import NOT_PLAYED, Phone, of_evening

PLAIN: dict[str, str] = {}


def in_play(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(of_evening(evening))).one("section", id="open-hand")


# --- announcing ----------------------------------------------------------------------------------------------


def test_the_form_offers_to_announce_beside_saving(owners: Client, evening: Evening):
    page = Page.of(owners.get(of_evening(evening, "hands/new/")))
    button = page.one("button", formaction=of_evening(evening, "announce/"))
    assert button.text == "Announce"
    assert button.attrs["hx-post"] == of_evening(evening, "announce/")
    assert page.buttons.index("Announce") < page.buttons.index("Save hand 1")


def test_a_hand_that_is_corrected_is_not_announced(owners: Client, owner: User, evening: Evening):
    record(evening, owner)
    page = Page.of(owners.get(of_evening(evening, "hands/1/edit/")))
    assert "Announce" not in page.buttons


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_it_needs_no_tricks_and_leads_to_the_evening(
    cast: dict[str, Client], evening: Evening, announce: Callable[..., Any], who: str
):
    response = announce(cast[who])
    assert (response.status_code, response["Location"]) == (302, of_evening(evening))
    row = HandInPlay.objects.get()
    assert (row.number, row.dealer, row.state.get("declarer"), row.state.get("announcement", "")) == (
        1,
        0,
        1,
        "2 hearts",
    )
    assert not Hand.objects.exists()


def test_htmx_is_sent_on_by_a_header(owners: Client, evening: Evening, announce: Callable[..., Any]):
    response = announce(owners, HTMX_HAND_FORM)
    assert (response.status_code, response["HX-Redirect"]) == (200, of_evening(evening))


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        ("none", "2 hearts"),
        ("lost", "2 hearts announced"),
        ("won", "2 hearts announced"),
        ("idegen", "2 hearts announced"),
    ],
)
def test_any_outcome_of_the_arrivazs_announces_it(
    owners: Client, announce: Callable[..., Any], outcome: str, text: str
):
    announce(owners, arrivazs=outcome)
    assert HandInPlay.objects.get().state.get("announcement", "") == text


def test_tricks_that_were_tapped_already_do_not_matter(owners: Client, announce: Callable[..., Any]):
    assert announce(owners, tricks="6", opponent_tricks="").status_code == 302
    assert HandInPlay.objects.get().state.get("play", "") == ""


def test_kontras_are_given_to_who_may_say_them(owners: Client, announce: Callable[..., Any]):
    """From the form their level is known, and not their speakers: left opponent, declarer, right opponent, …"""
    announce(owners, arrivazs="won", game_kontra="3", arrivazs_kontra="1")
    assert HandInPlay.objects.get().state.get("doubling", "") == "1-2-0 announced game:2 game:1 game:0 arrivazs:2"


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
@pytest.mark.parametrize(
    ("fields", "name", "sentence"),
    [
        ({"declarer": None}, "declarer", "Who plays?"),
        ({"contract": None}, "contract", "Which contract?"),
        ({"trump": "hats"}, "trump", "Choose one of the options."),
        ({"arrivazs_kontra": "1"}, "arrivazs_kontra", "Only an arrivázs that was announced can be doubled."),
        ({"declarer": "3"}, "declarer", "Nobody sits there."),
    ],
)
def test_what_is_missing_or_wrong_is_said_beside_its_row_and_all_is_kept(
    owners: Client,
    announce: Callable[..., Any],
    fields: dict[str, str | None],
    name: str,
    sentence: str,
    headers: dict[str, str],
):
    response = announce(owners, headers, game_kontra="2", **fields)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.is_whole is (headers == PLAIN)
    assert sentence in page.error(name)
    assert hand_form(page)["game_kontra"] == "2"
    assert len(page.of_class("error")) <= 2, "beside the row, and in the count"
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize("redeal", ["stays", "passes"])
@pytest.mark.parametrize("fields", [{"contract": None}, {"trump": None}, {"declarer": ""}, {"tricks": "7"}])
def test_a_deal_that_was_thrown_in_is_not_announced(
    owners: Client, announce: Callable[..., Any], redeal: str, fields: dict[str, str | None]
):
    """Only a hand-made request says both; nothing may be noted of the other fields."""
    response = announce(owners, redeal=redeal, **fields)
    complete = "tricks" in fields
    assert response.status_code == (302 if complete else 422)
    assert HandInPlay.objects.exists() is complete


@pytest.mark.parametrize("fields", [{}, {"redeal": "stays"}])
def test_at_a_table_of_four_the_dealer_announces_nothing(
    owners: Client, evening_of_four: Evening, fields: dict[str, str]
):
    posted = hand_fields(evening_of_four, **NOT_PLAYED, **fields, dealer="0", declarer="0")
    response = owners.post(of_evening(evening_of_four, "announce/"), posted)
    assert response.status_code == 422
    assert "sits out" in Page.of(response).error("declarer")


def test_an_ended_evening_takes_none_and_keeps_what_was_typed(
    owners: Client, evening: Evening, announce: Callable[..., Any]
):
    evenings.end(evening.pk)
    response = announce(owners)
    page = Page.of(response)
    assert response.status_code == 409
    assert "This session has ended." in page.text
    assert hand_form(page)["contract"] == "2"
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_announces_or_takes_back(
    cast: dict[str, Client], evening: Evening, announce: Callable[..., Any], who: str, status: int, headers: Any
):
    assert announce(cast[who], headers).status_code == status
    announce(cast["owner"])
    row = HandInPlay.objects.get()
    posted = {"number": "1", "seen": str(row.version)}
    assert cast[who].post(of_evening(evening, "announce/back/"), posted, headers=headers).status_code == status
    assert cast[who].get(of_evening(evening, "announce/back/"), headers=headers).status_code == status
    assert HandInPlay.objects.exists()


def test_opening_the_address_by_hand_leads_to_the_form(owners: Client, evening: Evening):
    assert owners.get(of_evening(evening, "announce/"))["Location"] == of_evening(evening, "hands/new/")


def test_a_form_whose_cookie_is_gone_comes_back_filled_in(owner: User, evening: Evening):
    strict = Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)
    strict.force_login(owner)
    response = strict.post(of_evening(evening, "announce/"), hand_fields(evening, **NOT_PLAYED))
    page = Page.of(response)
    assert response.status_code == 403
    assert "Nothing was lost: press Announce again." in page.text
    assert hand_form(page)["declarer"] == "1"


# --- on every phone ------------------------------------------------------------------------------------------


def test_every_phone_shows_what_is_played_who_leads_and_what_it_is_worth(
    owners: Client, viewers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners, arrivazs="won", game_kontra="2", arrivazs_kontra="1")
    for client in (owners, viewers):
        text = in_play(client, evening).text.replace("\u2068", "").replace("\u2069", "")
        assert "Béla 2 hearts R×4 rekontra ×4 A K×2 arrivázs, kontra ×2 Anna leads Hand 1 is being played" in text
        assert "Game ×4 Cili kontra, Béla rekontra" in text
        assert "Arrivázs ×2 Cili kontra" in text
        assert "The talon lies open until the end of the first trick." in text
        assert "6 +16 7 +24 8 +32 9 +40 10 +48 11 +56" in text
        assert "5 −16 4 −24 3 −32 2 −40 1 −48 0 −56" in text
        assert "6:5:0 +12 Arrivázs: won +16 idegen +32 lost −16" in text


def test_a_viewer_is_offered_to_watch_and_nothing_to_write(
    owners: Client, viewers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners)
    ways = {a.text: a.attrs["href"] for a in in_play(owners, evening).all("a")}
    assert ways == {
        "Referee": of_evening(evening, "referee/"),
        "Take back the announcement": of_evening(evening, "announce/back/"),
    }
    assert [a.text for a in in_play(viewers, evening).all("a")] == ["Referee"]


def test_other_phones_hear_of_it_by_the_next_poll(
    owners: Client, viewers: Client, evening: Evening, announce: Callable[..., Any]
):
    assert viewers.get(of_evening(evening, "live/?v=1")).status_code == 204
    announce(owners)
    page = Page.of(viewers.get(of_evening(evening, "live/?v=1")))
    assert page.one("div", id="state").attrs["data-version"] == "2"
    assert page.one("section", id="open-hand")


def test_without_an_hand_in_play_the_way_to_the_referee_is_shown_to_who_may_write(
    owners: Client, viewers: Client, evening: Evening
):
    assert Page.of(owners.get(of_evening(evening))).links["Referee: who can say what?"] == of_evening(
        evening, "referee/"
    )
    assert "Referee" not in Page.of(viewers.get(of_evening(evening))).text


def test_numbers_of_tricks_that_cannot_be_any_more_are_marked(owners: Client, phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", contract="2", trump="hearts")
    for seat in "1122":
        phone.tap("trick", seat=seat)
    gone = [cell.of_class("cell")[0].parent.text for cell in in_play(owners, evening).of_class("gone")]
    assert gone == ["10 +12", "11 +14", "1 −12", "0 −14"]
    assert "Béla 2 Cili 2 Anna 0" in in_play(owners, evening).text


def test_an_ended_evening_shows_no_hand_in_play(owners: Client, evening: Evening, announce: Callable[..., Any]):
    announce(owners)
    evenings.end(evening.pk)
    assert Page.of(owners.get(of_evening(evening))).all("section", id="open-hand") == []


@pytest.mark.parametrize("ending", [["concede"], ["claim", "stands"]])
def test_the_talon_of_a_hand_that_ended_in_the_first_trick_is_not_shown_any_more(
    owners: Client, announced: Phone, evening: Evening, ending: list[str]
):
    announced.tap("say", item="game", seat="2")
    assert "The talon lies open" in in_play(owners, evening).text
    for verb in ending:
        announced.tap(verb)
    assert "The talon lies open" not in in_play(owners, evening).text
