"""A circle with a row of every kind is archived, or deleted and gone: no row is left over, and none of others' touched.

What comes later, from a phone that was without network, writes nothing.
"""

from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db.models import Model
from django.utils import timezone

from sessions_app.errors import WriteRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Import, Member, Player, User
from sessions_app.writers import circles, cleanup, evenings, ledger, repayments, users
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.full_circle import full_circle
from tests.ledger.books import assert_verified, everything, nothing_written

pytestmark = pytest.mark.django_db


def of_circles() -> set[type[Model]]:
    """Return the models whose rows belong to a circle, directly or not."""
    found: set[type[Model]] = {Circle}
    of_users = ("Import", "ImportMade", "ImportPart")  # they lead to a circle, too
    models = [model for model in apps.get_app_config("sessions_app").get_models() if model.__name__ not in of_users]
    while more := {model for model in models if model not in found and _parents(model) & found}:
        found |= more
    return found


def _parents(model: type[Model]) -> set[Any]:
    return {field.related_model for field in model._meta.concrete_fields if field.is_relation}


@pytest.mark.parametrize("by", ["owner", "operator", "the last user"])
def test_deleted_circle_leaves_no_row_and_touches_no_other(by: str) -> None:
    owner, beside = UserFactory(), UserFactory()
    other = evening_of(beside)
    if by != "the last user":
        MemberFactory(circle=other.circle, user=owner)
    record(other, beside)
    before = everything()
    running = full_circle(owner, ("Dóra", "Edit", "Feri")).running
    assert not [
        model.__name__ for model in of_circles() if len(everything()[model.__name__]) <= len(before[model.__name__])
    ]
    assert_verified()
    if by == "owner":
        circles.delete(running.circle_id)
        Circle.objects.filter(pk=running.circle_id).update(deleted_from=timezone.now())
        assert_verified()
        assert cleanup.delete_due(Event()) == 1
    elif by == "operator":
        cleanup.delete_circle(running.circle_id)
    else:
        Member.objects.filter(circle=running.circle_id).exclude(user=owner).delete()
        users.delete_user(owner)
        assert cleanup.delete_due(Event()) == 1
    left = everything()
    for model in of_circles():
        assert left[model.__name__] == before[model.__name__], model
    assert not Import.objects.filter(circle__isnull=False).exists()
    assert_verified()
    with nothing_written(), pytest.raises((WriteRefused, Evening.DoesNotExist)):
        ledger.record(running.pk, token=uuid4(), number=3, facts=Facts(0, 1, "2H 7"), by=beside)
    with nothing_written(), pytest.raises((WriteRefused, Circle.DoesNotExist, Player.DoesNotExist)):
        repayments.book(running.circle_id, repayments.Wanted(1, 2, 5, "HUF"), token=uuid4(), by=beside)


def test_circle_that_is_taken_back_or_opened_again_has_every_row_as_it_was(owner: User) -> None:
    running = full_circle(owner, ("Dóra", "Edit", "Feri")).running
    evenings.end(running.pk)
    before = everything()
    for close, open_again in ((circles.archive, circles.open_again), (circles.delete, circles.undelete)):
        close(running.circle_id)
        assert_verified()
        assert cleanup.delete_due(Event()) == 0
        open_again(running.circle_id)
        assert everything() == before
