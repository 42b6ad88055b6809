"""Preference by the names that a test may call: fields of the forms, marks on the pages, hands announced by a form."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from tests.factories import begun
from tests.views.page import Page, at, hand_card
from tests.views.refereeing import Phone, announce, bar, form_of, take_back

#: The start of an evening by these house rules.
type Made = Callable[..., Evening]


def enter(client: Client, evening: Evening, line: str, declarer: int | str = "", dealer: int = 0) -> Any:
    evening.refresh_from_db()
    hand = {"token": str(uuid4()), "number": evening.last_number + 1, "dealer": dealer, "declarer": declarer}
    return client.post(f"/sessions/{evening.pk}/hands/new/", hand | {"line": line})


def recorded(client: Client, evening: Evening, *hands: tuple[str, int | str, int]) -> None:
    for hand in hands:
        response = enter(client, evening, *hand)
        assert response.status_code == 302, (hand, Page.of(response).text)


def test_a_sheet_is_written_hand_by_hand_and_settled(owners: Client, made: Made) -> None:
    evening = made("target=8")
    recorded(owners, evening, ("6S ww 7-2-1", 0, 2), ("8H wp 5", 1, 0), ("R 4-4-2", "", 1), ("R 0-3-7", "", 2))
    assert [hand_card(owners, evening, number)["data-entries"] for number in (1, 2, 3, 4)] == [
        "P0+2 B0>2+2 B1>0+4",
        "D1+18 B0>1+18 B2>1+48",
        "D0+4 D1+2 D2+4",
        "D1+6 D2+14",
    ]
    page, settled = (Page.of(owners.get(at(evening, path))) for path in ("", "settle/"))
    for sheet in (page.one("div", id="state"), settled.of_class("settle")[0]):
        assert sheet.attrs["data-sheet"] == "P0+2 D0+4 D1+26 D2+18 B0>1+18 B0>2+2 B1>0+4 B2>1+48"
    assert page.balances == settled.balances
    assert list(page.balances.values()) == [Fraction(448, 3), Fraction(-506, 3), Fraction(58, 3)]


def test_refusal_has_the_page_s_code_beside_its_sentence(owners: Client, made: Made) -> None:
    for rules, line, declarer, code in (
        ("half_whist=no", "6H ph", 0, "half_off"),
        ("", "R 4-3-3", 0, "declarer_extra"),
        ("", "= P0+21", "", "pool_above"),
    ):
        evening = made(rules)
        page = Page.of(enter(owners, evening, line, declarer, dealer=2), 422)
        assert {node.attrs["data-code"] for node in page.nodes() if "data-code" in node.attrs} == {code}
        assert page.one("input", name="line").attrs["value"] == line, "what was typed is kept"
        assert not evening.hands.exists()


def test_after_the_end_the_form_is_closed_and_the_way_on_is_to_settle(owners: Client, made: Made) -> None:
    evening = made("target=2")
    url = f"/sessions/{evening.pk}/"
    assert ways(owners, url) == {"Enter hand 1": "primary"}
    recorded(owners, evening, ("8S pp", 0, 2))
    assert ways(owners, url) == {"Enter hand 2": "quiet", "Settle up": "primary"}
    closed = Page.of(owners.get(url + "hands/new/"))
    assert not closed.all("form", id="hand-form")
    over = closed.one(id="hand-over")
    assert "the game is over" in over.text
    assert "No more hands can be recorded" in over.text
    assert [link.attrs["href"] for link in over.all("a")] == [url + "entries/new/", url + "settle/"]
    assert "not recorded" not in over.text
    assert "the game is over" in Page.of(owners.get(url + "referee/")).text
    (told,) = Page.of(owners.get(url + "hands/new/live/?number=1")).all("hx-partial", hx_target="#hand-question")
    assert "the game is over" in told.text
    assert [link.attrs["href"] for link in told.all("a")] == [url, url + "settle/"]
    refused = Page.of(enter(owners, evening, "6S pp", 0)).one("form", id="hand-form")
    assert "not recorded" in refused.one(id="hand-over").text
    assert "Announce" not in refused.text
    assert "game is over" not in Page.of(owners.get(url + "hands/1/edit/")).text
    owners.post(url + "hands/1/void/")
    assert ways(owners, url) == {"Enter hand 2": "primary"}
    assert not Page.of(owners.get(url + "hands/new/")).one(id="hand-over").text


def test_a_later_hand_that_comes_to_the_same_by_other_entries_is_shown_with_them(owners: Client, made: Made) -> None:
    """The aid goes to the highest pool with room, and its owner changes nobody's points."""
    evening = made("target=4")
    recorded(owners, evening, ("7S pp", 0, 2), ("6S pp", 1, 0), ("6S pp", 0, 1))
    assert hand_card(owners, evening, 3)["data-entries"] == "P1+2 B0>1+20"
    url = f"/sessions/{evening.pk}/hands/"
    box = Page.of(owners.get(url + "2/")).one(id="forward")
    assert box.text == ""
    hand = evening.hands.get(number=2)
    form = {"token": str(hand.token), "number": "2", "dealer": "0", "declarer": "2", "revision": "1", "line": "6S pp"}
    box = Page.of(owners.post(url + "2/edit/", form | {"count": "1"})).one(id="forward")
    assert "3 +13⅓ −6⅔ −6⅔ Béla pool was +2 0; Cili pool was 0 +2" in box.text
    assert owners.post(url + "2/edit/", form).status_code == 302
    change = Page.of(owners.get(url + "3/")).of_class("history")[0].all("li")[0]
    assert "was" in change.text


