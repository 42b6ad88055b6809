"""A game that only two registries name is played through all pages, without scripts and by htmx requests."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.selection import first
from tests.toy.pages import BALANCES, at, balances, opened, played_evening, sheet
from tests.toy.playing import record, shared, toy_evening, toy_fields
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, Page, hand_form, saved

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def evening(owner: User) -> Evening:
    """An evening of the toy without hands, with the phones of the cast."""
    return toy_evening(owner)


@pytest.fixture
def played(owner: User) -> Evening:
    return played_evening(owner)


def test_session_of_a_new_game_starts_by_the_common_form(owners: Client, owner: User):
    names = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "player_4": ""}
    page = Page.of(owners.get("/sessions/new/?game=toy"))
    assert "Toy" in page.text
    fields = {"token": uuid4(), **names, "first_dealer": "1", "stake": "", "currency": "HUF", "game": "toy"}
    refused = owners.post("/sessions/new/", fields | {"rules": "most=12"})
    assert refused.status_code == 422
    assert "Highest: a whole number from 1 to 9." in Page.of(refused).text
    answer = owners.post("/sessions/new/", fields | {"rules": "plain most=8"})
    evening = Evening.objects.latest("pk")
    assert answer.headers["Location"] == at(evening)
    assert (evening.game_key, evening.rules) == ("toy", "plain most=8")
    assert "never twice" in opened(owners, evening).text


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])
def test_hands_go_from_the_form_to_the_sheet(owners: Client, evening: Evening, headers: dict[str, str]):
    page = opened(owners, evening, "hands/new/")
    assert "Hand 1 · Anna deals · Cili speaks first" in page.text
    assert "Announce" not in page.buttons
    assert hand_form(page)["dealer"] == "0"
    first = owners.post(at(evening, "hands/new/"), toy_fields(evening, **shared(4, 1, 0)), headers=headers)
    assert saved(first) == at(evening, "?saved=1")
    second = owners.post(
        at(evening, "hands/new/"), toy_fields(evening, dealer=2, way="lost", points=2), headers=headers
    )
    assert saved(second) == at(evening, "?saved=2")
    page = opened(owners, evening)
    assert page.line(1).text == "1 4/1/0 −2⅓ +⅔ +1⅔"
    assert page.line(2).text == "2 Béla -2 +4 −8 +4"
    assert balances(page) == {0: "5/3", 1: "-22/3", 2: "17/3"}
    assert "Hand 3 · Béla deals · Anna speaks first" in page.text
    assert "Béla leads" in page.text
    assert "if Anna plays" not in page.text
    assert "Referee" not in page.text


def test_hand_that_may_not_follow_is_refused_beside_its_field(owners: Client, evening: Evening, owner: User):
    record(evening, owner, "4/1/0")
    nobody = toy_fields(evening, points=0)
    sentence = "After marks that double somebody wins or loses."
    for path, headers in (("hands/new/", {}), ("hands/new/", HTMX_HAND_FORM), ("hands/preview/", HTMX_COUNT)):
        answer = owners.post(at(evening, path), nobody, headers=headers)
        assert sentence in Page.of(answer).text
        assert answer.status_code == (422 if path == "hands/new/" else 200)
    kept = owners.post(at(evening, "hands/new/"), nobody, headers={"accept": "application/json"})
    assert (kept.status_code, kept.json()) == (422, {"sentence": sentence})
    assert evening.hands.count() == 1


def test_a_deal_that_is_thrown_in_goes_on_as_the_game_has_it(owners: Client, evening: Evening):
    """The same dealer deals again, and nothing else is offered or taken."""
    page = opened(owners, evening, "hands/new/")
    ways = [(button.attrs["value"], button.text) for button in page.all("button", name="redeal")]
    assert ways == [("stays", "same dealer again")]
    thrown_in = toy_fields(evening, declarer="", way=None, points=None, redeal="passes")
    refused = owners.post(at(evening, "hands/new/"), thrown_in)
    sentence = "In this game the same dealer deals again after a thrown-in hand."
    assert (refused.status_code, sentence in Page.of(refused).text) == (422, True)
    kept = owners.post(at(evening, "hands/new/"), thrown_in, headers={"accept": "application/json"})
    assert (kept.status_code, kept.json()) == (422, {"sentence": sentence})
    assert owners.post(at(evening, "hands/new/"), thrown_in | {"redeal": "stays"}).status_code == 302
    assert "Hand 2 · Anna deals · Cili speaks first" in opened(owners, evening, "hands/new/").text
    assert "Anna dealt · same dealer again" in opened(owners, evening, "hands/1/").text
    refused = owners.post(at(evening, "hands/1/edit/"), thrown_in)
    assert (refused.status_code, sentence in Page.of(refused).text) == (422, True)


def test_the_end_of_the_evening(owners: Client, played: Evening):
    page = opened(owners, played, "settle/")
    assert balances(page) == BALANCES
    assert sheet(page) == sheet(opened(owners, played)) == "P0>2+3 P1>0+10 P1>2+7 P2>0+6 M0+4 M1+1"
    assert "A point is worth" in page.text
    text = page.one("textarea").text
    assert "Toy, " in text
    assert "Anna: +10⅔ (HUF 107)" in text
    owners.post(at(played, "end/"))
    assert opened(owners, played, "settle/").of_class("ended-as")[0].text == "Anna won +10⅔ · 4 hands"
    past = Page.of(owners.get("/sessions/"))
    assert "Cili +5⅔" in past.text
    assert "and Toy" in past.html
    owners.post(at(played, "reopen/"))
    assert "Enter hand 5" in opened(owners, played).links


@pytest.mark.parametrize("path", ["referee/", "referee/live/", "announce/", "announce/back/"])
def test_game_without_a_referee_has_no_referee_pages(owners: Client, evening: Evening, path: str):
    assert owners.get(at(evening, path)).status_code == 404
