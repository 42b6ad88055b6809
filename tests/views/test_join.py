"""Join by an invite link: pick a player, and the phone is a member."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.errors import LinkRevoked, RemovedFromCircle
from sessions_app.models import Evening, Invite, Member, Player, Removal, Role, User
from sessions_app.readers.people.members import ROLES, require_usable
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.views.failing import LOCKED
from tests.views.join_links import Link, role_of
from tests.views.page import Page, filled


def player(evening: Evening, name: str) -> str:
    return str(Player.objects.get(circle=evening.circle, name=name).pk)


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_a_stranger_says_who_he_is_and_is_in(strangers: Client, evening: Evening, link: Link, role: Role):
    page = Page.of(strangers.get(link(role)))
    assert page.one("h1").text == "Who are you?"
    nobody = {Role.KEEPER: "I only keep the score", Role.VIEWER: "Just watching"}[role]
    assert [button.text for button in page.form(link(role)).all("button")] == ["Anna", "Béla", "Cili", nobody]
    response = strangers.post(page.form(link(role)).attrs["action"], {"player": player(evening, "Béla")})
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/")
    member = Member.objects.get(player__name="Béla")
    assert (member.role, member.circle, member.user.is_guest) == (role, evening.circle, True)
    assert int(response.cookies["sessionid"]["max-age"]) == 365 * 24 * 3600
    session = strangers.get(response["Location"])
    assert session.status_code == 200
    assert ("Enter hand 1" in Page.of(session).text) == (role == Role.KEEPER)


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_join_page_names_players_and_game(strangers: Client, evening: Evening, link: Link, role: Role):
    Evening.objects.filter(pk=evening.pk).update(game_key="preference")
    text = Page.of(strangers.get(link(role))).text
    assert "You are invited to a session of Preference" in text
    assert "Players: Anna, Béla, Cili" in text


def test_a_link_that_is_closed_or_made_up_names_nobody_and_no_game(strangers: Client, evening: Evening, link: Link):
    address = link()
    Invite.objects.update(revoked_at=timezone.now())
    for path in (address, f"{address[:-2]}x/"):
        answer = strangers.get(path)
        assert answer.status_code in (404, 410)
        main = Page.of(answer).one("main").text
        assert not any(word in main for word in ("Anna", "Béla", "Cili", "Asszorti"))


def test_the_players_of_the_running_evening_come_first_in_their_order(
    strangers: Client, evening: Evening, owner: User, link: Link
):
    evenings.end(evening.pk)
    later = evening_of(owner, ("Cili", "Dóra", "Anna"))
    assert later.circle == evening.circle
    page = Page.of(strangers.get(link()))
    assert [button.text for button in page.all("button", name="player")] == [
        "Cili", "Dóra", "Anna", "Béla", "I only keep the score",
    ]  # fmt: skip


def test_joining_leads_to_the_running_session(strangers: Client, evening: Evening, owner: User, link: Link):
    later = evening_of(owner)
    evenings.end(later.pk)
    assert strangers.post(link(), {"player": ""})["Location"] == f"/sessions/{evening.pk}/"


@pytest.mark.parametrize("gone", [True, False])
def test_a_phone_that_is_turned_away_while_it_joins_leaves_no_guest_behind(
    strangers: Client, evening: Evening, link: Link, monkeypatch: pytest.MonkeyPatch, gone: bool
):
    """Between its tap and its turn the link is revoked, or it cannot be written that it has come."""
    address = link()
    seen = Invite.objects.get(role=Role.KEEPER)
    users = User.objects.count()
    monkeypatch.setattr("sessions_app.views.invite.invite_of", lambda token: seen)
    if gone:
        Invite.objects.update(revoked_at=timezone.now())
        response = strangers.post(address, {"player": player(evening, "Béla")})
        assert response.status_code == 410
    else:
        monkeypatch.setattr(members, "_tell", Mock(side_effect=LOCKED))
        assert strangers.post(address, {"player": player(evening, "Béla")}).status_code == 503
    assert User.objects.count() == users
    assert not Member.objects.filter(player__name="Béla").exists()
    assert "sessionid" not in strangers.cookies


@pytest.mark.parametrize("said", [None, "x", "-1", "0", "999999", "9" * 40, "１", "1 "])
def test_unknown_player_is_refused_on_the_join_page(strangers: Client, evening: Evening, link: Link, said: str | None):
    address = link()
    users = User.objects.count()
    response = strangers.post(address, {} if said is None else {"player": said})
    assert response.status_code == 422
    assert "Choose one of the options." in Page.of(response).text
    assert User.objects.count() == users


def test_a_player_of_another_table_is_not_among_them(strangers: Client, evening: Evening, link: Link):
    other = evening_of(UserFactory())
    assert strangers.post(link(), {"player": player(other, "Anna")}).status_code == 422


def test_a_player_who_has_a_phone_already_can_have_another_and_is_told(
    client_of: Callable[..., Client], evening: Evening, link: Link
):
    client_of(None).post(link(), {"player": player(evening, "Béla")})
    second = client_of(None)
    page = Page.of(second.get(link()))
    assert "already on another phone" in page.one("button", value=player(evening, "Béla")).text
    assert "already" not in page.one("button", value=player(evening, "Anna")).text
    second.post(link(), {"player": player(evening, "Béla")})
    assert Member.objects.filter(player__name="Béla").count() == 2


@pytest.mark.parametrize("was", list(Role))
@pytest.mark.parametrize("by", [Role.KEEPER, Role.VIEWER])
def test_a_link_raises_a_role_and_never_lowers_it(
    client_of: Callable[..., Client], evening: Evening, link: Link, was: Role, by: Role
):
    user = MemberFactory(circle=evening.circle, role=was).user
    client_of(user).post(link(by), {"player": player(evening, "Cili")})
    assert role_of(user, evening) == max(was, by, key=list(Role).index)
    assert Member.objects.get(user=user).player.name == "Cili"  # type: ignore[union-attr]


def test_member_changes_his_player_on_the_join_page(client_of: Callable[..., Client], evening: Evening, link: Link):
    phone = client_of(None)
    phone.post(link(), {"player": player(evening, "Béla")})
    page = Page.of(phone.get(link()))
    assert "This phone is already in the circle." in page.text
    assert [button.text for button in page.all("button", aria_pressed="true")] == ["Bélathis phone"]
    phone.post(link(), {"player": ""})
    assert not Member.objects.filter(player__isnull=False).exists()
    assert [button.text for button in Page.of(phone.get(link())).all("button", aria_pressed="true")] == [
        "I only keep the score"
    ]


def test_joining_is_seen_on_all_phones_of_evenings_that_run(
    strangers: Client, evening: Evening, owner: User, link: Link
):
    ended = evening_of(owner)
    evenings.end(ended.pk)
    versions = [Evening.objects.get(pk=one.pk).version for one in (evening, ended)]
    strangers.post(link(), {"player": ""})
    now = [Evening.objects.get(pk=one.pk).version for one in (evening, ended)]
    assert now == [versions[0] + 1, versions[1]]


# Disclosure


@pytest.mark.parametrize("method", ["get", "post"])
def test_refused_join_page_sends_the_bare_host_as_referrer(link: Link, method: str):
    strict = Client(enforce_csrf_checks=True, headers={"origin": "https://elsewhere.example"})
    address = link() if method == "post" else link() + "and/more/"
    response = getattr(strict, method)(address)
    assert response.status_code == {"get": 404, "post": 403}[method]
    assert response["Referrer-Policy"] == "strict-origin"


def test_join_page_sends_the_bare_host_as_referrer(strangers: Client, link: Link):
    """'no-referrer' would make the browser post the form from 'Origin: null', which the check of forms refuses."""
    for response in (
        strangers.get(link()),
        strangers.post(link(), {"player": "x"}),
        strangers.post(link(), {"player": ""}),
    ):
        assert response["Referrer-Policy"] == "strict-origin"


def test_join_page_has_no_foreign_link_and_no_request_of_its_own(strangers: Client, link: Link):
    page = Page.of(strangers.get(link()))
    for node in page.nodes():
        assert not [name for name in node.attrs if name.startswith("hx-")]
        for name in ("href", "src", "action"):
            assert node.attrs.get(name, "/").startswith(("/", "#"))


def test_a_form_that_was_open_for_too_long_comes_back(evening: Evening, link: Link):
    phone = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    response = phone.post(link(), {"player": player(evening, "Béla")})
    page = Page.of(response)
    assert response.status_code == 403
    assert "Tap again." in page.text
    assert response["Referrer-Policy"] == "strict-origin"
    token = page.form(link()).one("input", name="csrfmiddlewaretoken").attrs["value"]
    again = phone.post(link(), {"player": player(evening, "Béla"), "csrfmiddlewaretoken": token})
    assert again.status_code == 302
    assert Member.objects.filter(player__name="Béla").exists()


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_chat_that_shows_a_link_is_told_no_name_and_no_guest_is_made(
    strangers: Client, evening: Evening, link: Link, role: Role
):
    users = User.objects.count()
    answer = strangers.get(link(role), headers={"User-Agent": "WhatsApp/2"})
    shown = dict(re.findall(r'<meta property="(og:[a-z]+)"\s+content="([^"]*)"', answer.text))
    assert shown["og:title"] == "Asszorti: come to our table"
    assert shown["og:description"] == "Follow the score on your phone: every hand, as it is entered."
    assert shown["og:image"] == "http://testserver/games/asszorti/mark.png"
    assert not {"Anna", "Béla", "Cili"} & set(re.findall(r"\w+", " ".join(shown.values())))
    image = strangers.get(shown["og:image"])
    assert (image["Content-Type"], image.content[16:24]) == ("image/png", (1200).to_bytes(4) + (630).to_bytes(4))
    assert "public" in image["Cache-Control"]
    assert strangers.get("/games/whist/mark.png").status_code == 404
    assert not {"sessionid"} & set(answer.cookies) | {"sessionid"} & set(image.cookies)
    assert User.objects.count() == users


# --- Invite links that let nobody in: made up, revoked, or made before the member was removed ---


def closed(response: Any, status: int) -> str:
    """The text of a link that lets nobody in; it says nothing of its table."""
    page = Page.of(response)
    assert response.status_code == status
    assert response["Referrer-Policy"] == "strict-origin"
    assert not page.all("form", class_="whose")
    assert "Anna" not in page.text
    return page.one("h1").text


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_made_up_link_leads_nowhere(strangers: Client, evening: Evening, link: Link, method: str):
    token = link().split("/")[2]
    number, _dash, signature = token.partition("-")
    for wrong in (
        f"{number}-{signature[:-1]}", f"{number}-{signature}A", f"{number}-{signature.swapcase()}",
        f"0{token}", f"9{token}", f"-{token}", f"{number}-", number, "x", "1-x", "9" * 60 + "-x", "١-x", "á-é",
    ):  # fmt: skip
        response = getattr(strangers, method)(f"/join/{wrong}/", {"player": ""} if method == "post" else {})
        assert closed(response, 404) == "This link is not valid"
    assert Member.objects.filter(circle=evening.circle).count() == 1


def test_a_token_says_which_link_it_is_of(strangers: Client, evening: Evening, link: Link):
    """The signature of one link opens no other, and not the same one with another role."""
    keeper, viewer = (link(role).split("/")[2] for role in (Role.KEEPER, Role.VIEWER))
    mixed = viewer.partition("-")[0] + "-" + keeper.partition("-")[2]
    assert closed(strangers.get(f"/join/{mixed}/"), 404)
    Invite.objects.filter(role=Role.KEEPER).delete()
    Invite.objects.filter(role=Role.VIEWER).update(role=Role.KEEPER)
    assert closed(strangers.get(f"/join/{viewer}/"), 404)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_revoked_link_says_so_and_nothing_else(strangers: Client, evening: Evening, link: Link, method: str):
    address = link()
    members.close_links(evening.circle_id, Role.KEEPER)
    users = User.objects.count()
    assert closed(getattr(strangers, method)(address, {"player": ""}), 410) == "This link no longer works"
    assert User.objects.count() == users


def test_a_link_that_is_revoked_between_the_look_and_the_write_lets_nobody_in(evening: Evening, owner: User):
    invite = members.make_link(evening.circle_id, Role.KEEPER, by=owner)
    members.close_links(evening.circle_id, Role.KEEPER)
    with pytest.raises(LinkRevoked):
        members.join(invite, None, by=UserFactory())


def test_removed_member_joins_only_by_a_link_made_since(client_of: Callable[..., Client], evening: Evening, link: Link):
    user = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    phone, address = client_of(user), link()
    members.remove(evening.circle_id, Member.objects.get(user=user).pk)
    Invite.objects.update(revoked_at=None)  # even if it had stayed open
    for response in (phone.get(address), phone.post(address, {"player": ""})):
        assert closed(response, 410) == "This link no longer works"
        assert "removed from the circle" in Page.of(response).text
    assert role_of(user, evening) is None
    assert client_of(None).get(address).status_code == 200
    members.close_links(evening.circle_id, *ROLES)
    assert phone.post(link(Role.VIEWER), {"player": ""}).status_code == 302
    assert role_of(user, evening) == Role.VIEWER
    assert not Removal.objects.exists()


def test_a_link_of_the_very_moment_of_the_removal_counts_as_made_before(evening: Evening, owner: User):
    invite = members.make_link(evening.circle_id, Role.KEEPER, by=owner)
    gone = UserFactory()
    removal = Removal.objects.create(circle=evening.circle, user=gone, at=invite.made_at)
    with pytest.raises(RemovedFromCircle):
        require_usable(invite, gone)
    removal.at = invite.made_at - timedelta(microseconds=1)
    removal.save()
    require_usable(invite, gone)


# --- A link that is pasted into the app leads to its join page, on this server only ---


BEFORE = ("", "/join/", "http://testserver/join/", "https://elsewhere.example/join/", "Come: https://a.hu/join/")


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("after", ["", "/", "/?x=1", " bye"])
def test_pasted_link_leads_to_this_server_s_join_page(strangers: Client, link: Link, before: str, after: str):
    address = link()
    token = address.removeprefix("/join/").removesuffix("/")
    form = Page.of(strangers.get("/join/")).form("/join/")
    response = strangers.post("/join/", filled(form) | {"link": f" {before}{token}{after}"})
    assert (response.status_code, response["Location"]) == (302, address)


@pytest.mark.parametrize(
    "junk",
    ["", "hello", "https://elsewhere.example/", "//elsewhere.example/join/", "/join/1-x/", "/join/٣-" + "x" * 24],
)
def test_pasted_text_without_a_link_is_kept_beside_a_sentence(strangers: Client, junk: str):
    response = strangers.post("/join/", {"link": junk})
    page = Page.of(response)
    assert (response.status_code, len(page.errors)) == (422, 1)
    assert filled(page.form("/join/"))["link"] == junk


def test_pasted_revoked_link_gets_the_join_page_s_own_answer(strangers: Client, link: Link):
    address = link()
    Invite.objects.update(revoked_at=timezone.now())
    response = strangers.post("/join/", {"link": f"https://elsewhere.example{address}"}, follow=True)
    assert (response.status_code, response.redirect_chain) == (410, [(address, 302)])


def test_home_offers_to_paste_a_link_only_without_a_circle(strangers: Client, owners: Client, evening: Evening):
    assert "/join/" in Page.of(strangers.get("/")).html
    assert "/join/" not in Page.of(owners.get("/")).html
    strangers.post("/demo/")
    assert "/join/" in Page.of(strangers.get("/")).html
