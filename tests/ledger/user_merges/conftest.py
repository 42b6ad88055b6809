"""A guest with rows of every kind, the user whose book the guest's phone opens, and their merge."""

from typing import Any

import pytest

from sessions_app.models import Circle, Evening, Member, Phone, Role, User, UserMerge
from sessions_app.writers import users
from tests.factories import MemberFactory, UserFactory
from tests.full_circle import full_circle, rows_of_user
from tests.ledger.books import everything


def rich(guest: User) -> Evening:
    """Let the guest have written whatever can be written."""
    rows_of_user(guest)
    return full_circle(guest, ("Dóra", "Edit", "Feri")).ended


def member_of(circle: Circle, user: User, role: Role = Role.KEEPER, **more: Any) -> Member:
    member: Member = MemberFactory(circle=circle, user=user, role=role, **more)
    return member


def merge_of(guest: User, user: User) -> UserMerge:
    users.merge(guest.pk, user.pk)
    return UserMerge.objects.get(guest=guest, user=user)


def rows() -> dict[str, list[dict[str, Any]]]:
    """All there is, but for the counters that each write raises, and the merges."""
    counters = {"version", "ended_version", "repayment_version"}
    found = everything()
    for model in ("Circle", "Evening"):
        found[model] = [{name: row[name] for name in row.keys() - counters} for row in found[model]]
    return found | {"UserMerge": []}


@pytest.fixture
def guest() -> User:
    guest: User = UserFactory()
    Phone.objects.create(user=guest)
    return guest


@pytest.fixture
def user(owner: User) -> User:
    """The one whose book the guest's phone opens."""
    Phone.objects.create(user=owner)
    return owner
