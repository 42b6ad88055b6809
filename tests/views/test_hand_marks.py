"""OK and Hm?: the marks that other phones put on a hand."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandMark, Member, Revision, Role, User
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory, record
from tests.views.page import HTMX_BODY, Page, filled

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


def test_a_restored_hand_is_told_as_such(keepers: Client, owner: User, seated: Evening):
    ledger.void(seated.pk, 1, by=owner)
    ledger.restore(seated.pk, 1, by=owner)
    assert news(keepers, seated).startswith("Anna restored hand 1: Béla")


def test_it_is_told_for_two_minutes(keepers: Client, seated: Evening):
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


def test_hm_of_a_hand_nobody_can_name_is_said_without_a_name(keepers: Client, viewers: Client, played: Evening):
    say(keepers, played, "hm")
    assert doubts(viewers, played) == ["Hand 1 is doubted."]


def test_an_ok_belongs_to_the_hand_as_it_stood(keepers: Client, owner: User, seated: Evening):
    say(keepers, seated, "ok")
    ledger.amend(seated.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner)
    assert agreed(keepers, seated) == []
    assert news(keepers, seated).startswith("Anna corrected hand 1")
    say(keepers, seated, "ok")
    assert agreed(keepers, seated) == ["✓OK: Béla"]


def test_who_thinks_better_of_it_says_the_other(keepers: Client, seated: Evening):
    say(keepers, seated, "ok")
    say(keepers, seated, "hm")
    assert (agreed(keepers, seated), doubts(keepers, seated)) == ([], ["Béla doubts hand 1."])
    say(keepers, seated, "ok")
    assert (agreed(keepers, seated), doubts(keepers, seated)) == (["✓OK: Béla"], [])
    assert HandMark.objects.count() == 1


def test_a_doubt_that_was_settled_can_be_raised_again(keepers: Client, owners: Client, seated: Evening):
    say(keepers, seated, "hm")
    say(owners, seated, "settled")
    say(keepers, seated, "hm")
    assert doubts(owners, seated) == ["Béla doubts hand 1."]


def test_two_who_doubt_are_both_named_and_settled_at_once(
    client_of: Callable[..., Client], keepers: Client, owners: Client, seated: Evening
):
    cili = MemberFactory(circle=seated.circle, player=seated.seats.get(position=2).player).user
    for client in (keepers, client_of(cili)):
        say(client, seated, "hm")
    assert doubts(owners, seated) == ["Béla doubts hand 1.", "Cili doubts hand 1."]
    say(owners, seated, "settled")
    assert doubts(owners, seated) == []


def test_settling_one_hand_leaves_the_doubts_about_another(
    keepers: Client, owners: Client, owner: User, seated: Evening
):
    record(seated, owner, "2H 8")
    say(keepers, seated, "hm", 1)
    say(keepers, seated, "hm", 2)
    say(owners, seated, "settled", 1)
    assert doubts(owners, seated) == ["Béla doubts hand 2."]


def test_the_same_tap_twice_is_one_mark(keepers: Client, seated: Evening):
    say(keepers, seated, "ok")
    say(keepers, seated, "ok")
    assert agreed(keepers, seated) == ["✓OK: Béla"]
    assert HandMark.objects.count() == 1


def test_what_a_removed_member_said_stays_in_his_name(keepers: Client, owners: Client, seated: Evening):
    say(keepers, seated, "hm")
    keeper = Member.objects.get(circle=seated.circle, role=Role.KEEPER)
    owners.post(f"/sessions/{seated.pk}/members/{keeper.pk}/remove/")
    assert doubts(owners, seated) == ["Béla doubts hand 1."]


def test_a_hand_of_an_ended_evening_can_still_be_doubted_and_settled(keepers: Client, owners: Client, seated: Evening):
    evenings.end(seated.pk)
    say(keepers, seated, "hm")
    assert doubts(owners, seated) == ["Béla doubts hand 1."]
    say(owners, seated, "settled")
    assert doubts(owners, seated) == []


def test_a_void_hand_can_be_doubted(keepers: Client, owners: Client, owner: User, seated: Evening):
    ledger.void(seated.pk, 1, by=owner)
    say(keepers, seated, "hm")
    assert doubts(owners, seated) == ["Béla doubts hand 1."]


def test_every_mark_gives_live_something_to_say(keepers: Client, owners: Client, seated: Evening):
    for mark in ("ok", "hm", "settled"):
        seated.refresh_from_db()
        address = f"/sessions/{seated.pk}/live/?v={seated.version}"
        assert owners.get(address).status_code == 204
        say(keepers, seated, mark)
        assert owners.get(address).status_code == 200


def test_settling_what_nobody_doubts_changes_nothing(
    owners: Client, seated: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    assert owners.post(url(seated), {"mark": "settled"}).status_code == 302
    assert written() == before


def test_htmx_is_sent_on_by_a_header(keepers: Client, seated: Evening):
    response = keepers.post(url(seated), {"mark": "ok"}, headers=HTMX_BODY)
    assert response["HX-Redirect"] == f"/sessions/{seated.pk}/"


@pytest.mark.parametrize("mark", [None, "", "OK", "okay", "hm ", "\x00", "x" * 5000, "settle"])
def test_a_mark_that_is_none_is_refused_in_a_page_of_ours(
    owners: Client, seated: Evening, written: Callable[[], dict[str, Any]], mark: str | None
):
    before = written()
    response = owners.post(url(seated), {} if mark is None else {"mark": mark})
    assert response.status_code == 400
    assert "Nothing was changed." in Page.of(response).text
    assert written() == before


@pytest.mark.parametrize("mark", ["ok", "hm", "settled"])
@pytest.mark.parametrize("number", ["0", "2", "9" * 30, "9" * 5000])
def test_a_number_that_is_no_hand_is_not_found(owners: Client, seated: Evening, mark: str, number: str):
    assert owners.post(url(seated, number), {"mark": mark}).status_code == 404


@pytest.mark.parametrize("mark", ["ok", "hm", "settled"])
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_says_anything(
    cast: dict[str, Client],
    seated: Evening,
    written: Callable[[], dict[str, Any]],
    mark: str,
    who: str,
    status: int,
):
    before = written()
    assert cast[who].post(url(seated), {"mark": mark}).status_code == status
    assert cast[who].post(url(seated), {"mark": mark}, headers=HTMX_BODY).status_code == status
    assert written() == before


def test_a_viewer_is_offered_nothing_to_say(viewers: Client, keepers: Client, seated: Evening):
    say(keepers, seated, "hm")
    page = sheet(viewers, seated)
    assert not {"OK", "Hm?", "Settled"} & set(page.buttons)
    assert page.one(id="news").text


def test_looking_at_its_address_changes_nothing(owners: Client, seated: Evening):
    assert owners.get(url(seated)).status_code == 405
    assert not HandMark.objects.exists()


@pytest.mark.parametrize("hands", [3, 300])
def test_each_asks_a_fixed_number_of_queries(
    owners: Client,
    evening: Evening,
    play: Callable[..., Evening],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    for mark, queries in (("hm", 15), ("settled", 10), ("ok", 13)):  # the circle is locked, too
        with django_assert_num_queries(queries):
            owners.post(url(evening), {"mark": mark})
