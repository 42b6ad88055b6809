"""A keeper may claim a table whose owner's phone is lost: those who score may object, and after a day he takes over."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from sessions_app.errors import ClaimOpen, LastOwner, MembershipRefused
from sessions_app.models import Evening, Invite, Member, OwnershipClaim, Role, User
from sessions_app.readers.people.members import open_claim
from sessions_app.writers import members
from tests.views.members.membership import DAY, named, roles, rows, url, version
from tests.views.page import Page

SECOND = timedelta(seconds=1)


def claimed(evening: Evening, ago: timedelta) -> OwnershipClaim:
    """Let the open claim have been made so long ago."""
    claim = OwnershipClaim.objects.get(circle=evening.circle, closed_at=None)
    claim.made_at = timezone.now() - ago
    claim.save()
    return claim


def test_a_keeper_asks_to_run_the_table_and_all_see_it(
    owners: Client, belas: Client, cilis: Client, evening: Evening, bela: Member
):
    before = version(evening)
    assert belas.post(url(evening, "claim/"))["Location"] == url(evening)
    assert version(evening) == before + 1
    assert roles(evening) == ["keeper", "owner", "viewer"]
    for phone, words, buttons in (
        (owners, "Béla asks to become owner", ["Object"]),
        (belas, "You have asked to become owner", ["Withdraw"]),
        (cilis, "Béla asks to become owner", []),
    ):
        (claim,) = Page.of(phone.get(url(evening))).of_class("claim")
        assert words in claim.text
        assert [button.text for button in claim.all("button")] == buttons
    claim = open_claim(evening.circle_id)
    assert claim
    assert (claim.member_id, claim.name, claim.is_due) == (bela.pk, "Béla", False)
    assert claim.due_at == OwnershipClaim.objects.get().made_at + DAY


def test_asking_twice_is_asking_once(belas: Client, evening: Evening):
    belas.post(url(evening, "claim/"))
    made_at, before = OwnershipClaim.objects.get().made_at, version(evening)
    assert belas.post(url(evening, "claim/")).status_code == 302
    assert OwnershipClaim.objects.get().made_at == made_at
    assert version(evening) == before


def test_while_one_asks_another_cannot(client_of: Callable[..., Client], belas: Client, evening: Evening, bela: Member):
    belas.post(url(evening, "claim/"))
    other = client_of(named(evening, "Cili", Role.KEEPER).user)
    assert url(evening, "claim/") not in {form.attrs["action"] for form in Page.of(other.get(url(evening))).all("form")}
    response = other.post(url(evening, "claim/"))
    assert response.status_code == 409
    assert "Somebody else has asked" in Page.of(response).one("p", role="alert").text
    assert OwnershipClaim.objects.get().member == bela


@pytest.mark.parametrize("who", ["owner", "keeper", "claimer"])
def test_the_owner_another_keeper_or_who_asked_closes_it(
    cast: dict[str, Client], belas: Client, evening: Evening, bela: Member, who: str
):
    belas.post(url(evening, "claim/"))
    claim = claimed(evening, DAY)
    phone = belas if who == "claimer" else cast[who]
    form = Page.of(phone.get(url(evening))).form(url(evening, "claim/object/"))
    assert form.one("input", name="claim").attrs["value"] == str(claim.pk)
    before = version(evening)
    assert phone.post(url(evening, "claim/object/"), {"claim": claim.pk})["Location"] == url(evening)
    assert version(evening) == before + 1
    assert open_claim(evening.circle_id) is None
    assert belas.post(url(evening, "claim/take/")).status_code == 409
    bela.refresh_from_db()
    assert bela.role == Role.KEEPER


def test_objection_closes_its_own_claim_only(owners: Client, belas: Client, evening: Evening):
    belas.post(url(evening, "claim/"))
    first = OwnershipClaim.objects.get().pk
    belas.post(url(evening, "claim/object/"), {"claim": first})
    belas.post(url(evening, "claim/"))
    before = rows()
    owners.post(url(evening, "claim/object/"), {"claim": first})
    assert rows() == before
    assert open_claim(evening.circle_id)


@pytest.mark.parametrize("claim", [None, "", "x", "9" * 40])
def test_objection_without_its_claim_is_a_bad_request(owners: Client, evening: Evening, claim: str | None):
    fields = {} if claim is None else {"claim": claim}
    assert owners.post(url(evening, "claim/object/"), fields).status_code == 400


@pytest.mark.parametrize(("passed", "status"), [(timedelta(0), 409), (DAY - 5 * SECOND, 409), (DAY, 302)])
def test_after_a_day_without_objection_it_is_his(
    belas: Client, evening: Evening, bela: Member, passed: timedelta, status: int
):
    belas.post(url(evening, "claim/"))
    claimed(evening, passed)
    offered = "Take over now" in Page.of(belas.get(url(evening))).buttons
    before = version(evening)
    response = belas.post(url(evening, "claim/take/"))
    assert response.status_code == status
    assert offered == (status == 302)
    assert roles(evening) == (["owner", "owner"] if status == 302 else ["keeper", "owner"])
    assert version(evening) == before + (status == 302)
    if status == 409:
        assert "Not yet" in Page.of(response).one("p", role="alert").text
    else:
        assert open_claim(evening.circle_id) is None


def test_only_the_member_who_claimed_takes_over(cast: dict[str, Client], belas: Client, evening: Evening):
    belas.post(url(evening, "claim/"))
    claimed(evening, DAY)
    before = rows()
    for who, status in (("owner", 409), ("keeper", 409), ("viewer", 403)):
        assert cast[who].post(url(evening, "claim/take/")).status_code == status
    for who in ("owner", "keeper"):
        assert "Take over now" not in Page.of(cast[who].get(url(evening))).buttons
    assert [list(row) for row in rows()] == before


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OWNER])
def test_claim_ends_with_the_role_of_a_keeper(belas: Client, evening: Evening, bela: Member, role: Role):
    belas.post(url(evening, "claim/"))
    members.change_role(evening.circle_id, bela.pk, role)
    assert open_claim(evening.circle_id) is None


def test_claim_ends_with_the_member(belas: Client, evening: Evening, bela: Member):
    belas.post(url(evening, "claim/"))
    members.remove(evening.circle_id, bela.pk)
    assert open_claim(evening.circle_id) is None


# --- Members who act at the same moment: one owner is left, one link and one claim are made, and everybody joins ---


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Let all begin together; the result or the error of each."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return job()
        except MembershipRefused as refused:
            return type(refused)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_throw_each_other_out_leave_one(evening: Evening, bela: Member, me: Member):
    members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    said = at_once(
        lambda: members.remove(evening.circle_id, me.pk),
        lambda: members.change_role(evening.circle_id, bela.pk, Role.VIEWER),
    )
    assert said.count(LastOwner) == 1
    assert roles(evening).count("owner") == 1


@pytest.mark.django_db(transaction=True)
def test_eight_who_invite_at_once_show_one_link_and_eight_who_join_are_eight(evening: Evening, owner: User):
    made = at_once(*[lambda: members.make_link(evening.circle_id, Role.KEEPER, by=owner)] * 8)
    assert made == [Invite.objects.get()] * 8
    before = version(evening)
    guests = [User.new_guest() for _one in range(8)]
    at_once(*[lambda guest=guest: members.join(made[0], None, by=guest) for guest in guests])  # type: ignore[misc]
    assert roles(evening) == ["keeper"] * 8 + ["owner"]
    assert version(evening) == before + 8


@pytest.mark.django_db(transaction=True)
def test_two_claims_at_once_make_one(evening: Evening, bela: Member):
    other = named(evening, "Cili", Role.KEEPER)
    said = at_once(lambda: members.claim(bela), lambda: members.claim(other))
    assert sorted(map(str, said)) == sorted(map(str, [None, ClaimOpen]))
    assert OwnershipClaim.objects.count() == 1
