"""OK and Hm?: the marks that other phones put on a hand."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandMark, Member, Revision, Role, User
from sessions_app.writers import ledger
from tests.factories import MemberFactory, record
from tests.views.page import Page, filled

RECORDED = "Béla 2 hearts +1"


def url(evening: Evening, number: int | str = 1) -> str:
    return f"/sessions/{evening.pk}/hands/{number}/mark/"


def sheet(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(f"/sessions/{evening.pk}/"))


def news(client: Client, evening: Evening) -> str:
    return sheet(client, evening).one(id="news").text


def doubts(client: Client, evening: Evening) -> list[str]:
    return [doubt.one("p").text.removesuffix(" See the count") for doubt in sheet(client, evening).of_class("doubt")]


def agreed(client: Client, evening: Evening, number: int = 1) -> list[str]:
    return [tag.text for tag in sheet(client, evening).line(number).of_class("agreed")]


def say(client: Client, evening: Evening, mark: str, number: int = 1) -> None:
    assert client.post(url(evening, number), {"mark": mark}).status_code == 302


@pytest.fixture
def played(owner: User, evening: Evening) -> Evening:
    """Hand 1, 2 hearts by Béla with 7 tricks, written by the owner a moment ago."""
    record(evening, owner, "2H 7", declarer=1)
    evening.refresh_from_db()
    return evening


@pytest.fixture
def seated(played: Evening, owner: User) -> Evening:
    """The owner is Anna, and the keeper, if there is one, is Béla."""
    for role, position in ((Role.OWNER, 0), (Role.KEEPER, 1)):
        player = played.seats.get(position=position).player
        Member.objects.filter(circle=played.circle, role=role).update(player=player)
    return played


def test_a_new_hand_is_told_to_the_other_phones_and_not_to_the_one_that_wrote_it(
    cast: dict[str, Client], seated: Evening
):
    assert news(cast["keeper"], seated) == news(cast["viewer"], seated) == f"Anna: {RECORDED}"
    assert news(cast["owner"], seated) == ""


def test_a_phone_that_did_not_say_whose_it_is_is_another_phone(keepers: Client, played: Evening):
    assert news(keepers, played) == f"Another phone: {RECORDED}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (ledger.void, "Anna struck out hand 1: Béla 2 hearts +1"),
        (
            lambda pk, number, by: ledger.amend(pk, number, facts=Facts(0, 2, "3S 6-5-0"), by=by),
            "Anna corrected hand 1: Cili 3 spades = six tricks exactly",
        ),
        (
            lambda pk, number, by: ledger.amend(pk, number, facts=Facts(0), by=by),
            "Anna corrected hand 1: thrown in",
        ),
    ],
)
def test_a_change_is_told_as_what_it_is(
    keepers: Client, owner: User, seated: Evening, change: Callable[..., Any], said: str
):
    change(seated.pk, 1, by=owner)
    assert news(keepers, seated) == said


def test_new_hand_is_told_for_two_minutes(keepers: Client, seated: Evening):
    Revision.objects.update(made_at=timezone.now() - timedelta(seconds=115))
    assert news(keepers, seated)
    Revision.objects.update(made_at=timezone.now() - timedelta(seconds=121))
    assert news(keepers, seated) == ""


def test_ok_is_noted_beside_the_hand_for_all_and_told_no_more_to_who_said_it(cast: dict[str, Client], seated: Evening):
    form = sheet(cast["keeper"], seated).form(url(seated))
    assert [button.text for button in form.all("button")] == ["OK", "Hm?"]
    response = cast["keeper"].post(url(seated), filled(form) | {"mark": "ok"})
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{seated.pk}/")
    for who in ("owner", "keeper", "viewer"):
        assert agreed(cast[who], seated) == ["✓OK: Béla"]
        assert doubts(cast[who], seated) == []
    assert news(cast["keeper"], seated) == ""
    assert news(cast["viewer"], seated) != "", "who has not answered still reads it"


def test_hm_is_shown_to_all_until_somebody_settles_it(cast: dict[str, Client], seated: Evening):
    say(cast["keeper"], seated, "hm")
    for who in ("owner", "keeper", "viewer"):
        assert doubts(cast[who], seated) == ["Béla doubts hand 1."]
        assert agreed(cast[who], seated) == []
        assert sheet(cast[who], seated).links["See the count"] == f"/sessions/{seated.pk}/hands/1/"
    form = sheet(cast["owner"], seated).form(url(seated))
    assert form.text == "Settled"
    cast["owner"].post(url(seated), filled(form) | {"mark": "settled"})
    assert doubts(cast["viewer"], seated) == doubts(cast["keeper"], seated) == []


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_hm_is_shown_until_somebody_corrects_the_hand(cast: dict[str, Client], owner: User, seated: Evening, who: str):
    say(cast["keeper"], seated, "hm")
    form = Page.of(cast[who].get(f"/sessions/{seated.pk}/hands/1/edit/")).one("form", id="hand-form")
    cast[who].post(f"/sessions/{seated.pk}/hands/1/edit/", filled(form) | {"tricks": "8"})
    assert doubts(cast["viewer"], seated) == []
    assert "corrected hand 1" in news(cast["viewer"], seated)


def test_an_ok_belongs_to_the_hand_as_it_stood(keepers: Client, owner: User, seated: Evening):
    say(keepers, seated, "ok")
    ledger.amend(seated.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner)
    assert agreed(keepers, seated) == []
    assert news(keepers, seated).startswith("Anna corrected hand 1")
    say(keepers, seated, "ok")
    assert agreed(keepers, seated) == ["✓OK: Béla"]


def test_second_mark_of_a_member_replaces_the_first(keepers: Client, seated: Evening):
    say(keepers, seated, "ok")
    say(keepers, seated, "hm")
    assert (agreed(keepers, seated), doubts(keepers, seated)) == ([], ["Béla doubts hand 1."])
    say(keepers, seated, "ok")
    assert (agreed(keepers, seated), doubts(keepers, seated)) == (["✓OK: Béla"], [])
    assert HandMark.objects.count() == 1


def test_two_who_doubt_are_both_named_and_settled_at_once(
    client_of: Callable[..., Client], keepers: Client, owners: Client, seated: Evening
):
    cili = MemberFactory(circle=seated.circle, player=seated.seats.get(position=2).player).user
    for client in (keepers, client_of(cili)):
        say(client, seated, "hm")
    assert doubts(owners, seated) == ["Béla doubts hand 1.", "Cili doubts hand 1."]
    say(owners, seated, "settled")
    assert doubts(owners, seated) == []


def test_mark_of_a_removed_member_keeps_his_name(keepers: Client, owners: Client, seated: Evening):
    say(keepers, seated, "hm")
    keeper = Member.objects.get(circle=seated.circle, role=Role.KEEPER)
    owners.post(f"/sessions/{seated.pk}/members/{keeper.pk}/remove/")
    assert doubts(owners, seated) == ["Béla doubts hand 1."]


@pytest.mark.parametrize("mark", [None, "", "OK", "okay", "hm ", "\x00", "x" * 5000, "settle"])
def test_a_mark_that_is_none_is_refused_in_a_page_of_ours(
    owners: Client, seated: Evening, written: Callable[[], dict[str, Any]], mark: str | None
):
    before = written()
    response = owners.post(url(seated), {} if mark is None else {"mark": mark})
    assert response.status_code == 400
    assert "Nothing was changed." in Page.of(response).text
    assert written() == before
