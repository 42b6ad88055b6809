"""The members page: each phone's name, role and last visit; roles are given and taken, members removed and leave."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from sessions_app.models import Evening, Invite, Member, Player, Removal, Role, User
from sessions_app.readers.people.members import MEMBERS_PER_PAGE, ROLES, token_of
from sessions_app.templatetags.people import ago, device_words
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory, evening_of
from tests.http.test_user_agent import IPHONE
from tests.views.members.membership import named, roles, rows, url, version
from tests.views.page import Page
from tests.views.test_evening_new import fields


def test_the_owner_sees_who_is_there_what_each_may_do_and_when_he_was_last_seen(
    owners: Client, evening: Evening, bela: Member, cili: Member
):
    Member.objects.update(since=datetime.fromisoformat("2025-11-12T19:43:00+00:00"))
    Member.objects.filter(pk=bela.pk).update(last_seen_at=timezone.now() - timedelta(minutes=5, seconds=2))
    page = Page.of(owners.get(url(evening)))
    lines = [line.of_class("line-of")[0].text for line in page.of_class("member")]
    assert lines == [
        "unnamed phone owner this phone since 12 Nov 2025, 20:43",
        "Béla can score last seen: 5 minutes ago since 12 Nov 2025, 20:43",
        "Cili watches last seen: never since 12 Nov 2025, 20:43",
    ]


def test_two_phones_of_a_player_are_told_apart_by_what_they_are(
    owners: Client, client_of: Callable[..., Client], evening: Evening, bela: Member
):
    other = named(evening, "Béla", Role.KEEPER)
    in_chat, in_browser = (client_of(phone.user) for phone in (bela, other))
    address, live = f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/live/?v={evening.version}"
    in_chat.get(address, headers={"User-Agent": f"{IPHONE} Mobile/22F76 [FBAN/MessengerForiOS;FBDV/iPhone15,2]"})
    in_browser.get(live, headers={"User-Agent": f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1"})

    def lines(where: str) -> list[str]:
        return [line.text.partition(" · ")[0] for line in Page.of(owners.get(where)).of_class("device")]

    _mine, *belas = lines(url(evening))
    assert belas == ["Messenger on iPhone", "Safari on iPhone"]
    assert sorted(lines(f"/circles/{evening.circle_id}/players/{bela.player_id}/")) == belas
    with translation.override("hu"):
        assert device_words("Messenger|iPhone") == "Messenger, iPhone"
    assert [device_words(known) for known in ("|Android", "Firefox|", "")] == ["Android", "Firefox", ""]
    for header, device in (("Firefox/139.0", "Firefox|"), ("curl/8.9.1", "Firefox|"), ("CriOS/9 iPad", "Chrome|iPad")):
        Member.objects.update(last_seen_at=None)
        in_chat.get(address, headers={"User-Agent": header})
        bela.refresh_from_db()
        assert bela.device == device, "a header without any leaves that of the last visit"


def test_when_somebody_was_seen_is_said_in_words(monkeypatch: pytest.MonkeyPatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for before, words in (
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(minutes=60), "1 hour ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (-timedelta(seconds=5), "now"),
    ):
        with translation.override("en"):
            assert ago(now - before) == words


def test_the_maker_says_who_he_is(owners: Client, evening: Evening, me: Member):
    anna = Player.objects.get(name="Anna")
    page = Page.of(owners.get(url(evening)))
    assert "Whose is this phone?" in page.text
    assert page.form(url(evening, "me/")).one("button", value=str(anna.pk)).text == "Anna"
    before = rows()
    for unknown in ({}, *({"player": said} for said in ("x", "0", "999999"))):
        assert "Choose one of the options." in Page.of(owners.post(url(evening, "me/"), unknown), 422).text
    assert rows() == before
    before = version(evening)
    assert owners.post(url(evening, "me/"), {"player": str(anna.pk)})["Location"] == url(evening)
    me.refresh_from_db()
    assert (me.player, me.role) == (anna, Role.OWNER)
    assert "This phone is: Anna" in Page.of(owners.get(url(evening))).text
    assert version(evening) == before + 1
    owners.post(url(evening, "me/"), {"player": ""})
    me.refresh_from_db()
    assert me.player is None


def actions(page: Page) -> list[str]:
    return [form.attrs["action"] for form in page.all("form") if "/role/" in form.attrs["action"]]


def test_many_phones_come_in_pages_of_bounded_size_who_runs_the_table_first(
    owners: Client, viewers: Client, evening: Evening, bela: Member
):
    users = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(2 * MEMBERS_PER_PAGE + 2))
    watching = (Member(circle=evening.circle, user=user, role=Role.VIEWER) for user in users)
    crowd = Member.objects.bulk_create(watching)
    answers = owners.get(url(evening)), viewers.get(url(evening))
    assert [len(answer.content) < most for answer, most in zip(answers, (70_000, 20_000), strict=True)] == [True, True]
    first = Page.of(answers[0])
    shown = [line.of_class("line-of")[0].text for line in first.of_class("member")]
    assert len(shown) == MEMBERS_PER_PAGE
    assert shown[0].startswith("unnamed phone owner this phone")
    assert shown[1].startswith("Béla can score")
    assert "A circle needs an owner" in first.text
    assert [first.links.get(way) for way in ("Earlier phones", "More phones")] == [None, "?page=2"]
    last = Page.of(owners.get(url(evening, "?page=3")))
    assert len(last.of_class("member")) == 5
    assert [last.links.get(way) for way in ("Earlier phones", "More phones")] == ["?page=2", None]
    assert actions(last)[1:] == [url(evening, f"{member.pk}/role/?page=3") for member in crowd[-4:]]
    assert "There are no more phones." in Page.of(owners.get(url(evening, "?page=4"))).text
    for odd in ("?page=0", "?page=-1", "?page=x", "?page=99999999999999999999"):
        assert "Béla" in Page.of(owners.get(url(evening, odd))).text
    answer = owners.post(url(evening, f"{crowd[-1].pk}/role/?page=3"), {"role": "owner"})
    assert answer["Location"] == url(evening, "?page=3")
    first = Page.of(owners.get(url(evening)))
    assert "A circle needs an owner" not in first.text, "there are two"
    assert len(actions(first)) == MEMBERS_PER_PAGE
    assert owners.post(url(evening, f"{crowd[0].pk}/remove/"))["Location"] == url(evening)
    Member.objects.filter(circle=evening.circle).update(role=Role.OWNER)
    for number in (1, 2, 3):
        page = Page.of(owners.get(url(evening, f"?page={number}")))
        assert "A circle needs an owner" not in page.text
        assert len(actions(page)) == len(page.of_class("member"))


ASKED = "Whose phone is this?"


@pytest.fixture
def begun(strangers: Client) -> str:
    """The page of an evening that this phone has just begun."""
    return str(strangers.post("/sessions/new/", fields())["Location"])


def test_the_phone_that_made_it_is_asked_and_says_who_it_is(
    strangers: Client, client_of: Callable[..., Client], begun: str
):
    for address in (begun, f"{begun}live/"):
        assert ASKED in Page.of(strangers.get(address)).text
    for role in (Role.KEEPER, Role.VIEWER):
        other = MemberFactory(circle=Evening.objects.get().circle, role=role).user
        assert ASKED not in Page.of(client_of(other).get(begun)).text
    form = Page.of(strangers.get(begun)).form(f"{begun}members/me/")
    assert [button.text for button in form.all("button")] == ["Anna", "Béla", "Cili", "None of us", "Don't ask"]
    bela = Player.objects.get(name="Béla")
    assert form.one("button", value=str(bela.pk)).attrs["name"] == "player"
    assert strangers.post(f"{begun}members/me/", {"player": str(bela.pk), "session": "1"})["Location"] == begun
    assert Member.objects.get(role=Role.OWNER).player == bela
    assert ASKED not in Page.of(strangers.get(begun)).text
    strangers.post(f"{begun}members/me/", {"session": "1", "ask_no_more": "1"})
    assert Member.objects.get(role=Role.OWNER).player == bela, "waving the question away takes no name"


@pytest.mark.parametrize("said", [{"player": ""}, {"ask_no_more": "1"}])
def test_phone_of_nobody_or_that_declined_is_never_asked_again_nor_is_one_in_a_demo(
    strangers: Client, begun: str, said: dict[str, str]
):
    assert strangers.post(f"{begun}members/me/", {"session": "1"} | said)["Location"] == begun
    assert Member.objects.get().player is None
    strangers.post("/sessions/new/", fields())
    strangers.post("/demo/")
    evenings.reopen(Evening.objects.latest("pk").pk)
    for evening in Evening.objects.all():
        assert ASKED not in Page.of(strangers.get(f"/sessions/{evening.pk}/")).text


def test_a_role_holds_from_the_next_request_on(
    owners: Client, belas: Client, cilis: Client, owner: User, evening: Evening, bela: Member, cili: Member
):
    form = f"/sessions/{evening.pk}/hands/new/"
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (200, 403)
    before, rows_before = version(evening), rows()
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "keeper"}).status_code == 302
    for wrong in ({}, {"role": ""}, {"role": "admin"}):
        assert owners.post(url(evening, f"{bela.pk}/role/"), wrong).status_code == 400
    for member in (MemberFactory(role=Role.KEEPER).pk, 999_999):
        for rest in ("role/", "remove/"):
            assert owners.post(url(evening, f"{member}/{rest}"), {"role": "viewer"}).status_code == 404
    assert version(evening) == before
    assert [table[:3] for table in rows()] == [table[:3] for table in rows_before]
    ended = evening_of(owner)
    evenings.end(ended.pk)
    ended_before = version(ended)
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})["Location"] == url(evening)
    owners.post(url(evening, f"{cili.pk}/role/"), {"role": "keeper"})
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (403, 200)
    assert (version(evening), version(ended)) == (before + 2, ended_before), "an ended one shows no roles"


def test_demoted_keeper_s_known_link_is_revoked(
    owners: Client, belas: Client, evening: Evening, owner: User, bela: Member
):
    address = f"/join/{token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))}/"
    members.make_link(evening.circle_id, Role.VIEWER, by=owner)
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})
    assert belas.post(address, {"player": ""}).status_code == 410
    assert [one.role for one in Invite.objects.filter(revoked_at=None)] == [Role.VIEWER]


def test_the_last_owner_stays_and_a_sentence_says_why(owners: Client, evening: Evening, bela: Member, me: Member):
    page = Page.of(owners.get(url(evening)))
    assert "Leave this circle" not in page.text
    before = rows()
    for rest, said in (
        (f"{me.pk}/role/", "A circle needs an owner"),
        (f"{me.pk}/remove/", "A circle needs an owner"),
        ("leave/", "make somebody else owner first"),
    ):
        assert rest == "leave/" or not page.all("form", action=url(evening, rest))
        assert said in Page.of(owners.post(url(evening, rest), {"role": "viewer"}), 409).one("p", role="alert").text
    assert rows() == before
    members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    assert owners.post(url(evening, f"{me.pk}/remove/"))["Location"] == "/"
    assert roles(evening) == ["owner"]


@pytest.mark.parametrize("way", ["removed", "left"])
def test_member_who_is_removed_or_leaves_is_out_and_his_hands_stay(
    owners: Client,
    belas: Client,
    owner: User,
    evening: Evening,
    bela: Member,
    post_hand: Callable[..., Any],
    way: str,
):
    links = [members.make_link(evening.circle_id, role, by=owner) for role in ROLES]
    post_hand(belas, evening)
    before = version(evening)
    phone, form, words, location = (
        (owners, f"{bela.pk}/remove/", "Remove", url(evening))
        if way == "removed"
        else (belas, "leave/", "Leave the circle", "/")
    )
    assert Page.of(phone.get(url(evening))).form(url(evening, form)).one("button").text == words
    assert phone.post(url(evening, form))["Location"] == location
    assert f"/sessions/{evening.pk}/" not in Page.of(belas.get("/")).links.values()
    assert belas.get(f"/sessions/{evening.pk}/").status_code == 404
    assert post_hand(belas, evening).status_code == 404
    listed = Page.of(owners.get(url(evening))).of_class("member")
    assert "Béla" not in {line.of_class("whose-it-is")[0].text for line in listed}
    assert version(evening) == before + 1
    assert evening.hands.get().revisions.get().made_by == bela.user
    assert re.search(r"Recorded · .* · Béla", Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/")).text)
    assert Invite.objects.filter(revoked_at=None).count() == (0 if way == "removed" else len(links))
    again = belas.post(f"/join/{token_of(links[-1])}/", {"player": ""})
    assert again.status_code == (410 if way == "removed" else 302)
    assert [(each.user, each.player, each.circle) for each in Removal.objects.all()] == (
        [(bela.user, bela.player, evening.circle)] if way == "removed" else []
    )


def test_second_removal_moves_its_time(evening: Evening, bela: Member):
    members.remove(evening.circle_id, bela.pk)
    first = Removal.objects.get().at
    again = MemberFactory(circle=evening.circle, user=bela.user)
    members.remove(evening.circle_id, again.pk)
    assert Removal.objects.get().at > first
