"""Queries for an evening's own row."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Row, Slot, columns, compiled, loaded
from sessions_app.models import Evening, Member, OpenHand, User


def evening_of(pk: int) -> Evening:
    """Return an evening: one query. Raise Evening.DoesNotExist."""
    return loaded(Evening, columns(Evening), row_of(pk))


def row_of(pk: int) -> Row:
    """Return its columns: one query. Raise Evening.DoesNotExist."""
    rows = _evening.ask(pk=pk)
    if not rows:
        raise Evening.DoesNotExist
    return rows[0]


@compiled
def _evening(pk: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(pk=pk).values_list(*columns(Evening))


JUST_STARTED = timedelta(minutes=5)


def starter_of(token: UUID) -> User | None:
    """Return the guest who started an evening by this token just now, while he is its circle's only member.

    Two taps of a phone that is not known yet are two strangers to the server: this makes them one guest. The token was
    in that phone's form and nowhere else.
    """
    members = Member.objects.filter(
        circle__evenings__token=token, circle__evenings__started_at__gte=timezone.now() - JUST_STARTED
    ).select_related("user")[:2]
    return members[0].user if len(members) == 1 and members[0].user.is_guest else None


def may_be_removed(evening: Evening) -> bool:
    """Return whether the evening is unused: no hand was ever recorded and none is being played. One query."""
    row = None if evening.last_number else OpenHand.objects.filter(evening=evening.pk).first()
    return not (evening.last_number or (row and row.has_begun))