def ways(client: Client, url: str) -> dict[str, str]:
    """The ways on at the foot of the evening's page, and their classes."""
    (bar,) = Page.of(client.get(url)).of_class("evening-bar")
    looks = {link.text: link.attrs["class"].split() for link in bar.all("a")}
    return {
        text: look for text, of in looks.items() for look in of if look in ("primary", "quiet") and text != "Referee"
    }


# --- A hand of Preference announced from the hand form, and its result afterwards ---


#: Anna deals, Béla speaks first; the first of his opponents is Cili, the second Anna.
SIX = {"declarer": "1", "level": "6", "strain": "S"}


@pytest.fixture
def made(owner: User, evening: Evening) -> Made:
    """An evening of Preference at the same table, so that the cast is the same."""

    def of(rules: str = "") -> Evening:
        return begun(owner, "preference", rules, circle=evening.circle)

    return of


def state() -> dict[str, Any]:
    return HandInPlay.objects.get().state


def test_hand_is_announced_before_all_of_it_is_known_and_its_tricks_do_not_matter_yet(owners: Client, made: Made):
    evening = made()
    for fields, expected in (
        (SIX | {"strain": None}, {"let": 1, "named": "6"}),
        (SIX | {"answers": "w0"}, {"let": 1, "named": "6S", "answers": "pass whist"}),
        (SIX | {"tricks": "11", "first_tricks": "x"}, {"let": 1, "named": "6S"}),
        ({"declarer": "2", "level": "M"}, {"let": 2, "named": "M"}),
    ):
        HandInPlay.objects.all().delete()
        assert announce(owners, evening, **fields)["Location"] == at(evening)
        assert state() == expected
    assert not Hand.objects.exists()


def test_announcement_that_cannot_be_is_refused_beside_its_row(owners: Client, made: Made):
    for rules, fields, name, code in (
        ("", {"level": "6"}, "declarer", "declarer_needed"),
        ("", SIX | {"answers": "w1"}, "answers", "no_whister"),
        ("stalingrad=yes", SIX | {"strain": None}, "strain", "strain_needed"),
    ):
        page = Page.of(announce(owners, made(rules), **fields), 422)
        assert page.one(id=f"error-{name}").attrs["data-code"] == code
    assert not HandInPlay.objects.exists()


