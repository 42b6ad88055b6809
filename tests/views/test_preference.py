"""Preference by the names that a test may call: fields of the forms, marks on the pages."""

import re
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening
from tests.views.page import Page, session_form

NEW = "/sessions/new/"


def begin(client: Client, rules: str = "", seats: int = 3, **more: str) -> Evening:
    form = session_form(Page.of(client.get(NEW)))
    players = {f"player_{place}": name for place, name in enumerate(("Anna", "Béla", "Cili", "Dani")[:seats], 1)}
    response = client.post(NEW, form | players | {"game": "preference", "rules": rules, "first_dealer": "1"} | more)
    assert response.status_code == 302, Page.of(response).text
    return Evening.objects.latest("pk")


def enter(client: Client, evening: Evening, line: str, declarer: int | str = "", dealer: int = 0) -> Any:
    evening.refresh_from_db()
    hand = {"token": str(uuid4()), "number": evening.last_number + 1, "dealer": dealer, "declarer": declarer}
    return client.post(f"/sessions/{evening.pk}/hands/new/", hand | {"line": line})


def recorded(client: Client, evening: Evening, *hands: tuple[str, int | str, int]) -> None:
    for hand in hands:
        response = enter(client, evening, *hand)
        assert response.status_code == 302, (hand, Page.of(response).text)


def entries(client: Client, evening: Evening, number: int) -> str:
    page = Page.of(client.get(f"/sessions/{evening.pk}/hands/{number}/"))
    return page.of_class("hand-card")[0].attrs["data-entries"]


def sheet(client: Client, evening: Evening) -> tuple[str, dict[int, Any]]:
    page, settled = (Page.of(client.get(f"/sessions/{evening.pk}/{path}")) for path in ("", "settle/"))
    written = page.one("div", id="state").attrs["data-sheet"]
    assert settled.of_class("settle")[0].attrs["data-sheet"] == written
    assert settled.balances == page.balances
    return written, page.balances


def test_a_sheet_is_written_hand_by_hand_and_settled(owners: Client) -> None:
    evening = begin(owners, "target=8")
    recorded(owners, evening, ("6S ww 7-2-1", 0, 2), ("8H wp 5", 1, 0), ("R 4-4-2", "", 1), ("R 0-3-7", "", 2))
    assert [entries(owners, evening, number) for number in (1, 2, 3, 4)] == [
        "P0+2 B0>2+2 B1>0+4",
        "D1+18 B0>1+18 B2>1+48",
        "D0+4 D1+2 D2+4",
        "D1+6 D2+14",
    ]
    written, balances = sheet(owners, evening)
    assert written == "P0+2 D0+4 D1+26 D2+18 B0>1+18 B0>2+2 B1>0+4 B2>1+48"
    assert list(balances.values()) == [Fraction(448, 3), Fraction(-506, 3), Fraction(58, 3)]


@pytest.mark.parametrize(
    ("rules", "line", "declarer", "code"),
    [
        ("", "6S ww 6-3-2", 0, "tricks_sum"),
        ("half_whist=no", "6H ph", 0, "half_off"),
        ("", "R 4-3-3", 0, "declarer_extra"),
        ("", "= P0+21", "", "pool_above"),
    ],
)
def test_a_refusal_has_the_page_s_code_beside_its_sentence(
    owners: Client, rules: str, line: str, declarer: int | str, code: str
) -> None:
    evening = begin(owners, rules)
    response = enter(owners, evening, line, declarer, dealer=2)
    assert response.status_code == 422
    assert codes(response) == {code}
    assert Page.of(response).one("input", name="line").attrs["value"] == line, "what was typed is kept"
    evening.refresh_from_db()
    assert evening.last_number == 0


def test_after_the_end_the_form_is_closed_and_the_way_on_is_to_settle(
    owners: Client,
) -> None:
    evening = begin(owners, "target=2")
    url = f"/sessions/{evening.pk}/"
    assert ways(owners, url) == {"Enter hand 1": "primary"}
    assert "game is over" not in Page.of(owners.get(url + "hands/new/")).text
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
    refused = Page.of(enter(owners, evening, "6S pp", 0)).one("form", id="hand-form")
    assert "not recorded" in refused.one(id="hand-over").text
    assert "Announce" not in refused.text
    assert "game is over" not in Page.of(owners.get(url + "hands/1/edit/")).text
    owners.post(url + "hands/1/void/")
    assert ways(owners, url) == {"Enter hand 2": "primary"}
    assert not Page.of(owners.get(url + "hands/new/")).one(id="hand-over").text


def test_a_form_that_is_open_while_the_game_ends_is_told(owners: Client) -> None:
    evening = begin(owners, "target=2")
    recorded(owners, evening, ("8S pp", 0, 2))
    told = Page.of(owners.get(f"/sessions/{evening.pk}/hands/new/live/?number=1"))
    (over,) = told.all("hx-partial", hx_target="#hand-question")
    assert "the game is over" in over.text
    assert [link.attrs["href"] for link in over.all("a")] == [f"/sessions/{evening.pk}/{to}" for to in ("", "settle/")]
    assert not told.all("button")


def test_a_later_hand_that_comes_to_the_same_by_other_entries_is_shown_with_them(owners: Client) -> None:
    """The aid goes to the highest pool with room, and its owner changes nobody's points."""
    evening = begin(owners, "target=4")
    recorded(owners, evening, ("7S pp", 0, 2), ("6S pp", 1, 0), ("6S pp", 0, 1))
    assert entries(owners, evening, 3) == "P1+2 B0>1+20"
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


def codes(response: Any) -> set[str]:
    return set(re.findall(r'data-code="([^"]*)"', response.content.decode()))
