"""Announce a hand from the hand form; every phone shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay
from sessions_app.writers import evenings
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Node, Page, hand_form
from tests.views.refereeing import Phone, of_evening

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


def test_announcement_needs_no_tricks_and_leads_to_the_evening(
    keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    response = announce(keepers)
    assert (response.status_code, response["Location"]) == (302, of_evening(evening))
    row = HandInPlay.objects.get()
    assert (row.number, row.dealer, row.state.get("declarer"), row.state.get("announcement", "")) == (
        1,
        0,
        1,
        "2 hearts",
    )
    assert not Hand.objects.exists()


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
def test_wrong_announcement_is_refused_beside_its_row_and_kept(
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


def test_numbers_of_tricks_that_cannot_be_any_more_are_marked(owners: Client, phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", contract="2", trump="hearts")
    for seat in "1122":
        phone.tap("trick", seat=seat)
    gone = [cell.of_class("cell")[0].parent.text for cell in in_play(owners, evening).of_class("gone")]
    assert gone == ["10 +12", "11 +14", "1 −12", "0 −14"]
    assert "Béla 2 Cili 2 Anna 0" in in_play(owners, evening).text