def test_every_phone_sees_what_is_played_who_whists_and_what_it_is_worth(cast: dict[str, Client], made: Made):
    evening = made()
    announce(cast["owner"], evening, **SIX, answers="w2")
    for who in ("owner", "keeper", "viewer"):
        shown = bar(cast[who], evening)
        line = shown.one("summary").text
        assert line.startswith("Béla 66 spades")
        assert "Cili whists" in line
        assert "made with 6 tricks Béla pool +2 Cili on Béla +8 down 1 Béla dump +2" in shown.text
        assert "down 1 Béla dump +2 Cili on Béla +12 Anna on Béla +2 down 2" in shown.text
        table = Page.of(cast[who].get(at(evening, "table/"))).text
        assert "pool +2 dump +2" in table
    assert cast["outsider"].get(at(evening)).status_code == 404


TEN = {"declarer": "1", "level": "10"}
BOTH = {"tricks": "6", "first_tricks": "3"}


@pytest.mark.parametrize(
    ("rules", "said", "noted_as", "tricks", "deal"),
    [
        ("", SIX | {"answers": "ww"}, {"named": "6S", "answers": "whist whist"}, BOTH, "6S ww 6-3-1"),
        ("", SIX, {"named": "6S"}, {"answers": "pp"}, "6S pp"),
        ("", {"declarer": ""}, {"auction": "1-2-0 pass pass pass"}, {"taken_1": "4", "taken_2": "3"}, "R 4-3-3"),
        ("ten=checked", TEN, {"named": "10"}, {"tricks": "9", "first_tricks": "1"}, "10 cc 9-1-0"),
        ("stalingrad=yes", SIX, {"named": "6S"}, BOTH, "6S ww 6-3-1"),
        ("give_up=3", SIX | {"answers": "g"}, {"named": "6S", "given_up": True}, {}, "6S g"),
    ],
)
def test_the_form_is_finished_with_all_that_was_announced_in_it(
    owners: Client,
    made: Made,
    rules: str,
    said: dict[str, str],
    noted_as: dict[str, Any],
    tricks: dict[str, str],
    deal: str,
):
    evening = made(rules)
    assert announce(owners, evening, **said).status_code == 302
    assert state() == (noted_as if "auction" in noted_as else {"let": 1} | noted_as)
    form = form_of(owners, evening)
    assert {name: form.get(name, "") for name in said} == said
    response = owners.post(at(evening, "hands/new/"), {**form, **tricks})
    assert response.status_code == 302, Page.of(response).text
    assert Hand.objects.get().deal == deal
    assert not HandInPlay.objects.exists()


def test_an_answer_that_waits_for_another_is_not_lost_by_announcing_the_same_once_more(owners: Client, made: Made):
    for rules in ("", "give_up=3"):
        evening = made(rules)
        phone = Phone(owners, evening)
        phone.tap("declarer", seat="1")
        phone.tap("announce", contract="6S")
        phone.tap("say", word="pass")
        if rules:
            phone.tap("concede")
        of_it = HandInPlay.objects.filter(evening=evening)
        before = of_it.values().get()
        for taps in ({}, {"tricks": "7"}):
            assert announce(owners, evening, **taps).status_code == 302
        assert of_it.values().get() == before


def test_a_form_that_was_open_meanwhile_is_told_and_follows(owners: Client, made: Made):
    evening = made()
    announce(owners, evening, **SIX, answers="w2")
    live = "hands/new/live/?number=1"
    told = Page.of(owners.get(at(evening, f"{live}&seen=0")))
    assert "Béla has announced 6♠︎." in told.text
    assert noted(told) == {"dealer": "0", "declarer": "1", "level": "6", "strain": "S", "answers": "w2"}
    take_back(owners, evening)
    told = Page.of(owners.get(at(evening, f"{live}&seen=2")))
    assert noted(told) == {"dealer": "0", "declarer": "", "level": "", "strain": "", "answers": ""}


def noted(page: Page) -> dict[str, str]:
    return {tag.attrs["data-field"]: tag.attrs["data-value"] for tag in page.all("span") if "data-field" in tag.attrs}
