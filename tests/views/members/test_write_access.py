"""Only members see the members page; a visitor without permission, or a GET of a write's address changes nothing."""

from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Member, Role
from sessions_app.writers import members
from tests.factories import MemberFactory
from tests.selection import first
from tests.views.members.membership import rows, url
from tests.views.page import HTMX_BODY

#: Every write there is, with fields that it would take.
WRITES = {
    "me/": {"player": ""},
    "leave/": {},
    "claim/": {},
    "claim/object/": {"claim": "1"},
    "claim/take/": {},
    "{member}/role/": {"role": "viewer"},
    "{member}/remove/": {},
}


@pytest.mark.parametrize("headers", first(12, [{}, HTMX_BODY]))
@pytest.mark.parametrize("rest", sorted(WRITES.keys() - {"leave/"}))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_who_may_not_write_changes_nothing(
    cast: dict[str, Client], evening: Evening, bela: Member, rest: str, who: str, status: int, headers: Any
):
    members.claim(bela)
    before = rows()
    path = url(evening, rest.format(member=bela.pk))
    assert cast[who].post(path, WRITES[rest], headers=headers).status_code == status
    assert rows() == before


@pytest.mark.parametrize("rest", ["{member}/role/", "{member}/remove/"])
def test_a_keeper_changes_and_removes_nobody(belas: Client, evening: Evening, cili: Member, rest: str):
    before = rows()
    assert belas.post(url(evening, rest.format(member=cili.pk)), {"role": "owner"}).status_code == 403
    assert rows() == before


@pytest.mark.parametrize("rest", ["role/", "remove/"])
def test_a_member_of_another_table_is_not_there(owners: Client, evening: Evening, rest: str):
    other = MemberFactory(role=Role.KEEPER)
    before = rows()
    for member in (other.pk, 999_999):
        assert owners.post(url(evening, f"{member}/{rest}"), {"role": "viewer"}).status_code == 404
    assert rows() == before


@pytest.mark.parametrize(("who", "status"), [("viewer", 200), ("outsider", 404), ("stranger", 404)])
def test_only_members_see_the_page(cast: dict[str, Client], evening: Evening, who: str, status: int):
    assert cast[who].get(url(evening)).status_code == status


@pytest.mark.parametrize("rest", WRITES)
def test_looking_at_the_address_of_a_write_changes_nothing(owners: Client, evening: Evening, bela: Member, rest: str):
    before = rows()
    assert owners.get(url(evening, rest.format(member=bela.pk))).status_code == 405
    assert rows() == before
