"""A game that only two registries name is played through all pages, by three players and by four or five."""

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.games.base import Place
from sessions_app.models import Evening, User
from sessions_app.readers.evening import recount
from tests.factories import begun
from tests.toy.game import GAME
from tests.toy.pages import BALANCES, at, opened, played_evening, sheet
from tests.toy.playing import record, shared, toy_evening, toy_fields
from tests.toy.seating import dealer_marks, seated
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, Page, hand_form, saved
from tests.views.test_table_view import sides

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def evening(owner: User) -> Evening:
    """An evening of the toy without hands, with the phones of the cast."""
    return toy_evening(owner)


NAMES = ("Anna", "Béla", "Cili", "Dóra", "Edit")


def posted(count: int, **said: Any) -> dict[str, str]:
    names = {f"player_{seat}": name for seat, name in enumerate(NAMES[:count], 1)}
    return {"token": str(uuid4()), **names, "first_dealer": "1", "stake": "", "currency": "HUF", "game": "toy"} | said


def test_session_of_a_new_game_starts_by_the_common_form(owners: Client, owner: User):
    assert "Toy" in Page.of(owners.get("/sessions/new/?game=toy")).text
    refused = Page.of(owners.post("/sessions/new/", posted(3, rules="most=12")), 422)
    assert "Highest: a whole number from 1 to 9." in refused.text
    answer = owners.post("/sessions/new/", posted(3, rules="plain most=8"))
    evening = Evening.objects.latest("pk")
    assert answer.headers["Location"] == at(evening)
    assert (evening.game_key, evening.rules) == ("toy", "plain most=8")
    assert "never twice" in opened(owners, evening).text


def test_hands_go_from_the_form_to_the_sheet(owners: Client, evening: Evening):
    page = opened(owners, evening, "hands/new/")
    assert "Hand 1 · Anna deals · Cili speaks first" in page.text
    assert "Announce" not in page.buttons
    assert hand_form(page)["dealer"] == "0"
    first = owners.post(at(evening, "hands/new/"), toy_fields(evening, **shared(4, 1, 0)))
    assert saved(first) == at(evening, "?saved=1")
    lost = toy_fields(evening, dealer=2, way="lost", points=2)
    assert saved(owners.post(at(evening, "hands/new/"), lost, headers=HTMX_HAND_FORM)) == at(evening, "?saved=2")
    page = opened(owners, evening)
    assert page.line(1).text == "1 4/1/0 −2⅓ +⅔ +1⅔"
    assert page.line(2).text == "2 Béla -2 +4 −8 +4"
    assert page.balances == {0: Fraction(5, 3), 1: Fraction(-22, 3), 2: Fraction(17, 3)}
    assert "Hand 3 · Béla deals · Anna speaks first" in page.text
    assert "Béla leads" in page.text
    assert not any(said in page.text for said in ("if Anna plays", "Referee"))
    for path in ("referee/", "referee/live/", "announce/", "announce/back/"):
        assert owners.get(at(evening, path)).status_code == 404


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


def test_the_end_of_the_evening(owners: Client, owner: User):
    played = played_evening(owner)
    page = opened(owners, played, "settle/")
    assert page.balances == BALANCES
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


def test_a_game_s_numbers_of_players_are_asked_for(owners: Client):
    with seated(4, 5):
        page = Page.of(owners.post("/sessions/new/", posted(3, arrange="")))
        seats = [page.one("input", id=f"player_{seat}").attrs["placeholder"] for seat in range(1, 6)]
        assert seats == ["First player", "Second player", "Third player", "Fourth player", "Fifth (if any)"]
        refused = Page.of(owners.post("/sessions/new/", posted(3)), 422)
        assert refused.errors == [refused.error("player_4")] == ["Enter a name."]
        assert not Evening.objects.exists()
        for count in (4, 5):
            phone = Client()
            answer = phone.post("/sessions/new/", posted(count, first_dealer="4"))
            assert Page.of(phone.get(answer.headers["Location"])).balances == dict.fromkeys(range(count), 0)
    with seated(3, 5):
        refused = Page.of(owners.post("/sessions/new/", posted(4)), 422)
        assert refused.error("player_4") == "Too many players for this game."
        assert owners.post("/sessions/new/", posted(3)).status_code == 302


def test_five_sit_round_the_phone(owners: Client, owner: User):
    with seated(4, 5):
        evening = begun(owner, GAME.key, names=NAMES)
        record(evening, owner, "+3", 1)
        page = Page.of(owners.get(f"/sessions/{evening.pk}/table/"))
    assert sides(page) == [
        ("bottom", "Anna"), ("left", "Béla"), ("top-left", "Cili"), ("top-right", "Dóra"), ("right", "Edit")
    ]  # fmt: skip
    assert page.balances == {0: 0, 1: 9, 2: -3, 3: -3, 4: -3}
    assert len(page.of_class("facing-across")) == 1


@pytest.mark.parametrize(
    ("marks", "amounts"),
    [((), "· 6 -3 -3"), ((3,), "-3 7 -2 -2"), ((3, -3), "0 6 -3 -3")],
    ids=["nothing", "marks", "marks that come to nothing"],
)
def test_dealer_who_sits_out_and_writes_takes_part_in_the_hand(
    owners: Client, owner: User, marks: tuple[int, ...], amounts: str
):
    """Three of the dealer's marks are one of each other's."""
    with seated(4, 5):
        evening = begun(owner, GAME.key, names=NAMES[:4])
        with dealer_marks(*marks):
            hand = record(evening, owner, "+3", 1)
            deal, place = GAME.deal_from_text("+3"), Place(hand.sitting, hand.dealer, hand.declarer)
            counted = recount.count(Evening.objects.get(), deal, place, 4)
        page, session = (Page.of(owners.get(f"/sessions/{evening.pk}/{path}")) for path in ("hands/1/", ""))
    assert page.of_class("hand-card")[0].attrs["data-amounts"] == amounts
    figures = [cell.text for cell in session.line(1).of_class("amount")]
    expected = tuple(None if text == "·" else int(text) for text in amounts.split())
    assert figures == ["·" if each is None else f"{each:+d}".replace("-", "−") if each else "0" for each in expected]
    assert counted.amounts == expected
