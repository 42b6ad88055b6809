"""Members who act at the same moment: one owner is left, one link and one claim are made, and everybody joins."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from sessions_app.errors import ClaimOpen, LastOwner, MembershipRefused
from sessions_app.models import Evening, Invite, Member, OwnershipClaim, Role, User
from sessions_app.writers import members
from tests.views.members.membership import named, roles, version


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
def test_of_two_who_claim_at_once_one_does(evening: Evening, bela: Member):
    other = named(evening, "Cili", Role.KEEPER)
    said = at_once(lambda: members.claim(bela), lambda: members.claim(other))
    assert sorted(map(str, said)) == sorted(map(str, [None, ClaimOpen]))
    assert OwnershipClaim.objects.count() == 1
