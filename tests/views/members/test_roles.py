"""An owner gives and takes roles from the next request on; a table always keeps an owner."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Invite, Member, Role, User
from sessions_app.readers.people.invitations import token_of
from sessions_app.writers import evenings, members
from tests.factories import MemberFactory, evening_of
from tests.views.members.membership import rows, url, version
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


def test_who_loses_the_pen_does_not_take_it_again_by_the_link_he_knows(
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
