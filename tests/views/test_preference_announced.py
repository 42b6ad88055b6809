"""A hand of Preference announced from the hand form, and its result afterwards."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, Member, User
from sessions_app.writers.evenings import Opening, start
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Node, Page, filled, hand_form
from tests.views.refereeing import Phone, of_evening

PLAIN: dict[str, str] = {}
#: Anna deals, Béla speaks first; the first of his opponents is Cili, the second Anna.
NAMES = ("Anna", "Béla", "Cili")
SIX = {"declarer": "1", "level": "6", "strain": "S"}
type Made = Callable[..., Evening]


@pytest.fixture
def made(owner: User, evening: Evening) -> Made:
    """An evening of Preference at the same table, so that the cast is the same."""

    def begin(rules: str = "", names: tuple[str, ...] = NAMES) -> Evening:
        table = evening.circle if len(names) == 3 else None
        found = start(Opening(names, 0, game_key="preference", rules=rules), token=uuid4(), by=owner, circle=table)
        Member.objects.filter(circle=found.circle).update(to_be_asked=False)
        return found

    return begin


@pytest.fixture
def preference(made: Made) -> Evening:
    return made()


def form_of(client: Client, evening: Evening) -> dict[str, str]:
    return hand_form(Page.of(client.get(of_evening(evening, "hands/new/"))))


def announce(client: Client, evening: Evening, headers: dict[str, str] | None = None, **fields: str | None) -> Any:
    """The form's 'Announce' with these taps; None leaves a field out."""
    posted = {**form_of(client, evening), **fields}
    said = {name: value for name, value in posted.items() if value is not None}
    return client.post(of_evening(evening, "announce/"), said, headers=headers or {})


def state() -> dict[str, Any]:
    found: dict[str, Any] = HandInPlay.objects.get().state
    return found


def bar(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(of_evening(evening))).one("section", id="open-hand")


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (SIX, {"let": 1, "named": "6S"}),
        (SIX | {"strain": None}, {"let": 1, "named": "6"}),
        (SIX | {"answers": "w2"}, {"let": 1, "named": "6S", "answers": "whist pass"}),
        (SIX | {"answers": "w0"}, {"let": 1, "named": "6S", "answers": "pass whist"}),
        (SIX | {"answers": "rh"}, {"let": 1, "named": "6S", "answers": "pass half whist"}),
        ({"declarer": "2", "level": "M"}, {"let": 2, "named": "M"}),
        ({"declarer": ""}, {"auction": "1-2-0 pass pass pass"}),
        # The taps on its end do not matter yet.
        (SIX | {"tricks": "11", "first_tricks": "x"}, {"let": 1, "named": "6S"}),
    ],
)
def test_hand_is_announced_without_its_tricks(
    owners: Client,
    preference: Evening,
    headers: dict[str, str],
    fields: dict[str, str | None],
    expected: dict[str, Any],
):
    response = announce(owners, preference, headers, **fields)
    assert (response.headers.get("Location") or response.headers.get("HX-Redirect")) == of_evening(preference)
    assert state() == expected
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("rules", "fields", "name", "code"),
    [
        ("", {"declarer": "1"}, "level", "required"),
        ("", {"level": "6"}, "declarer", "declarer_needed"),
        ("", SIX | {"answers": "w1"}, "answers", "no_whister"),
        ("", SIX | {"level": "8", "answers": "ph"}, "answers", "half_level"),
        ("stalingrad=yes", SIX | {"strain": None}, "strain", "strain_needed"),
        ("stalingrad=yes", SIX | {"strain": None, "answers": "ww"}, "strain", "strain_needed"),
    ],
)
def test_wrong_announcement_is_refused_beside_its_row(
    owners: Client, made: Made, rules: str, fields: dict[str, str | None], name: str, code: str
):
    response = announce(owners, made(rules), **fields)
    assert response.status_code == 422
    assert Page.of(response).one(id=f"error-{name}").attrs["data-code"] == code
    assert not HandInPlay.objects.exists()


def test_every_phone_sees_what_is_played_who_whists_and_what_it_is_worth(cast: dict[str, Client], preference: Evening):
    announce(cast["owner"], preference, **SIX, answers="w2")
    for who in ("owner", "keeper", "viewer"):
        shown = bar(cast[who], preference)
        line = shown.one("summary").text
        assert line.startswith("Béla 66 spades")
        assert "Cili whists" in line
        assert "made with 6 tricks Béla pool +2 Cili on Béla +8 down 1 Béla dump +2" in shown.text
        assert "down 1 Béla dump +2 Cili on Béla +12 Anna on Béla +2 down 2" in shown.text
        table = Page.of(cast[who].get(of_evening(preference, "table/"))).text
        assert "pool +2 dump +2" in table
    assert cast["outsider"].get(of_evening(preference)).status_code == 404


