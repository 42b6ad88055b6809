"""The operator's commands on circles: their list, and the deletion of one."""

from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from sessions_app.models import Circle, Evening, Member, Player, User
from sessions_app.readers.people.circle_sizes import circle_sizes
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import everything
from tests.ledger.test_cleanup import demo_of

pytestmark = pytest.mark.django_db


def said(command: str, *arguments: str) -> str:
    output = StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue()


def used(evening: Evening, day: int) -> None:
    """Let the circle have been used on this day of November last."""
    at = datetime(2026, 11, day, 12, tzinfo=UTC)
    Circle.objects.filter(pk=evening.circle_id).update(created_at=at)
    Evening.objects.filter(circle=evening.circle_id).update(started_at=at)
    Member.objects.filter(circle=evening.circle_id).update(since=at)


def test_circles_are_listed_with_their_sizes_by_their_last_use(owner: User, evening: Evening) -> None:
    record(evening, owner)
    record(evening, owner)
    another = UserFactory()
    other = evening_of(another)
    MemberFactory(circle=other.circle)
    used(evening, 3)
    used(other, 1)
    Member.objects.filter(circle=other.circle_id, user=another).update(last_seen_at=datetime(2026, 11, 5, tzinfo=UTC))
    names = ", ".join(evening.circle.players.order_by("pk").values_list("name", flat=True))
    first, second, total = said("circles").splitlines()
    assert first.startswith(f"{other.circle_id}: ")
    assert first.endswith(", 1 session, 0 hands, 2 phones, used 2026-11-05)")
    assert second == f"{evening.circle_id}: {names} (3 players, 1 session, 2 hands, 1 phone, used 2026-11-03)"
    assert total == "2 circles, 2 sessions, 2 hands."


def test_list_of_circles_costs_four_queries_however_many_there_are(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., object]
) -> None:
    for _circle in range(3):
        evening_of(UserFactory())
    Circle.objects.create()
    with django_assert_num_queries(4):
        assert len(circle_sizes()) == 5


def test_deleted_circle_leaves_no_row_and_touches_no_other(owner: User, evening: Evening) -> None:
    record(evening, owner)
    before = everything()
    gone = demo_of(owner)
    person, other_name = (Player.objects.create(circle=gone, name=name) for name in ("Dóra", "Dorka"))
    Player.objects.filter(pk=other_name.pk).update(merged_into=person)
    number = str(gone.pk)
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_circle", number)
    assert Circle.objects.filter(pk=gone.pk).exists()
    assert said("delete_circle", number, "--yes").startswith(f"Deleted {number}: ")
    assert everything() == before
    with pytest.raises(CommandError, match=f"There is no circle {number}"):
        call_command("delete_circle", number, "--yes")
