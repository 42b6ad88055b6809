"""The circle of a new session: where the form was opened, or the one that it names; names alone choose none."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Player, Role, User
from sessions_app.writers import demo
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.factories import begun as begin
from tests.ledger.books import everything, nothing_written
from tests.views.page import HTMX_SESSION_FORM, Page, at, filled, session_form

URL = "/sessions/new/"
TRIO = ("Anna", "Béla", "Cili")


def fields(*names: str, **said: object) -> dict[str, str]:
    seats = {f"player_{seat}": name for seat, name in enumerate(names or TRIO, 1)}
    posted: dict[str, object] = {"token": uuid4(), "first_dealer": 1, "game": "asszorti", **seats, **said}
    return {name: str(value) for name, value in posted.items()}


def started(response: Any) -> Evening:
    """The evening that the answer leads to."""
    assert response.status_code == 302, Page.of(response).text
    evening = Evening.objects.latest("pk")
    assert response["Location"] == f"/sessions/{evening.pk}/"
    return evening


def listed(page: Page) -> dict[str, str]:
    """The circles that the form offers, by name."""
    (select,) = page.all("select", name="circle")
    return {option.text: option.attrs["value"] for option in select.all("option")}


def answers(page: Page) -> dict[str, str]:
    """The answers to the question of the circle, the likeliest first: the words of each, and its value."""
    buttons = page.all("button", name="into")
    assert ("Start" in page.buttons) is not bool(buttons)
    return {button.text: button.attrs["value"] for button in buttons}


@pytest.fixture
def newer(owner: User, evening: Evening) -> Evening:
    """An evening of another circle with the same first names, newer than `evening`; the owner may write there."""
    begun = evening_of(UserFactory())
    Evening.objects.filter(pk=evening.pk).update(started_at=timezone.now() - timedelta(days=2))
    assert begun.circle_id > evening.circle_id
    MemberFactory(circle=begun.circle, user=owner, role=Role.KEEPER)
    return begun


@pytest.mark.parametrize("there", Role)
def test_form_opened_from_a_session_starts_one_in_its_circle_whatever_circles_share_the_names(
    client_of: Callable[..., Client], evening: Evening, newer: Evening, there: Role
):
    user = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    MemberFactory(circle=newer.circle, user=user, role=there)
    phone = client_of(user)
    form = session_form(Page.of(phone.get(at(evening, "next/"))))
    again = started(phone.post(URL, form))
    assert again.circle == evening.circle
    for posted in (
        form | {"token": str(uuid4()), "player_3": "Dóra"},
        fields(after=evening.pk),
        fields("Xénia", "Yvonne", "Zoé", after=evening.pk),
        filled(Page.of(phone.get("/")).form(URL)),
    ):
        assert started(phone.post(URL, posted)).circle == evening.circle
    assert list(newer.circle.evenings.all()) == [newer]
    assert Circle.objects.count() == 2


def test_new_session_of_a_circle_s_page_is_in_that_circle_as_long_as_one_is_its_member(
    owners: Client, owner: User, evening: Evening, newer: Evening
):
    address = Page.of(owners.get(f"/circles/{evening.circle_id}/")).links["New session"]
    assert address == f"{URL}?circle={evening.circle_id}"
    form = session_form(Page.of(owners.get(address)))
    assert form["circle"] == str(evening.circle_id)
    for headers in ({}, HTMX_SESSION_FORM):
        response = owners.post(URL, form | fields("Anna", "Dóra", "Emil"), headers=headers)
        assert response.status_code == (200 if headers else 302), "nobody is asked in a circle that was chosen"
        assert Evening.objects.latest("pk").circle == evening.circle
    evening.circle.members.filter(user=owner).delete()
    assert owners.post(URL, form | fields()).status_code == 404
    for circle in ("", "x", "-1", "0", "²", "9" * 9, "9" * 40):
        assert owners.get(URL, {"circle": circle}).status_code == 404


def test_circle_in_address_or_form_is_for_those_who_may_write_there(cast: dict[str, Client], evening: Evening):
    circle, before = evening.circle_id, everything()
    for who, status in (("stranger", 404), ("outsider", 404), ("viewer", 403), ("keeper", 200), ("owner", 200)):
        phone = cast[who]
        assert phone.get(f"{URL}?circle={circle}").status_code == status
        assert phone.post(URL, fields(circle=circle, arrange="up:2")).status_code == status
        for said in ({"circle": circle}, {"circle": "new", "into": circle}):
            if status == 200:
                assert started(phone.post(URL, fields(**said))).circle == evening.circle
            else:
                assert phone.post(URL, fields(**said)).status_code == status
                assert everything() == before


def test_form_names_the_circle_sat_in_last_and_offers_the_others_and_new_people(
    owners: Client, owner: User, evening: Evening, newer: Evening
):
    assert all(name.startswith("Anna, Béla, Cili · ") for name in [*listed(Page.of(owners.get(URL)))][:1]), "told apart"
    Circle.objects.filter(pk=newer.circle_id).update(name="Friday")
    MemberFactory(user=owner, role=Role.VIEWER, circle=evening_of(UserFactory(), ("X", "Y", "Z")).circle)
    demo.lay(owner)
    page = Page.of(owners.get(URL))
    one, other = str(newer.circle_id), str(evening.circle_id)
    assert listed(page) == {"Friday": one, "Anna, Béla, Cili": other, "New people": "new"}
    form = session_form(page)
    assert form["circle"] == one
    assert started(owners.post(URL, form | fields("CILI", "anna", "Béla"))).circle == newer.circle
    assert started(owners.post(URL, form | {"circle": other} | fields())).circle == evening.circle


def test_stranger_without_a_circle_is_not_asked_for_one(strangers: Client, viewers: Client, evening: Evening):
    for phone in (strangers, viewers):
        page = Page.of(phone.get(URL))
        assert not page.all("select", name="circle")
        assert started(phone.post(URL, session_form(page) | fields())).circle != evening.circle


def test_another_circle_brings_its_names_and_house_rules_and_is_not_asked_about(
    owners: Client, owner: User, evening: Evening
):
    club = begin(owner, rules="ladder=2", names=("X", "Y", "Z"))
    opened = session_form(Page.of(owners.get(URL)))
    assert (opened["circle"], opened["rules_ladder"]) == (str(club.circle_id), "2")
    typed = opened | {"player_1": "Zoé", "circle": str(evening.circle_id), "stake": "7"}
    page = Page.of(owners.post(f"{URL}?arrange", typed, headers=HTMX_SESSION_FORM))
    form = session_form(page)
    assert [chip.text for chip in page.of_class("chip")] == list(TRIO)
    assert (form["circle"], form["rules_ladder"]) == (str(evening.circle_id), "5")
    assert (form["player_1"], form["stake"], form["token"]) == ("Zoé", "7", opened["token"])
    page = Page.of(owners.post(f"{URL}?arrange", form | {"circle": "new"}, headers=HTMX_SESSION_FORM))
    assert page.of_class("chip") == []
    assert started(owners.post(URL, form | fields("Zoé", "Anna", "Yvonne"))).circle == evening.circle


@pytest.mark.parametrize("into", ["here", "new"])
def test_names_new_in_the_named_circle_are_asked_about_and_the_answer_starts_the_session_there(
    owners: Client, evening: Evening, into: str
):
    form = session_form(Page.of(owners.get(URL))) | fields("Anna", "Béla", "Dóra", stake="7", currency="HUF")
    value = str(evening.circle_id) if into == "here" else into
    with nothing_written():
        for headers in ({}, HTMX_SESSION_FORM):
            page = Page.of(owners.post(URL, form, headers=headers), 422)
            assert page.is_whole is (not headers)
            here = "Anna, Béla, Cili new there: Dóra"
            assert answers(page) == {here: str(evening.circle_id), "New people a circle of their own": "new"}
            assert session_form(page) | {"csrfmiddlewaretoken": ""} == form | {"csrfmiddlewaretoken": ""}
        assert answers(Page.of(owners.post(URL, form | {"arrange": ""}))) == {}, "a second tap where Start was"
    begun = started(owners.post(URL, form | {"into": value}))
    assert (begun.circle == evening.circle) is (into == "here")
    assert evening.circle.players.count() == (4 if into == "here" else 3)
    for tap in (value, ""):
        assert started(owners.post(URL, form | {"into": tap})) == begun, "a second tap is not asked"


def test_circle_that_knows_everybody_comes_before_the_one_that_was_named(
    owners: Client, owner: User, evening: Evening, newer: Evening
):
    evening_of(owner, ("Anna", "Xénia", "Yvonne"))
    form = session_form(Page.of(owners.get(URL))) | fields()
    asked = answers(Page.of(owners.post(URL, form)))
    assert [*asked.values()] == [str(newer.circle_id), str(evening.circle_id), form["circle"], "new"]
    first = next(iter(asked))
    assert first.startswith("Anna, Béla, Cili · ")
    assert first.endswith(" everybody is known there")


def test_form_without_a_circle_asks_unless_the_only_one_knows_everybody_or_none_knows_anybody(
    owners: Client, owner: User, evening: Evening
):
    partly = (("Anna", "Béla", "Dóra"), ("Anna", "Emil", "Flóra"))
    assert started(owners.post(URL, fields())).circle == evening.circle
    for names in partly:
        assert answers(Page.of(owners.post(URL, fields(*names))))
    other = evening_of(UserFactory()).circle
    MemberFactory(circle=other, user=owner, role=Role.KEEPER)
    for names in (TRIO, *partly):
        asked = {*answers(Page.of(owners.post(URL, fields(*names)))).values()}
        assert asked <= {str(evening.circle_id), str(other.pk), "new"}
    assert started(owners.post(URL, fields("X", "Y", "Z"))).circle not in (evening.circle, other)


def test_another_game_of_a_demo_stays_in_it_until_other_people_sit_down(owners: Client, owner: User, evening: Evening):
    shown = demo.lay(owner).evenings.get(ended_at=None)
    form = session_form(Page.of(owners.get(at(shown, "next/"))))
    begun = started(owners.post(URL, form))
    assert begun.circle == shown.circle
    asked = answers(Page.of(owners.post(URL, form | {"token": str(uuid4()), "player_1": "Zoé"})))
    assert {*asked.values()} == {str(shown.circle_id), "new"}
    assert any("(Demo)" in words for words in asked)
    assert Player.objects.filter(name="Zoé").count() == 0
