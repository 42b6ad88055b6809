"""The members page shows each phone's name, role and last visit, and lets a member name the player that he is."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from sessions_app.models import Evening, Member, Player, Role, User
from sessions_app.templatetags.people import ago, device_words
from sessions_app.writers import members
from tests.http.test_user_agent import IPHONE
from tests.views.members.membership import named, rows, url, version
from tests.views.page import Page

# Visibility


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


def test_phone_s_device_is_that_of_its_last_visit_and_a_header_without_any_leaves_it(
    client_of: Callable[..., Client], evening: Evening, bela: Member
):
    phone = client_of(bela.user)
    for header, device in (("Firefox/139.0", "Firefox|"), ("curl/8.9.1", "Firefox|"), ("CriOS/9 iPad", "Chrome|iPad")):
        Member.objects.update(last_seen_at=None)
        phone.get(f"/sessions/{evening.pk}/", headers={"User-Agent": header})
        bela.refresh_from_db()
        assert bela.device == device


def test_the_open_links_can_be_taken_back_there(owners: Client, belas: Client, evening: Evening, owner: User):
    members.make_link(evening.circle_id, Role.VIEWER, by=owner)
    action = f"/sessions/{evening.pk}/invite/viewer/revoke/"
    assert (
        Page.of(owners.get(url(evening))).form(action).one("button").attrs["aria-label"] == "Revoke the watching link"
    )
    page = Page.of(belas.get(url(evening)))
    assert "To watch" in page.links
    assert not page.all("form", action=action)
    owners.post(action, {"members": "1"})
    assert "To watch" not in Page.of(owners.get(url(evening))).links


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=5), "5 minutes ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(minutes=60), "1 hour ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (-timedelta(seconds=5), "now"),
    ],
)
def test_when_somebody_was_seen_is_said_in_words(monkeypatch: pytest.MonkeyPatch, before: timedelta, words: str):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    with translation.override("en"):
        assert ago(now - before) == words


# The member's own player


def test_the_maker_says_who_he_is(owners: Client, evening: Evening, me: Member):
    anna = Player.objects.get(name="Anna")
    page = Page.of(owners.get(url(evening)))
    assert "Whose is this phone?" in page.text
    assert page.form(url(evening, "me/")).one("button", value=str(anna.pk)).text == "Anna"
    before = version(evening)
    assert owners.post(url(evening, "me/"), {"player": str(anna.pk)})["Location"] == url(evening)
    me.refresh_from_db()
    assert (me.player, me.role) == (anna, Role.OWNER)
    assert "This phone is: Anna" in Page.of(owners.get(url(evening))).text
    assert version(evening) == before + 1
    owners.post(url(evening, "me/"), {"player": ""})
    me.refresh_from_db()
    assert me.player is None


@pytest.mark.parametrize("said", [None, "x", "0", "999999"])
def test_who_is_not_among_the_players_is_asked_again(owners: Client, evening: Evening, said: str | None):
    before = rows()
    response = owners.post(url(evening, "me/"), {} if said is None else {"player": said})
    assert response.status_code == 422
    assert "Choose one of the options." in Page.of(response).text
    assert rows() == before
