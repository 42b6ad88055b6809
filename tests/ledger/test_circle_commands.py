"""The operator's commands on circles: their list, and the deletion of one."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from sessions_app.models import Circle, Evening, Member, Player, Role, User
from sessions_app.readers.people.circles import circle_sizes
from sessions_app.readers.people.members import open_links
from sessions_app.writers import members
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import assert_verified, everything
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


def test_circles_are_listed_with_their_sizes_by_their_last_use_by_four_queries(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
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
    Circle.objects.create()
    with django_assert_num_queries(4):
        assert len(circle_sizes()) == 3


def test_circle_is_deleted_by_its_number_and_a_yes_alone(owner: User, evening: Evening) -> None:
    record(evening, owner)
    before = everything()
    gone = demo_of(owner)
    number = str(gone.pk)
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_circle", number)
    assert Circle.objects.filter(pk=gone.pk).exists()
    assert said("delete_circle", number, "--yes").startswith(f"Deleted {number}: ")
    assert everything() == before
    with pytest.raises(CommandError, match=f"There is no circle {number}"):
        call_command("delete_circle", number, "--yes")


def test_invite_prints_the_circle_s_link_which_members_see_and_can_revoke(
    client: Client, owner: User, evening: Evening
) -> None:
    number = str(evening.circle_id)
    with override_settings(ALLOWED_HOSTS=["cards.example", "testserver"], HTTPS=True, PROXY=1):
        address = said("invite", number).strip()
        assert said("invite", number).strip() == address, "one link a role"
        assert said("invite", number, "--role", "viewer").strip() != address
    assert address.startswith("https://cards.example/join/")
    assert client.get(address.removeprefix("https://cards.example")).status_code == 200
    member = Member.objects.get(circle=evening.circle_id, user=owner)
    assert [link.revocable for link in open_links(member)] == [True, True]
    members.revoke_link(evening.circle_id, Role.KEEPER, by=member)
    assert client.get(address.removeprefix("https://cards.example")).status_code == 410
    with pytest.raises(CommandError, match="There is no circle 999999"):
        call_command("invite", "999999")


def test_circle_that_the_operator_makes_is_owned_by_the_first_who_opens_its_link(
    client: Client, client_of: Callable[..., Client]
) -> None:
    with override_settings(CIRCLES="operator", ALLOWED_HOSTS=["cards.example", "testserver"]):
        told = said("create_circle", " Csütörtök ")
        circle = Circle.objects.get()
        assert circle.name == "Csütörtök"
        assert_verified()
        path = told.splitlines()[-1].partition("8000")[2]
        assert client.get(path).status_code == 200
        for phone in (client, client_of(None)):
            assert phone.post(path, {"player": ""}).status_code == 302
        assert [member.role for member in circle.members.order_by("pk")] == ["owner", "keeper"]
        assert "/sessions/new/" in client.get("/").text
        form = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1", "game": "asszorti"}
        assert client.post("/sessions/new/", form | {"circle": circle.pk}).status_code == 302
    assert circle.evenings.count() == 1
    assert_verified()
    with pytest.raises(CommandError, match="characters at most"):
        call_command("create_circle", "x" * 81)


def test_stats_count_what_is_used_and_name_nobody(owner: User, evening: Evening) -> None:
    record(evening, owner)
    record(evening, owner)
    demo_of(owner)
    now = timezone.now()
    evening.circle.evenings.update(started_at=now - timedelta(days=9))
    evening.hands.filter(number=1).update(recorded_at=now - timedelta(days=2))
    Member.objects.filter(circle=evening.circle_id).update(last_seen_at=now - timedelta(days=40))
    told = said("stats")
    assert told.splitlines() == [
        "1 circle, 1 session, 2 hands, 1 phone; 1 demo",
        "in 1 day: 0 sessions begun, 1 hand recorded, 0 phones seen",
        "in 7 days: 0 sessions begun, 2 hands recorded, 0 phones seen",
        "in 30 days: 1 session begun, 2 hands recorded, 0 phones seen",
        "in 365 days: 1 session begun, 2 hands recorded, 1 phone seen",
    ]
    assert not [name for name in Player.objects.values_list("name", flat=True) if name in told]
