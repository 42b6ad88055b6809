"""The members page shows each phone's name, role and last visit, and lets a member name the player that he is."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from sessions_app.models import Evening, Member, Player, Role, User
from sessions_app.readers.people.members import MEMBERS_PER_PAGE
from sessions_app.templatetags.people import ago, device_words
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory
from tests.http.test_user_agent import IPHONE
from tests.views.members.membership import named, rows, url, version
from tests.views.page import Page
from tests.views.test_evening_new import fields

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
def test_unknown_player_is_refused_on_the_members_page(owners: Client, evening: Evening, said: str | None):
    before = rows()
    response = owners.post(url(evening, "me/"), {} if said is None else {"player": said})
    assert response.status_code == 422
    assert "Choose one of the options." in Page.of(response).text
    assert rows() == before


# --- Many members come in pages, each of bounded size, and the number of queries does not grow with them ---


@pytest.fixture
def crowd(evening: Evening) -> list[Member]:
    """Viewers that fill three pages with the owner, the last with three."""
    count = 2 * MEMBERS_PER_PAGE + 2
    circle = evening.circle_id
    users = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(count))
    return Member.objects.bulk_create(Member(circle_id=circle, user=user, role=Role.VIEWER) for user in users)


def actions(page: Page) -> list[str]:
    return [form.attrs["action"] for form in page.all("form") if "/role/" in form.attrs["action"]]


def test_many_phones_come_in_pages_who_runs_the_table_first(
    owners: Client, evening: Evening, bela: Member, crowd: list[Member]
):
    first = Page.of(owners.get(url(evening)))
    shown = [line.of_class("line-of")[0].text for line in first.of_class("member")]
    assert len(shown) == MEMBERS_PER_PAGE
    assert shown[0].startswith("unnamed phone owner this phone")
    assert shown[1].startswith("Béla can score")
    assert "A circle needs an owner" in first.text
    assert [first.links.get(way) for way in ("Earlier phones", "More phones")] == [None, "?page=2"]
    last = Page.of(owners.get(url(evening, "?page=3")))
    assert len(last.of_class("member")) == 4
    assert [last.links.get(way) for way in ("Earlier phones", "More phones")] == ["?page=2", None]
    assert actions(last) == [url(evening, f"{member.pk}/role/?page=3") for member in crowd[-4:]]
    assert "There are no more phones." in Page.of(owners.get(url(evening, "?page=4"))).text
    for odd in ("?page=0", "?page=-1", "?page=x", "?page=99999999999999999999"):
        assert "Béla" in Page.of(owners.get(url(evening, odd))).text


def test_a_change_leads_back_to_the_page_it_was_made_on(owners: Client, evening: Evening, crowd: list[Member]):
    answer = owners.post(url(evening, f"{crowd[-1].pk}/role/?page=3"), {"role": "owner"})
    assert answer["Location"] == url(evening, "?page=3")
    first = Page.of(owners.get(url(evening)))
    assert "A circle needs an owner" not in first.text, "there are two"
    assert len(actions(first)) == MEMBERS_PER_PAGE
    assert owners.post(url(evening, f"{crowd[0].pk}/remove/"))["Location"] == url(evening)


def test_with_a_page_full_of_owners_none_is_called_the_last(owners: Client, evening: Evening, crowd: list[Member]):
    Member.objects.filter(circle=evening.circle).update(role=Role.OWNER)
    for number in (1, 2, 3):
        page = Page.of(owners.get(url(evening, f"?page={number}")))
        assert "A circle needs an owner" not in page.text
        assert len(actions(page)) == len(page.of_class("member"))


@pytest.mark.parametrize(("who", "most"), [("owner", 70_000), ("viewer", 20_000)])
def test_a_page_is_bounded(cast: dict[str, Client], evening: Evening, crowd: list[Member], who: str, most: int):
    assert len(cast[who].get(url(evening)).content) < most


# --- 'Whose phone is this?': asked once, on the phone that started the evening ---


ASKED = "Whose phone is this?"


@pytest.fixture
def begun(strangers: Client) -> str:
    """The page of an evening that this phone has just begun."""
    return str(strangers.post("/sessions/new/", fields())["Location"])


def test_the_phone_that_made_it_is_asked_and_says_who_it_is(strangers: Client, begun: str):
    page = Page.of(strangers.get(begun))
    form = page.form(f"{begun}members/me/")
    assert ASKED in page.text
    assert [button.text for button in form.all("button")] == ["Anna", "Béla", "Cili", "None of us", "Don't ask"]
    bela = Player.objects.get(name="Béla")
    assert form.one("button", value=str(bela.pk)).attrs["name"] == "player"
    answer = strangers.post(f"{begun}members/me/", {"player": str(bela.pk), "session": "1"})
    assert answer["Location"] == begun
    assert Member.objects.get().player == bela
    assert ASKED not in Page.of(strangers.get(begun)).text


@pytest.mark.parametrize("said", [{"player": ""}, {"ask_no_more": "1"}])
def test_phone_of_nobody_or_that_declined_is_never_asked_again(strangers: Client, begun: str, said: dict[str, str]):
    assert strangers.post(f"{begun}members/me/", {"session": "1"} | said)["Location"] == begun
    assert Member.objects.get().player is None
    strangers.post("/sessions/new/", fields())
    for evening in Evening.objects.all():
        assert ASKED not in Page.of(strangers.get(f"/sessions/{evening.pk}/")).text


def test_waving_it_away_takes_no_name_from_the_phone(strangers: Client, begun: str):
    """It may have been given one on another page meanwhile."""
    strangers.post(f"{begun}members/me/", {"player": str(Player.objects.get(name="Béla").pk)})
    strangers.post(f"{begun}members/me/", {"session": "1", "ask_no_more": "1"})
    assert Member.objects.get().player == Player.objects.get(name="Béla")


def test_a_live_part_asks_as_the_page_does(strangers: Client, begun: str):
    assert ASKED in Page.of(strangers.get(f"{begun}live/")).text


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_no_other_phone_is_asked(client_of: Callable[..., Client], begun: str, role: Role):
    other = MemberFactory(circle=Evening.objects.get().circle, role=role).user
    assert ASKED not in Page.of(client_of(other).get(begun)).text


def test_demo_does_not_ask_whose_phone_it_is(strangers: Client):
    strangers.post("/demo/")
    evening = Evening.objects.latest("pk")
    evenings.reopen(evening.pk)
    assert ASKED not in Page.of(strangers.get(f"/sessions/{evening.pk}/")).text
