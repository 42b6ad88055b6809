"""Announce a hand from the hand form; every phone shows it."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evenings, hand_in_play
from tests.factories import record
from tests.ledger.books import edit
from tests.views.page import HTMX_HAND_FORM, Page, at, filled, hand_form
from tests.views.refereeing import Phone, bar, form_of


def test_announcement_without_tricks_gives_each_kontra_to_the_player_who_may_say_it(
    keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    """From the form their level is known, and not their speakers: left opponent, declarer, right opponent, …"""
    page = Page.of(keepers.get(at(evening, "hands/new/")))
    button = page.one("button", formaction=at(evening, "announce/"))
    assert (button.text, button.attrs["hx-post"]) == ("Announce", at(evening, "announce/"))
    response = announce(keepers, tricks="6", opponent_tricks="", arrivazs="won", game_kontra="3", arrivazs_kontra="1")
    assert response["Location"] == at(evening)
    row = HandInPlay.objects.get()
    assert (row.number, row.dealer, row.state["declarer"], row.state.get("play", "")) == (1, 0, 1, "")
    assert row.state["doubling"] == "1-2-0 announced game:2 game:1 game:0 arrivazs:2"
    assert not Hand.objects.exists()


def test_wrong_announcement_is_refused_beside_its_row_and_kept(owners: Client, announce: Callable[..., Any]):
    for fields, name, sentence in (
        ({"declarer": None}, "declarer", "Who plays?"),
        ({"contract": None}, "contract", "Which contract?"),
        ({"trump": "hats"}, "trump", "Choose one of the options."),
        ({"arrivazs_kontra": "1"}, "arrivazs_kontra", "Only an arrivázs that was announced can be doubled."),
        ({"declarer": "3"}, "declarer", "Nobody sits there."),
    ):
        for headers in ({}, HTMX_HAND_FORM):
            page = Page.of(announce(owners, headers, game_kontra="2", **fields), 422)
            assert page.is_whole is (not headers)
            assert sentence in page.error(name)
            assert hand_form(page)["game_kontra"] == "2"
            assert len(page.of_class("error")) <= 2, "beside the row, and in the count"
    assert not HandInPlay.objects.exists()


def test_every_phone_shows_what_is_played_who_leads_and_what_it_is_worth(
    owners: Client, viewers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners, arrivazs="won", game_kontra="2", arrivazs_kontra="1")
    for client in (owners, viewers):
        text = bar(client, evening).text.replace("\u2068", "").replace("\u2069", "")
        assert "Béla 2 hearts R×4 rekontra ×4 A K×2 arrivázs, kontra ×2 Anna leads Hand 1 is being played" in text
        assert "Game ×4 Cili kontra, Béla rekontra" in text
        assert "Arrivázs ×2 Cili kontra" in text
        assert "The talon lies open until the end of the first trick." in text
        assert "6 +16 7 +24 8 +32 9 +40 10 +48 11 +56" in text
        assert "5 −16 4 −24 3 −32 2 −40 1 −48 0 −56" in text
        assert "6:5:0 +12 Arrivázs: won +16 idegen +32 lost −16" in text
    phone = Phone(owners, evening)
    for seat in "1122":
        phone.tap("trick", seat=seat)
    shown = bar(owners, evening)
    gone = [cell.of_class("cell")[0].parent.text for cell in shown.of_class("gone")]
    assert [worth.split()[0] for worth in gone[:4]] == ["10", "11", "1", "0"], "tricks that cannot be any more"
    assert "Béla 2 Cili 2 Anna 0" in shown.text


def test_a_form_that_has_saved_a_hand_announces_the_next_under_a_token_of_its_own(owners: Client, evening: Evening):
    """Save's answer was lost; 'Announce' in the same form is asked, and answered."""
    posted = form_of(owners, evening) | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
    assert owners.post(at(evening, "hands/new/"), posted).status_code == 302
    page = Page.of(owners.post(at(evening, "announce/"), posted), 409)
    assert owners.post(at(evening, "announce/"), hand_form(page)).status_code == 409, "a second tap there"
    button = page.one("button", name="another")
    assert button.attrs["formaction"] == at(evening, "announce/")
    again = hand_form(page) | {"declarer": "2", "another": button.attrs["value"]}
    assert owners.post(at(evening, "announce/"), again).status_code == 302
    phone = Phone(owners, evening)
    phone.tap("concede")
    assert phone.tap("finish", split="3")["HX-Redirect"].endswith("?saved=2")
    assert evening.hands.count() == 2
    assert not HandInPlay.objects.exists()


