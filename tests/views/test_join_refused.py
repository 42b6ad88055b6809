"""Invite links that let nobody in: made up, revoked, or made before the member was removed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.errors import LinkRevoked, RemovedFromCircle
from sessions_app.models import Evening, Invite, Member, Removal, Role, User
from sessions_app.readers.people.invitations import ROLES, require_usable
from sessions_app.writers import members
from tests.factories import MemberFactory, UserFactory
from tests.views.join_links import Link, role_of
from tests.views.page import Page, filled


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