@pytest.mark.parametrize(
    ("rules", "said", "tricks", "deal"),
    [
        ("", SIX | {"answers": "w2"}, {"tricks": "6"}, "6S wp 6"),
        ("", SIX | {"answers": "ww"}, {"tricks": "6", "first_tricks": "3"}, "6S ww 6-3-1"),
        ("", SIX | {"answers": "rh"}, {"tricks": "6"}, "6S rh 6"),
        ("", SIX | {"answers": "ph"}, {}, "6S ph"),
        ("", SIX, {"answers": "pp"}, "6S pp"),
        ("", {"declarer": "1", "level": "M"}, {"tricks": "0"}, "M 0"),
        ("", {"declarer": ""}, {"taken_1": "4", "taken_2": "3"}, "R 4-3-3"),
        ("ten=checked", {"declarer": "1", "level": "10"}, {"tricks": "9", "first_tricks": "1"}, "10 cc 9-1-0"),
        ("stalingrad=yes", SIX, {"tricks": "6", "first_tricks": "3"}, "6S ww 6-3-1"),
        ("give_up=3", SIX | {"answers": "g"}, {}, "6S g"),
    ],
)
def test_the_form_is_finished_with_all_that_was_announced_in_it(
    owners: Client, made: Made, rules: str, said: dict[str, str], tricks: dict[str, str], deal: str
):
    evening = made(rules)
    assert announce(owners, evening, **said).status_code == 302
    form = form_of(owners, evening)
    assert {name: form.get(name, "") for name in said} == said
    response = owners.post(of_evening(evening, "hands/new/"), {**form, **tricks})
    assert response.status_code == 302, Page.of(response).text
    assert Hand.objects.get().deal == deal
    assert not HandInPlay.objects.exists()


# --- Earlier notes ---


@pytest.mark.parametrize("rules", ["", "give_up=3"])
def test_an_answer_that_waits_for_another_is_not_lost_by_announcing_the_same_once_more(
    owners: Client, made: Made, rules: str
):
    evening = made(rules)
    phone = Phone(owners, evening)
    phone.tap("declarer", seat="1")
    phone.tap("announce", contract="6S")
    phone.tap("say", word="pass")
    if rules:
        phone.tap("concede")
    before = HandInPlay.objects.values().get()
    assert announce(owners, evening).status_code == 302
    assert announce(owners, evening, tricks="7").status_code == 302
    assert HandInPlay.objects.values().get() == before


@pytest.mark.parametrize("fields", [{"level": "7"}, {"declarer": "0"}, {"answers": "w2"}, {"strain": "H"}])
def test_replaced_announcement_is_named_and_put_back(owners: Client, preference: Evening, fields: dict[str, str]):
    announce(owners, preference, **SIX)
    phone = Phone(owners, preference)
    phone.tap("say", word="pass")
    before = state()
    announce(owners, preference, **fields)
    page = Page.of(owners.get(of_evening(preference)))
    replaced = page.one("form", action=of_evening(preference, "announce/put-back/"))
    assert replaced.text.startswith("This replaced: Béla, 6♠︎, pass Put it back")
    owners.post(replaced.attrs["action"], filled(replaced))
    assert state() == before


def test_an_auction_in_its_course_is_passed_over_only_when_that_is_said(owners: Client, preference: Evening):
    phone = Phone(owners, preference)
    phone.tap("call", call="6S")
    response = announce(owners, preference, declarer="2", level="7")
    assert response.status_code == 409
    assert "Called: Béla: 6♠︎; Cili is to call." in Page.of(response).text
    assert owners.post(of_evening(preference, "announce/"), hand_form(Page.of(response))).status_code == 302
    assert state() == {"let": 2, "named": "7"}


# --- Forms that were open meanwhile ---


def test_a_form_that_was_open_meanwhile_is_told_and_follows(owners: Client, preference: Evening):
    announce(owners, preference, **SIX, answers="w2")
    live = Page.of(owners.get(of_evening(preference, "hands/new/live/?number=1&seen=0")))
    assert "Béla has announced 6♠︎." in live.text
    noted = {tag.attrs["data-field"]: tag.attrs["data-value"] for tag in live.all("span") if "data-field" in tag.attrs}
    assert noted == {"dealer": "0", "declarer": "1", "level": "6", "strain": "S", "answers": "w2"}
    back = of_evening(preference, "announce/back/")
    owners.post(back, filled(Page.of(owners.get(back)).one("form", action=back)))
    told = Page.of(owners.get(of_evening(preference, "hands/new/live/?number=1&seen=2")))
    noted = {tag.attrs["data-field"]: tag.attrs["data-value"] for tag in told.all("span") if "data-field" in tag.attrs}
    assert noted == {"dealer": "0", "declarer": "", "level": "", "strain": "", "answers": ""}


def test_a_form_that_has_not_heard_of_it_is_asked_which_holds(owners: Client, preference: Evening):
    opened = form_of(owners, preference)
    announce(owners, preference, **SIX)
    said = {**opened, "declarer": "1", "level": "7", "answers": "w2", "tricks": "7"}
    response = owners.post(of_evening(preference, "hands/new/"), said)
    assert response.status_code == 409
    text = Page.of(response).text
    assert "Which is right?" in text
    assert "7, Cili whists, 7 tricks: Béla pool +4" in text
    taken = owners.post(of_evening(preference, "hands/new/"), {**said, "take": str(HandInPlay.objects.get().version)})
    assert taken.status_code == 422
    form = hand_form(Page.of(taken))
    assert (form["level"], form["strain"], form.get("answers"), form["tricks"]) == ("6", "S", None, "7")
