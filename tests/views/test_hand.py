"""A hand's page: its count explained, its history; OK and Hm?, the marks that other phones put on it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandMark, Member, Revision, Role, User
from sessions_app.readers.evening import hand_history
from sessions_app.writers import evenings, ledger, members
from tests.factories import MemberFactory, record
from tests.ledger.books import nothing_written
from tests.views.page import Page, at, filled

MARK = "hands/1/mark/"


def test_the_count_is_explained_in_words_and_numbers_and_of_a_void_hand_struck_through(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7-3-1 K", declarer=1)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    rows = [row for row in page.one("table").all("tr") if row.all("td")]
    assert [(row.one("th").text, row.one("td").text) for row in rows] == [
        *(("2, hearts", "+4"), ("1 trick above six, 2 each", "+2"), ("kontra ×2", "+6"), ("Points", "+12")),
    ]
    assert page.points == 12
    assert "(4 + 2) × 2 = 12" in page.text
    assert "Anna dealt · 7 tricks (7 : 3 : 1)" in page.text
    assert [item.text for item in page.of_class("amounts")[0].all("li")] == ["Anna −12", "Béla +24", "Cili −12"]
    figures = [figure.text for figure in page.of_class("amounts")[0].all("b")]
    assert (len(figures), page.all("s")) == (3, [])
    ledger.void(evening.pk, 1, by=owner)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    assert "Struck through: what it would have been." in page.text
    assert [figure.text for figure in page.of_class("amounts")[0].all("s")] == figures
    assert page.of_class("amounts")[0].all("b") == []
    ledger.record(evening.pk, token=evening.token, number=2, facts=Facts(1, deal_stays=True), by=owner)
    page = Page.of(owners.get(at(evening, "hands/2/")))
    assert "Thrown in" in page.text
    assert "Béla dealt · same dealer again" in page.text
    assert page.points is None


def test_the_history_says_who_what_when_before_and_after(
    client_of: Callable[..., Client], owners: Client, owner: User, evening: Evening
):
    bela = MemberFactory(circle=evening.circle, player=evening.seats.get(position=1).player)
    record(evening, owner, "2H 7", declarer=1)
    ledger.amend(evening.pk, 1, facts=Facts(0, 2, "3S 8"), by=bela.user)
    ledger.amend(evening.pk, 1, facts=Facts(2, 1, "2H 7"), by=owner)
    ledger.void(evening.pk, 1, by=owner)
    ledger.restore(evening.pk, 1, by=owner)

    def entries(client: Client) -> list[str]:
        return [entry.text for entry in Page.of(client.get(at(evening, "hands/1/"))).of_class("history")[0].all("li")]

    found = entries(owners)
    verbs = ["Restored", "Made void", "Corrected", "Corrected", "Recorded"]
    assert [verb for verb, entry in zip(verbs, found, strict=True) if not entry.startswith(verb)] == []
    corrected, recorded = found[3], found[4]
    assert corrected.split(" · ")[-1].startswith("Béla")
    assert "on this phone" in recorded
    was, now = corrected.split("now:")
    assert "Béla 2 hearts +1" in was
    assert "+6" in was
    assert "Cili 3 spades +2" in now
    assert "was:" not in found[0] + found[1] + found[4]
    assert "dealt" not in corrected, "the dealer stayed"
    was, now = found[2].split("now:")
    assert ("Anna dealt" in was, "Cili dealt" in now, "dealt" in recorded) == (True, True, False)
    assert "on another phone" in entries(client_of(bela.user))[4]
    members.leave(bela)
    assert entries(owners) == found, "who entered it is said still"


def test_a_long_history_comes_in_pages_the_latest_first(
    viewers: Client, owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any]
):
    size = hand_history.ENTRIES_PER_PAGE
    hand = record(evening, owner, "2H 7", declarer=1)
    before = hand.revisions.get().after
    after = [before | {"facts": before["facts"] | {"deal": f"2H {deal}"}} for deal in (1, 2)]
    Revision.objects.bulk_create(
        Revision(hand=hand, number=number, action="amend", made_by=owner, before=before, after=after[number % 2])
        for number in range(2, 2 * size + 2)
    )
    Hand.objects.filter(pk=hand.pk).update(revision_count=2 * size + 1)
    with django_assert_num_queries(9):
        response = viewers.get(at(evening, "hands/1/"))
    assert len(response.content) < 40_000
    pages = [Page.of(response)]
    while earlier := pages[-1].links.get("Earlier changes"):
        pages.append(Page.of(viewers.get(at(evening, "hands/1/") + earlier.partition("#")[0])))
    changes = [page.of_class("history")[0].all("li") for page in pages]
    assert [len(on_page) for on_page in changes] == [size, size, 1]
    assert changes[-1][0].text.startswith("Recorded")
    assert [page.links.get("Latest changes") for page in pages] == [None, *[at(evening, "hands/1/") + "#history"] * 2]


def test_a_doubt_is_settled_where_the_count_is_explained_and_an_ended_session_says_what_to_do_first(
    owners: Client, viewers: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=1)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=MemberFactory(circle=evening.circle).user)
    assert Page.of(owners.get(at(evening, "hands/1/"))).of_class("doubt")[0].text.startswith("Hand 1 is doubted.")
    assert "Settled" not in Page.of(viewers.get(at(evening, "hands/1/"))).buttons
    assert Page.of(owners.get(at(evening, "hands/2/"))).of_class("doubt") == []
    owners.post(at(evening, MARK), {"mark": "settled"})
    assert Page.of(owners.get(at(evening, "hands/1/"))).of_class("doubt") == []
    evenings.end(evening.pk)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    assert "reopen it first" in page.text
    assert not {"Correct", "Void"} & set(page.buttons)


def sheet(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(at(evening)))


def news(client: Client, evening: Evening) -> str:
    return sheet(client, evening).one(id="news").text


def doubts(client: Client, evening: Evening) -> list[str]:
    return [doubt.one("p").text.removesuffix(" See the count") for doubt in sheet(client, evening).of_class("doubt")]


def agreed(client: Client, evening: Evening) -> list[str]:
    return [tag.text for tag in sheet(client, evening).line(1).of_class("agreed")]


def say(client: Client, evening: Evening, mark: str) -> None:
    assert client.post(at(evening, MARK), {"mark": mark}).status_code == 302


@pytest.fixture
def seated(owner: User, evening: Evening) -> Evening:
    """The owner is Anna, and has written hand 1, 2 hearts by Béla; the keeper, if there is one, is Béla."""
    record(evening, owner, "2H 7", declarer=1)
    for role, position in ((Role.OWNER, 0), (Role.KEEPER, 1)):
        player = evening.seats.get(position=position).player
        Member.objects.filter(circle=evening.circle, role=role).update(player=player)
    return evening


def test_a_new_hand_is_told_to_the_other_phones_for_two_minutes_and_not_to_the_one_that_wrote_it(
    cast: dict[str, Client], seated: Evening
):
    assert news(cast["keeper"], seated) == news(cast["viewer"], seated) == "Anna: Béla 2 hearts +1"
    assert news(cast["owner"], seated) == ""
    Member.objects.filter(role=Role.OWNER).update(player=None)
    assert news(cast["keeper"], seated) == "Another phone: Béla 2 hearts +1"
    Revision.objects.update(made_at=timezone.now() - timedelta(seconds=115))
    assert news(cast["keeper"], seated)
    Revision.objects.update(made_at=timezone.now() - timedelta(seconds=121))
    assert news(cast["keeper"], seated) == ""


def test_a_change_is_told_as_what_it_is(keepers: Client, owner: User, seated: Evening):
    for facts, said in (
        (Facts(0, 2, "3S 6-5-0"), "Cili 3 spades = six tricks exactly"),
        (Facts(0), "thrown in"),
        (Facts(0, 1, "2H 7"), "Béla 2 hearts +1"),
    ):
        ledger.amend(seated.pk, 1, facts=facts, by=owner)
        assert news(keepers, seated) == f"Anna corrected hand 1: {said}"
    ledger.void(seated.pk, 1, by=owner)
    assert news(keepers, seated) == "Anna struck out hand 1: Béla 2 hearts +1"


def test_ok_is_noted_beside_the_hand_as_it_stood_and_told_no_more_to_who_said_it(
    cast: dict[str, Client], owner: User, seated: Evening
):
    form = sheet(cast["keeper"], seated).form(at(seated, MARK))
    assert [button.text for button in form.all("button")] == ["OK", "Hm?"]
    response = cast["keeper"].post(at(seated, MARK), filled(form) | {"mark": "ok"})
    assert response["Location"] == at(seated)
    for who in ("owner", "keeper", "viewer"):
        assert agreed(cast[who], seated) == ["✓OK: Béla"]
        assert doubts(cast[who], seated) == []
    assert news(cast["keeper"], seated) == ""
    assert news(cast["viewer"], seated) != "", "who has not answered still reads it"
    ledger.amend(seated.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner)
    assert agreed(cast["keeper"], seated) == []
    assert news(cast["keeper"], seated).startswith("Anna corrected hand 1")
    for mark in ("ok", "hm", "ok"):
        say(cast["keeper"], seated, mark)
        now = (["✓OK: Béla"], []) if mark == "ok" else ([], ["Béla doubts hand 1."])
        assert (agreed(cast["keeper"], seated), doubts(cast["keeper"], seated)) == now
    assert HandMark.objects.filter(revision=2).count() == 1, "the second replaces the first"


def test_hm_is_shown_to_all_until_somebody_settles_it_or_corrects_the_hand(
    cast: dict[str, Client], client_of: Callable[..., Client], seated: Evening
):
    cili = MemberFactory(circle=seated.circle, player=seated.seats.get(position=2).player)
    for client in (cast["keeper"], client_of(cili.user)):
        say(client, seated, "hm")
    cast["owner"].post(f"/sessions/{seated.pk}/members/{cili.pk}/remove/")
    for who in ("owner", "keeper", "viewer"):
        assert doubts(cast[who], seated) == ["Béla doubts hand 1.", "Cili doubts hand 1."]
        assert agreed(cast[who], seated) == []
        assert sheet(cast[who], seated).links["See the count"] == at(seated, "hands/1/")
    form = sheet(cast["owner"], seated).all("form", action=at(seated, MARK))[0]
    assert form.text == "Settled"
    cast["owner"].post(at(seated, MARK), filled(form) | {"mark": "settled"})
    assert doubts(cast["viewer"], seated) == doubts(cast["keeper"], seated) == []
    say(cast["keeper"], seated, "hm")
    assert doubts(cast["viewer"], seated) == ["Béla doubts hand 1."]
    edit = at(seated, "hands/1/edit/")
    form = Page.of(cast["keeper"].get(edit)).one("form", id="hand-form")
    cast["keeper"].post(edit, filled(form) | {"tricks": "8"})
    assert doubts(cast["viewer"], seated) == []
    assert "corrected hand 1" in news(cast["viewer"], seated)


def test_a_mark_that_is_none_is_refused_in_a_page_of_ours(owners: Client, seated: Evening):
    with nothing_written():
        for mark in (None, "", "OK", "okay", "hm ", "\x00", "x" * 5000, "settle"):
            response = owners.post(at(seated, MARK), {} if mark is None else {"mark": mark})
            assert "Nothing was changed." in Page.of(response, 400).text
