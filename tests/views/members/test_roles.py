"""An owner gives and takes roles from the next request on; a table always keeps an owner."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Invite, Member, Removal, Role, User
from sessions_app.readers.people.members import ROLES, token_of
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory, evening_of
from tests.views.members.membership import roles, rows, url, version
from tests.views.page import Page


def test_a_role_holds_from_the_next_request_on(
    owners: Client, belas: Client, cilis: Client, evening: Evening, bela: Member, cili: Member
):
    form = f"/sessions/{evening.pk}/hands/new/"
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (200, 403)
    before = version(evening)
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})["Location"] == url(evening)
    owners.post(url(evening, f"{cili.pk}/role/"), {"role": "keeper"})
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (403, 200)
    assert version(evening) == before + 2


def test_the_role_it_has_already_changes_nothing(owners: Client, evening: Evening, bela: Member):
    before, rows_before = version(evening), rows()
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "keeper"}).status_code == 302
    assert (version(evening), rows()) == (before, rows_before)


def test_demoted_keeper_s_known_link_is_revoked(
    owners: Client, belas: Client, evening: Evening, owner: User, bela: Member
):
    address = f"/join/{token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))}/"
    members.make_link(evening.circle_id, Role.VIEWER, by=owner)
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})
    assert belas.post(address, {"player": ""}).status_code == 410
    assert [one.role for one in Invite.objects.filter(revoked_at=None)] == [Role.VIEWER]


@pytest.mark.parametrize("role", ["", "admin", None])
def test_there_is_no_other_role(owners: Client, evening: Evening, bela: Member, role: str | None):
    response = owners.post(url(evening, f"{bela.pk}/role/"), {} if role is None else {"role": role})
    assert response.status_code == 400
    bela.refresh_from_db()
    assert bela.role == Role.KEEPER


@pytest.mark.parametrize("rest", ["role/", "remove/"])
def test_the_last_owner_stays_and_a_sentence_says_why(owners: Client, evening: Evening, me: Member, rest: str):
    page = Page.of(owners.get(url(evening)))
    assert not page.all("form", action=url(evening, f"{me.pk}/{rest}"))
    before = rows()
    response = owners.post(url(evening, f"{me.pk}/{rest}"), {"role": "viewer"})
    assert response.status_code == 409
    assert "A circle needs an owner" in Page.of(response).one("p", role="alert").text
    assert rows() == before


def test_an_ended_evening_keeps_its_version(owners: Client, evening: Evening, owner: User, bela: Member):
    other = evening_of(owner)
    evenings.end(evening.pk)
    before = (version(evening), version(other))
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})
    assert (version(evening), version(other)) == (before[0], before[1] + 1)


@pytest.mark.parametrize("rest", ["role/", "remove/"])
def test_a_member_of_another_table_is_not_there(owners: Client, evening: Evening, rest: str):
    other = MemberFactory(role=Role.KEEPER)
    before = rows()
    for member in (other.pk, 999_999):
        assert owners.post(url(evening, f"{member}/{rest}"), {"role": "viewer"}).status_code == 404
    assert rows() == before


# --- A member who is removed or leaves is out at once; his hands stay, and the last owner stays too ---


# Removed by an owner


def test_removed_member_is_out_and_his_hands_stay(
    owners: Client, belas: Client, evening: Evening, bela: Member, post_hand: Callable[..., Any]
):
    post_hand(belas, evening)
    before = version(evening)
    page = Page.of(owners.get(url(evening)))
    assert page.form(url(evening, f"{bela.pk}/remove/")).one("button").text == "Remove"
    assert owners.post(url(evening, f"{bela.pk}/remove/"))["Location"] == url(evening)
    assert belas.get(f"/sessions/{evening.pk}/").status_code == 404
    assert post_hand(belas, evening).status_code == 404
    assert "Béla" not in {
        line.of_class("whose-it-is")[0].text for line in Page.of(owners.get(url(evening))).of_class("member")
    }
    removal = Removal.objects.get()
    assert (removal.user, removal.player, removal.circle) == (bela.user, bela.player, evening.circle)
    assert version(evening) == before + 1
    assert evening.hands.get().revisions.get().made_by == bela.user


def test_the_open_links_are_revoked_with_it(owners: Client, evening: Evening, owner: User, bela: Member):
    for role in ROLES:
        members.make_link(evening.circle_id, role, by=owner)
    owners.post(url(evening, f"{bela.pk}/remove/"))
    assert not Invite.objects.filter(revoked_at=None).exists()


def test_second_removal_moves_its_time(evening: Evening, bela: Member):
    members.remove(evening.circle_id, bela.pk)
    first = Removal.objects.get().at
    again = MemberFactory(circle=evening.circle, user=bela.user)
    members.remove(evening.circle_id, again.pk)
    assert Removal.objects.get().at > first


def test_an_owner_who_removes_himself_is_led_home(owners: Client, evening: Evening, bela: Member, me: Member):
    members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    assert owners.post(url(evening, f"{me.pk}/remove/"))["Location"] == "/"
    assert roles(evening) == ["owner"]


# --- A member leaves ---


def test_member_who_leaves_is_led_home_and_his_hands_stay(
    owners: Client, belas: Client, evening: Evening, bela: Member, post_hand: Callable[..., Any]
):
    post_hand(belas, evening)
    before = version(evening)
    form = Page.of(belas.get(url(evening))).form(url(evening, "leave/"))
    assert form.one("button").text == "Leave the circle"
    assert belas.post(url(evening, "leave/"))["Location"] == "/"
    assert f"/sessions/{evening.pk}/" not in Page.of(belas.get("/")).links
    assert belas.get(f"/sessions/{evening.pk}/").status_code == 404
    assert version(evening) == before + 1
    assert evening.hands.get().revisions.get().made_by == bela.user
    history = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/"))
    assert re.search(r"Recorded · .* · Béla", history.text)


def test_member_who_left_joins_again_by_an_open_link(belas: Client, evening: Evening, owner: User, bela: Member):
    invite = members.make_link(evening.circle_id, Role.VIEWER, by=owner)
    belas.post(url(evening, "leave/"))
    assert Invite.objects.get().revoked_at is None
    assert belas.post(f"/join/{token_of(invite)}/", {"player": ""}).status_code == 302
    assert Member.objects.get(user=bela.user).role == Role.VIEWER
    assert not Removal.objects.exists()


def test_the_last_owner_does_not_leave_but_one_of_two_does(owners: Client, evening: Evening, bela: Member, me: Member):
    assert "Leave this circle" not in Page.of(owners.get(url(evening))).text
    response = owners.post(url(evening, "leave/"))
    assert response.status_code == 409
    assert "make somebody else owner first" in Page.of(response).text
    members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    assert owners.post(url(evening, "leave/")).status_code == 302
    assert list(Member.objects.filter(role=Role.OWNER)) == [bela]
