"""Announce a hand from the hand form; every phone shows it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evening_edit, evenings, hand_in_play
from tests.factories import record
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Node, Page, hand_form
from tests.views.refereeing import Phone, form_of, of_evening

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


# --- Finish an announced hand from the form, announce it again to correct it, or take it back ---


def test_a_form_that_has_saved_a_hand_announces_the_next_under_a_token_of_its_own(owners: Client, evening: Evening):
    """Save's answer was lost; 'Announce' in the same form is asked, and answered."""
    posted = form_of(owners, evening) | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
    assert owners.post(of_evening(evening, "hands/new/"), posted).status_code == 302
    response = owners.post(of_evening(evening, "announce/"), posted)
    assert response.status_code == 409
    page = Page.of(response)
    assert owners.post(of_evening(evening, "announce/"), hand_form(page)).status_code == 409, "a second tap there"
    button = page.one("button", name="another")
    assert button.attrs["formaction"] == of_evening(evening, "announce/")
    again = hand_form(page) | {"declarer": "2", "another": button.attrs["value"]}
    assert owners.post(of_evening(evening, "announce/"), again).status_code == 302
    phone = Phone(owners, evening)
    phone.tap("concede")
    assert phone.tap("finish", split="3")["HX-Redirect"].endswith("?saved=2")
    assert evening.hands.count() == 2
    assert not HandInPlay.objects.exists()


# --- finishing -----------------------------------------------------------------------------------------------


def test_the_form_opens_filled_with_what_is_announced(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    token = uuid4()
    announce(owners, token=token, dealer="2", declarer="0", contract="hand", trump="none", game_kontra="3")
    form = form_of(keepers, evening)
    assert (form["dealer"], form["declarer"], form["contract"], form["trump"]) == ("2", "0", "hand", "none")
    assert (form["game_kontra"], form["arrivazs"], form["arrivazs_kontra"]) == ("3", "none", "0")
    assert UUID(form["token"]) == token
    assert "tricks" not in form


@pytest.mark.parametrize("path", ["hands/new/", "hands/preview/"])
def test_an_announced_arrivazs_is_not_forgotten(
    owners: Client, evening: Evening, announce: Callable[..., Any], path: str
):
    announce(owners, arrivazs="won")
    posted = form_of(owners, evening) | {"tricks": "7"}
    page = Page.of(owners.post(of_evening(evening, path), posted))
    assert "Still to tap: arrivázs." in page.text
    if path == "hands/new/":
        assert page.error("arrivazs") == "How did the arrivázs end?"
        assert hand_form(page)["announced"] == "1"
    assert not Hand.objects.exists()


def test_finishing_records_the_hand_and_clears_the_table(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners, arrivazs="won", game_kontra="1")
    posted = form_of(keepers, evening) | {"tricks": "7", "arrivazs": "idegen"}
    response = keepers.post(of_evening(evening, "hands/new/"), posted)
    assert response["Location"] == of_evening(evening, "?saved=1")
    hand = Hand.objects.get()
    assert (hand.declarer, hand.deal) == (1, "2H 7 K A*")
    assert not HandInPlay.objects.exists()
    assert "declarer" not in form_of(owners, evening)


def test_the_form_has_the_tricks_too_once_they_are_played(owners: Client, phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", contract="2", trump="hearts", announced="announced")
    for seat in "22111111110":
        phone.tap("trick", seat=seat)
    form = form_of(owners, evening)
    assert (form["tricks"], form["opponent_tricks"], form["arrivazs"]) == ("8", "2", "lost")
    owners.post(of_evening(evening, "hands/new/"), form)
    assert Hand.objects.get().deal == "2H 8-2-1 A-"


# --- correcting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
def test_announcement_of_another_phone_meanwhile_is_shown_and_not_overwritten(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any], headers: dict[str, str]
):
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs", "game_kontra": "1"}
    announce(owners)
    response = keepers.post(of_evening(evening, "announce/"), posted, headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert "Entered meanwhile: Béla, 2, hearts." in page.text.replace("\u2068", "").replace("\u2069", "")
    assert HandInPlay.objects.get().state.get("announcement", "") == "2 hearts"
    form = hand_form(page)
    assert (form["declarer"], form["contract"], form["game_kontra"]) == ("0", "1", "1")
    assert keepers.post(of_evening(evening, "announce/"), form).status_code == 302, (
        "knowing of the other, it may be said again"
    )
    assert HandInPlay.objects.get().state.get("announcement", "") == "1 clubs"


def test_announcement_of_a_hand_recorded_meanwhile_becomes_the_next_by_an_explicit_answer_only(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs"}
    record(evening, owner, "3S 9", declarer=2)
    response = keepers.post(of_evening(evening, "announce/"), posted)
    page = Page.of(response)
    assert response.status_code == 409
    assert "recorded hand 1: Cili 3 spades +3" in page.text
    form = hand_form(page)
    assert keepers.post(of_evening(evening, "announce/"), form).status_code == 409
    form["another"] = page.one("button", name="another").attrs["value"]
    assert keepers.post(of_evening(evening, "announce/"), form).status_code == 302
    assert HandInPlay.objects.get().number == 2


def test_an_announcement_taken_back_meanwhile_is_said_so(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners)
    posted = form_of(keepers, evening) | {"trump": "clubs"}
    take_back(owners, evening)
    response = keepers.post(of_evening(evening, "announce/"), posted)
    assert response.status_code == 409
    assert "taken back on another phone" in Page.of(response).text
    assert not HandInPlay.objects.exists()


def test_an_auction_begun_meanwhile_is_said_so(owners: Client, keepers: Client, phone: Phone, evening: Evening):
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs"}
    phone.tap("call", call="3")
    response = keepers.post(of_evening(evening, "announce/"), posted)
    assert response.status_code == 409
    assert "Another phone is already refereeing this hand" in Page.of(response).text


# --- taking back ---------------------------------------------------------------------------------------------


def take_back(client: Client, evening: Evening, **fields: str) -> Any:
    row = HandInPlay.objects.get(evening=evening)
    posted = {"number": str(row.number), "seen": str(row.version)} | fields
    return client.post(of_evening(evening, "announce/back/"), posted)


def test_announcement_is_taken_back_after_a_question(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners)
    page = Page.of(keepers.get(of_evening(evening, "announce/back/")))
    assert "Take back the announcement of hand 1?" in page.text
    assert "Béla 2 hearts" in page.text
    assert take_back(keepers, evening)["Location"] == of_evening(evening)
    assert not HandInPlay.objects.exists()
    assert "declarer" not in form_of(owners, evening)


# --- Announcing a hand while other phones change the evening ---


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], object]], None]:
    """Let this happen after a view has looked at the evening, and before the writer that it calls begins."""

    def happen(writer: str, event: Callable[[], object]) -> None:
        write = getattr(hand_in_play, writer)

        def after_it(*args: Any, **kwargs: Any) -> Any:
            monkeypatch.setattr(hand_in_play, writer, write)
            event()
            return write(*args, **kwargs)

        monkeypatch.setattr(hand_in_play, writer, after_it)

    return happen