def test_form_opens_with_what_is_announced_and_finishing_it_clears_the_table(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    token = uuid4()
    announce(owners, token=token, dealer="2", declarer="0", contract="hand", trump="none", game_kontra="3")
    form = form_of(keepers, evening)
    assert (form["dealer"], form["declarer"], form["contract"], form["trump"]) == ("2", "0", "hand", "none")
    assert (form["game_kontra"], form["arrivazs"], form["arrivazs_kontra"]) == ("3", "none", "0")
    assert UUID(form["token"]) == token
    assert "tricks" not in form
    response = keepers.post(at(evening, "hands/new/"), form | {"tricks": "7"})
    assert response["Location"] == at(evening, "?saved=1")
    assert (Hand.objects.get().declarer, Hand.objects.get().deal.split()[:2]) == (0, ["hN", "7"])
    assert not HandInPlay.objects.exists()
    assert "declarer" not in form_of(owners, evening)


def test_an_announced_arrivazs_is_not_forgotten(owners: Client, evening: Evening, announce: Callable[..., Any]):
    announce(owners, arrivazs="won")
    posted = form_of(owners, evening) | {"tricks": "7"}
    for path in ("hands/preview/", "hands/new/"):
        page = Page.of(owners.post(at(evening, path), posted))
        assert "Still to tap: arrivázs." in page.text
    assert page.error("arrivazs") == "How did the arrivázs end?"
    assert hand_form(page)["announced"] == "1"
    assert not Hand.objects.exists()


def test_the_form_has_the_tricks_too_once_they_are_played(owners: Client, phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", contract="2", trump="hearts", announced="announced")
    for seat in "22111111110":
        phone.tap("trick", seat=seat)
    form = form_of(owners, evening)
    assert (form["tricks"], form["opponent_tricks"], form["arrivazs"]) == ("8", "2", "lost")
    owners.post(at(evening, "hands/new/"), form)
    assert Hand.objects.get().deal == "2H 8-2-1 A-"


def test_announcement_of_another_phone_meanwhile_is_shown_and_not_overwritten(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs", "game_kontra": "1"}
    announce(owners)
    page = Page.of(keepers.post(at(evening, "announce/"), posted), 409)
    assert "Entered meanwhile: Béla, 2, hearts." in page.text.replace("\u2068", "").replace("\u2069", "")
    assert HandInPlay.objects.get().state.get("announcement", "") == "2 hearts"
    form = hand_form(page)
    assert (form["declarer"], form["contract"], form["game_kontra"]) == ("0", "1", "1")
    assert keepers.post(at(evening, "announce/"), form).status_code == 302, "knowing of the other"
    assert HandInPlay.objects.get().state.get("announcement", "") == "1 clubs"


def test_announcement_of_a_hand_recorded_meanwhile_becomes_the_next_by_an_explicit_answer_only(
    keepers: Client, owner: User, evening: Evening
):
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs"}
    record(evening, owner, "3S 9", declarer=2)
    for _tap in range(2):
        page = Page.of(keepers.post(at(evening, "announce/"), posted), 409)
        assert "recorded hand 1: Cili 3 spades +3" in page.text
        posted = hand_form(page)
    posted["another"] = page.one("button", name="another").attrs["value"]
    assert keepers.post(at(evening, "announce/"), posted).status_code == 302
    assert HandInPlay.objects.get().number == 2


def test_form_is_told_of_an_announcement_taken_back_and_of_an_auction_begun_meanwhile(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners)
    posted = form_of(keepers, evening) | {"trump": "clubs"}
    row = HandInPlay.objects.get()
    owners.post(at(evening, "announce/back/"), {"number": "1", "seen": str(row.version)})
    assert "taken back on another phone" in Page.of(keepers.post(at(evening, "announce/"), posted), 409).text
    assert not HandInPlay.objects.exists()
    posted = form_of(keepers, evening) | {"declarer": "0", "contract": "1", "trump": "clubs"}
    Phone(owners, evening).tap("call", call="3")
    page = Page.of(keepers.post(at(evening, "announce/"), posted), 409)
    assert "Another phone is already refereeing this hand" in page.text


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


def test_announcement_is_taken_back_after_a_question_of_the_hand_as_it_stands_now(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any], meanwhile: Callable[..., None]
):
    announce(owners)
    back = at(evening, "announce/back/")
    page = Page.of(keepers.get(back))
    assert "Take back the announcement of hand 1?" in page.text
    assert "Béla 2 hearts" in page.text
    meanwhile("take_back", lambda: announce(owners, declarer="2", trump="clubs"))
    page = Page.of(keepers.post(back, filled(page.form(back))), 409)
    assert filled(page.form(back))["seen"] == str(HandInPlay.objects.get().version)
    assert "Cili" in page.one("main").text
    assert keepers.post(back, filled(page.form(back)))["Location"] == at(evening)
    assert not HandInPlay.objects.exists()
    assert "declarer" not in form_of(owners, evening)


def test_evening_that_ends_while_a_hand_is_announced_says_so_and_keeps_what_was_typed(
    owners: Client, evening: Evening, announce: Callable[..., Any], meanwhile: Callable[..., None]
):
    meanwhile("announce", lambda: evenings.end(evening.pk))
    for _before_the_end_was_known_and_after in range(2):
        page = Page.of(announce(owners), 409)
        assert "This session has ended." in page.text
        assert hand_form(page)["contract"] == "2"
    assert not HandInPlay.objects.exists()


def test_seats_that_were_swapped_meanwhile_let_nobody_play_unasked(
    owners: Client, evening: Evening, owner: User, meanwhile: Callable[..., None]
):
    anna, bela, cili = shape_of(evening).players
    swap = partial(edit, evening, owner, players=(bela, anna, cili), names=("Béla", "Anna", "Cili"))
    taps = {"declarer": "0", "contract": "2", "trump": "hearts", "game_kontra": "1"}
    posted = form_of(owners, evening) | taps
    meanwhile("announce", swap)
    for _before_the_swap_was_known_and_after in range(2):
        page = Page.of(owners.post(at(evening, "announce/"), posted), 409)
        assert "The seats were changed on another phone meanwhile" in page.text
        again = hand_form(page)
        assert (again.get("declarer"), again["contract"], again["game_kontra"]) == (None, "2", "1")
        assert not HandInPlay.objects.filter(state__has_key="declarer").exists()
    assert owners.post(at(evening, "announce/"), again | {"declarer": "1"}).status_code == 302
    assert HandInPlay.objects.get().state["declarer"] == 1
