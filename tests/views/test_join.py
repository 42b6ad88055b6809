"""Invite another phone by a link with its QR code; join by it: pick a player, and the phone is a member."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
import segno
from django.test import Client
from django.utils import timezone

from sessions_app.errors import RemovedFromCircle
from sessions_app.models import Evening, Invite, Member, Player, Removal, Role, User
from sessions_app.readers.people.members import ROLES, invite_of, require_usable, token_of
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.views.failing import LOCKED
from tests.views.page import Link, Page, filled


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/invite/{rest}"


def link_on(page: Page) -> str:
    return page.one("input", id="link").attrs["value"]


@pytest.fixture
def link_page(owners: Client, evening: Evening) -> Page:
    return Page.of(owners.post(url(evening), {"role": "keeper"}, follow=True))


@pytest.mark.parametrize(("who", "role"), [("owner", "viewer"), ("keeper", "keeper")])
def test_invite_shows_the_qr_code_after_two_taps(cast: dict[str, Client], evening: Evening, who: str, role: str):
    phone = cast[who]
    first = Page.of(phone.get(f"/sessions/{evening.pk}/")).links["Invite"]
    page = Page.of(phone.get(first))
    words = {"keeper": "Let someone else score", "viewer": "Let someone watch"}[role]
    assert [button.text for button in page.all("button", value=role)] == [words]
    response = phone.post(page.form(first).attrs["action"], {"role": role})
    assert (response.status_code, response["Location"]) == (302, url(evening, f"{role}/"))
    page = Page.of(phone.get(response["Location"]))
    assert page.one("h1").text == words
    assert page.one("svg", role="img").attrs["aria-label"] == "The link as a QR code"
    invite = Invite.objects.get()
    assert (invite.circle, invite.role, invite.revoked_at) == (evening.circle, role, None)


def test_link_is_of_the_host_asked_with_a_token_of_128_bits_that_is_stored_nowhere(link_page: Page, settings: Any):
    found = re.fullmatch(r"http://testserver/join/(\d+-([A-Za-z0-9_-]+))/", link_on(link_page))
    assert found
    token, signature = found.groups()
    assert len(signature) * 6 >= 128
    assert signature not in str(list(Invite.objects.values()))
    assert "readonly" in link_page.one("input", id="link").attrs
    light, dark = link_page.one("svg", role="img").all("path")
    size = int(link_page.one("svg", role="img").attrs["viewbox"].split()[-1])
    assert (light.attrs["fill"], dark.attrs["fill"]) == ("#fff", "#000")
    assert light.attrs["d"] == f"M0 0h{size}v{size}H0z"
    drawn = [[0] * size for _row in range(size)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", dark.attrs["d"]):
        drawn[int(y)][int(x) : int(x) + int(length)] = [1] * int(length)
    expected = segno.make(link_on(link_page), micro=False)
    assert drawn == [list(row) for row in expected.matrix_iter(border=4)]
    assert invite_of(token) == Invite.objects.get()
    settings.SECRET_KEY = "another"
    assert invite_of(token) is None


def test_a_link_that_leads_to_this_machine_only_says_so(owners: Client, evening: Evening):
    owners.post(url(evening), {"role": "keeper"})
    for host in ("localhost:8000", "127.0.0.1:8000"):
        asked = Page.of(owners.get(url(evening, "keeper/"), headers={"host": host}))
        assert link_on(asked).startswith(f"http://{host}/join/")
        assert "this computer only" in asked.text
    assert "this computer only" not in Page.of(owners.get(url(evening, "keeper/"))).text


def test_links_sent_before_an_upgrade_open_after_it(settings: Any) -> None:
    settings.SECRET_KEY = "the key of a server"
    sent = Invite(pk=7, role="keeper", made_at=datetime(2026, 11, 1, 20, 15, tzinfo=UTC))
    assert token_of(sent) == "7-zxtjLxtr8JG0S8bsOkGO8ihx"


def test_revoked_it_is_out_at_the_next_request_and_the_next_one_is_another(
    owners: Client, strangers: Client, evening: Evening, link_page: Page
):
    old, users = link_on(link_page), User.objects.count()
    assert strangers.get(old).status_code == 200
    action = url(evening, "keeper/revoke/")
    assert link_page.form(action).text == "Revoke"
    response = owners.post(action)
    assert (response.status_code, response["Location"]) == (302, url(evening))
    pasted = strangers.post("/join/", {"link": f"https://elsewhere.example{urlsplit(old).path}"}, follow=True)
    for answer in (strangers.get(old), strangers.post(old, {"player": ""}), pasted):
        assert closed(answer, 410) == "This link no longer works"
    assert User.objects.count() == users
    new = link_on(Page.of(owners.post(url(evening), {"role": "keeper"}, follow=True)))
    assert new != old
    assert strangers.get(new).status_code == 200
    assert strangers.get(old).status_code == 410


def test_open_link_is_one_for_all_and_a_keeper_revokes_his_own_and_an_owner_everybody_s(
    cast: dict[str, Client], evening: Evening
):
    for said in ({"role": "owner"}, {"role": ""}, {"role": "admin"}, {}):
        assert cast["owner"].post(url(evening), said).status_code == 400
    assert not Invite.objects.exists()
    asked = [cast[who].post(url(evening), {"role": "keeper"}, follow=True) for who in ("owner", "keeper") * 2]
    assert len({link_on(Page.of(each)) for each in asked}) == Invite.objects.count() == 1
    action = url(evening, "keeper/revoke/")
    assert not Page.of(asked[1]).all("form", action=action)
    assert cast["keeper"].post(action).status_code == 403
    assert Invite.objects.get().revoked_at is None
    assert cast["owner"].post(action).status_code == 302
    own = cast["keeper"].post(url(evening), {"role": "keeper"}, follow=True)
    assert Page.of(own).all("form", action=action)
    assert cast["keeper"].post(action).status_code == 302
    assert not Invite.objects.filter(revoked_at=None).exists()


def role_of(user: User, evening: Evening) -> str | None:
    return Member.objects.filter(user=user, circle=evening.circle).values_list("role", flat=True).first()


def player(evening: Evening, name: str) -> str:
    return str(Player.objects.get(circle=evening.circle, name=name).pk)


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_stranger_says_which_player_he_is_and_is_a_member(strangers: Client, evening: Evening, link: Link, role: Role):
    page = Page.of(strangers.get(link(role)))
    assert page.one("h1").text == "Who are you?"
    assert "You are invited to a session of Asszorti" in page.text
    assert "Players: Anna, Béla, Cili" in page.text
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


def test_players_of_the_running_session_come_first_and_joining_leads_to_it(
    strangers: Client, evening: Evening, owner: User, link: Link
):
    evenings.end(evening.pk)
    later, ended = evening_of(owner, ("Cili", "Dóra", "Anna")), evening_of(owner)
    evenings.end(ended.pk)
    page = Page.of(strangers.get(link()))
    assert [button.text for button in page.all("button", name="player")] == [
        "Cili", "Dóra", "Anna", "Béla", "I only keep the score",
    ]  # fmt: skip
    versions = [Evening.objects.get(pk=one.pk).version for one in (later, ended)]
    assert strangers.post(link(), {"player": ""})["Location"] == f"/sessions/{later.pk}/"
    now = [Evening.objects.get(pk=one.pk).version for one in (later, ended)]
    assert now == [versions[0] + 1, versions[1]], "it is seen on all phones of a session that runs"


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


def test_unknown_player_is_refused_on_the_join_page(strangers: Client, evening: Evening, link: Link):
    address = link()
    foreign = player(evening_of(UserFactory()), "Anna")
    users = User.objects.count()
    for said in (None, "x", "-1", "0", "999999", "9" * 40, "１", "1 ", foreign):
        page = Page.of(strangers.post(address, {} if said is None else {"player": said}), 422)
        assert "Choose one of the options." in page.text
    assert User.objects.count() == users


def test_player_may_have_several_phones_and_a_phone_may_change_its_player(
    client_of: Callable[..., Client], evening: Evening, link: Link
):
    client_of(None).post(link(), {"player": player(evening, "Béla")})
    second = client_of(None)
    page = Page.of(second.get(link()))
    assert "already on another phone" in page.one("button", value=player(evening, "Béla")).text
    assert "already" not in page.one("button", value=player(evening, "Anna")).text
    second.post(link(), {"player": player(evening, "Béla")})
    assert Member.objects.filter(player__name="Béla").count() == 2

    def pressed() -> list[str]:
        return [button.text for button in Page.of(second.get(link())).all("button", aria_pressed="true")]

    assert "This phone is already in the circle." in Page.of(second.get(link())).text
    assert pressed() == ["Bélathis phonealready on another phone"]
    second.post(link(), {"player": ""})
    assert Member.objects.filter(player__isnull=False).count() == 1
    assert pressed() == ["I only keep the score"]


def test_a_link_raises_a_role_and_never_lowers_it(client_of: Callable[..., Client], evening: Evening, link: Link):
    for was, by in product(Role, (Role.KEEPER, Role.VIEWER)):
        user = MemberFactory(circle=evening.circle, role=was).user
        client_of(user).post(link(by), {"player": player(evening, "Cili")})
        assert role_of(user, evening) == max(was, by, key=list(Role).index)
        assert Member.objects.get(user=user).player.name == "Cili"  # type: ignore[union-attr]


def test_join_page_sends_the_bare_host_as_referrer_and_leads_nowhere_else(strangers: Client, link: Link):
    """'no-referrer' would make the browser post the form from 'Origin: null', which the check of forms refuses."""
    elsewhere = Client(enforce_csrf_checks=True, headers={"origin": "https://elsewhere.example"})
    page = strangers.get(link())
    for status, response in (
        (200, page),
        (422, strangers.post(link(), {"player": "x"})),
        (302, strangers.post(link(), {"player": ""})),
        (404, elsewhere.get(link() + "and/more/")),
        (403, elsewhere.post(link())),
    ):
        assert (response.status_code, response["Referrer-Policy"]) == (status, "strict-origin")
    for node in Page.of(page).nodes():
        assert not [name for name in node.attrs if name.startswith("hx-")]
        assert all(node.attrs.get(name, "/").startswith(("/", "#")) for name in ("href", "src", "action"))


def test_a_form_that_was_open_for_too_long_comes_back(evening: Evening, link: Link):
    phone = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    response = phone.post(link(), {"player": player(evening, "Béla")})
    page = Page.of(response, 403)
    assert "Tap again." in page.text
    assert response["Referrer-Policy"] == "strict-origin"
    token = page.form(link()).one("input", name="csrfmiddlewaretoken").attrs["value"]
    again = phone.post(link(), {"player": player(evening, "Béla"), "csrfmiddlewaretoken": token})
    assert again.status_code == 302
    assert Member.objects.filter(player__name="Béla").exists()


def test_chat_that_shows_a_link_is_told_no_name_and_no_guest_is_made(strangers: Client, evening: Evening, link: Link):
    users = User.objects.count()
    answer = strangers.get(link(), headers={"User-Agent": "WhatsApp/2"})
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
    """The title of the page of a link that lets nobody in; it says nothing of its table."""
    page = Page.of(response, status)
    assert response["Referrer-Policy"] == "strict-origin"
    assert not page.all("form", class_="whose")
    assert not any(word in page.one("main").text for word in ("Anna", "Béla", "Cili", "Asszorti"))
    return page.one("h1").text


def test_made_up_link_or_one_with_the_signature_of_another_leads_nowhere(
    strangers: Client, evening: Evening, link: Link
):
    token, viewer = (link(role).split("/")[2] for role in (Role.KEEPER, Role.VIEWER))
    number, _dash, signature = token.partition("-")
    for wrong in (
        f"{number}-{signature[:-1]}", f"{number}-{signature}A", f"{number}-{signature.swapcase()}",
        f"0{token}", f"9{token}", f"-{token}", f"{number}-", number, "x", "1-x", "9" * 60 + "-x", "١-x", "á-é",
        f"{viewer.partition('-')[0]}-{signature}",
    ):  # fmt: skip
        for answer in (strangers.get(f"/join/{wrong}/"), strangers.post(f"/join/{wrong}/", {"player": ""})):
            assert closed(answer, 404) == "This link is not valid"
    assert Member.objects.filter(circle=evening.circle).count() == 1
    Invite.objects.filter(role=Role.KEEPER).delete()
    Invite.objects.filter(role=Role.VIEWER).update(role=Role.KEEPER)
    assert closed(strangers.get(f"/join/{viewer}/"), 404)


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


def test_pasted_link_leads_to_this_server_s_join_page_and_other_text_is_kept(strangers: Client, link: Link):
    address = link()
    token = address.removeprefix("/join/").removesuffix("/")
    form = filled(Page.of(strangers.get("/join/")).form("/join/"))
    for before in (
        "",
        "/join/",
        "http://testserver/join/",
        "https://elsewhere.example/join/",
        "Come: https://a.hu/join/",
    ):
        for after in ("", "/", "/?x=1", " bye"):
            response = strangers.post("/join/", form | {"link": f" {before}{token}{after}"})
            assert (response.status_code, response["Location"]) == (302, address)
    elsewhere = ("https://elsewhere.example/", "//elsewhere.example/join/", "/join/1-x/", "/join/٣-" + "x" * 24)
    for junk in ("", "hello", *elsewhere):
        page = Page.of(strangers.post("/join/", {"link": junk}), 422)
        assert len(page.errors) == 1
        assert filled(page.form("/join/"))["link"] == junk


def test_home_offers_to_paste_a_link_only_without_a_circle(strangers: Client, owners: Client, evening: Evening):
    assert "/join/" in Page.of(strangers.get("/")).html
    assert "/join/" not in Page.of(owners.get("/")).html
    strangers.post("/demo/")
    assert "/join/" in Page.of(strangers.get("/")).html