def test_refused_taking_back_shows_the_hand_as_it_stands_now(
    owners: Client,
    keepers: Client,
    evening: Evening,
    announce: Callable[..., Any],
    meanwhile: Callable[..., None],
):
    announce(owners)
    back = of_evening(evening, "announce/back/")
    posted = {"number": "1", "seen": str(HandInPlay.objects.get().version)}
    assert "Béla" in Page.of(keepers.get(back)).text
    meanwhile("take_back", lambda: announce(owners, declarer="2", trump="clubs"))
    answer = keepers.post(back, posted)
    page = Page.of(answer)
    assert answer.status_code == 409
    assert page.one("input", name="seen").attrs["value"] == str(HandInPlay.objects.get().version)
    assert "Cili" in page.one("main").text
    assert keepers.post(back, hand_back(page)).status_code == 302


def hand_back(page: Page) -> dict[str, str]:
    return {name: page.one("input", name=name).attrs["value"] for name in ("number", "seen")}


def test_an_evening_that_ends_while_it_is_announced_says_so(
    owners: Client, evening: Evening, announce: Callable[..., Any], meanwhile: Callable[..., None]
):
    meanwhile("announce", lambda: evenings.end(evening.pk))
    response = announce(owners)
    assert (response.status_code, "This session has ended." in Page.of(response).text) == (409, True)


@pytest.mark.parametrize("is_late", [False, True])
def test_seats_that_were_swapped_meanwhile_let_nobody_play_unasked(
    owners: Client,
    evening: Evening,
    owner: User,
    announce: Callable[..., Any],
    meanwhile: Callable[..., None],
    is_late: bool,
):
    def swap() -> None:
        shape = shape_of(Evening.objects.get())
        first, second, third = shape.players
        wanted = replace(shape, players=(second, first, third), names=("Béla", "Anna", "Cili"))
        evening_edit.edit(evening.pk, wanted, seen=0, by=owner)

    opened = hand_form(Page.of(owners.get(of_evening(evening, "hands/new/"))))
    posted = opened | {"declarer": "0", "contract": "2", "trump": "hearts", "game_kontra": "1"}
    if is_late:
        meanwhile("announce", swap)
    else:
        swap()
    response = owners.post(of_evening(evening, "announce/"), posted)
    page = Page.of(response)
    assert response.status_code == 409
    assert "The seats were changed on another phone meanwhile" in page.text
    again = hand_form(page)
    assert (again.get("declarer"), again["contract"], again["game_kontra"]) == (None, "2", "1")
    assert not HandInPlay.objects.filter(state__has_key="declarer").exists()
    assert owners.post(of_evening(evening, "announce/"), again | {"declarer": "1"}).status_code == 302
    assert HandInPlay.objects.get().state["declarer"] == 1
