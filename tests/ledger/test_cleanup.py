"""Cleanup after a month, and of nothing more; and the operator's commands on circles."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import DateTimeField, F, QuerySet
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from sessions_app.management.commands.serve import bring_up_to_date
from sessions_app.models import Circle, Evening, Member, Player, Repayment, Revision, Role, User
from sessions_app.readers.people.circles import circle_sizes
from sessions_app.readers.people.members import open_links
from sessions_app.writers import circles, cleanup, demo, evenings, ledger, members, repayments
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.full_circle import full_circle
from tests.ledger.books import assert_verified, book, ended, everything, said_by

pytestmark = pytest.mark.django_db

MONTH = cleanup.UNUSED_FOR


@pytest.fixture(autouse=True)
def without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup, "PAUSE", 0)


def let_go_by(time: timedelta) -> None:
    """Let all that was written so far have been written so much earlier."""
    for model in apps.get_app_config("sessions_app").get_models():
        let_go(model._default_manager.all(), time)


def let_go(rows: QuerySet[Any], time: timedelta = 2 * MONTH) -> None:
    """Let these rows have been written so much earlier."""
    moments = [field.name for field in rows.model._meta.fields if isinstance(field, DateTimeField)]
    rows.update(**{name: F(name) - time for name in moments})


def demo_of(user: User) -> Circle:
    """A demo as it is laid, but with a hand only."""
    circle = evenings.new_circle(user, is_demo=True)
    evening = evenings.start(evenings.Opening(demo.DEMO_NAMES, 0), token=uuid4(), by=user, circle=circle)
    record(evening, user)
    paid_in(circle, user)
    return circle


def paid_in(circle: Circle, by: User) -> Repayment:
    evening = circle.evenings.get()
    anna, bela, *_others = evening.seats.values_list("player", flat=True)
    wanted = repayments.Wanted(anna, bela, 5, "points:asszorti", (evening.pk,))
    return repayments.book(circle.pk, wanted, token=uuid4(), by=by).row


def idle_guests(count: int) -> None:
    for _guest in range(count):
        User.new_guest()
    let_go_by(2 * MONTH)


def test_demo_and_its_guest_are_deleted_after_a_month_without_use_and_no_sooner() -> None:
    demo_of(User.new_guest())
    User.new_guest()
    let_go_by(MONTH - timedelta(minutes=1))
    assert cleanup.sweep() == cleanup.Swept(0, 0)
    assert (Circle.objects.count(), User.objects.count()) == (1, 2)
    let_go_by(timedelta(minutes=2))
    assert said_by("sweep").startswith("Deleted 1 circle and 2 guests.")
    assert not any(everything().values()), "and with them all there was"


USES: dict[str, Callable[[Circle, User], object]] = {
    "looked at": lambda circle, guest: Member.objects.update(last_seen_at=timezone.now()),
    "hand": lambda circle, guest: ledger.void(circle.evenings.get().pk, 1, by=guest),
    "joined": lambda circle, guest: MemberFactory(circle=circle),
    "ended": lambda circle, guest: evenings.end(circle.evenings.get().pk),
    "paid": paid_in,
    "taken back": lambda circle, guest: repayments.undo(circle.pk, circle.repayments.get().pk, by=guest),
}


@pytest.mark.parametrize("use", USES)
def test_a_demo_that_was_used_since_stays(use: str) -> None:
    guest = User.new_guest()
    circle = demo_of(guest)
    let_go_by(2 * MONTH)
    USES[use](circle, guest)
    assert cleanup.sweep() == cleanup.Swept(0, 0)


def test_guest_who_came_back_during_cleanup_stays() -> None:
    guest, idle = User.new_guest(), User.new_guest()
    circle = demo_of(guest)
    let_go_by(2 * MONTH)
    before = timezone.now() - MONTH
    ledger.void(circle.evenings.get().pk, 1, by=guest)
    record(evening_of(idle), idle)
    assert cleanup._take_away(circle.pk, before) == 0
    assert cleanup._send_away([guest.pk, idle.pk], before) == 0


def test_guest_who_has_signed_in_since_and_account_with_a_password_stay() -> None:
    User.objects.create(username="Anna", is_guest=False)
    idle_guests(1)
    User.objects.filter(is_guest=True).update(last_login=timezone.now())
    assert cleanup.sweep().guests == 0


def test_cleanup_deletes_in_short_transactions_and_ends_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup, "GUESTS_AT_A_TIME", 2)
    idle_guests(5)
    stopping = Event()
    with patch.object(stopping, "wait", side_effect=lambda _pause: stopping.set()):
        assert cleanup.sweep(stopping).guests == 2
    assert cleanup.sweep(stopping) == cleanup.Swept(0, 0)
    assert cleanup.sweep().guests == 3


@pytest.mark.parametrize("by_operator", [False, True])
def test_due_circle_is_deleted_an_evening_at_a_time_and_nobody_takes_that_back(owner: User, by_operator: bool) -> None:
    evening = evening_of(owner)
    circle = evening.circle
    ended(evening, owner)
    book(evening, owner)
    assert evening_of(owner).circle == circle
    stopping = Event()
    with (
        patch.object(stopping, "wait", side_effect=lambda _pause: stopping.set()),
        patch.object(cleanup, "Event", return_value=stopping),
    ):
        if by_operator:
            cleanup.delete_circle(circle.pk)
        else:
            circles.delete(circle.pk)
            Circle.objects.update(deleted_from=timezone.now())
            assert cleanup.delete_due(stopping) == 0
    assert circle.evenings.count() == 1
    assert not circle.members.exists()
    assert_verified()
    assert cleanup.delete_due(Event()) == 1
    assert not Circle.objects.exists()


def test_database_that_does_not_answer_is_asked_again_within_the_hour(caplog: pytest.LogCaptureFixture) -> None:
    stopping, waited = Event(), []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        stopping.set()

    with (
        patch.object(stopping, "wait", side_effect=wait),
        patch.object(cleanup, "sweep", side_effect=OperationalError("database is locked")),
        patch.object(cleanup.connection, "close"),
    ):
        cleanup.keep_swept(stopping)
    assert waited == [cleanup.AN_HOUR]
    assert "Could not delete unused circles" in caplog.text


def test_no_real_circle_and_nobody_who_has_or_had_a_part_in_one_is_touched() -> None:
    owner, wrote = User.new_guest(), User.new_guest()
    full_circle(owner)
    other = evening_of(UserFactory(), ("Dóra", "Edit", "Feri"))
    record(other, wrote)
    members.leave(MemberFactory(circle=other.circle))
    let_go_by(3 * MONTH)
    before = everything()
    joined = MemberFactory(circle=demo_of(owner), user=UserFactory()).user
    let_go(Circle.objects.filter(is_demo=True))
    of_demo = Circle.objects.get(is_demo=True)
    for rows in (of_demo.members, of_demo.evenings, of_demo.repayments):
        let_go(rows.all())
    let_go(Revision.objects.filter(hand__evening__circle=of_demo))
    let_go(User.objects.filter(pk=joined.pk))
    assert cleanup.sweep() == cleanup.Swept(1, 1, imports=1)
    assert everything() == before | {"Import": [], "ImportMade": []}
    assert cleanup.sweep() == cleanup.Swept(0, 0), "once is enough"


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
    first, second, total = said_by("circles").splitlines()
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
    assert said_by("delete_circle", number, "--yes").startswith(f"Deleted {number}: ")
    assert everything() == before
    with pytest.raises(CommandError, match=f"There is no circle {number}"):
        call_command("delete_circle", number, "--yes")


def test_invite_prints_the_circle_s_link_which_members_see_and_can_revoke(
    client: Client, owner: User, evening: Evening
) -> None:
    number = str(evening.circle_id)
    with override_settings(ALLOWED_HOSTS=["cards.example", "testserver"], HTTPS=True, PROXY=1):
        address = said_by("invite", number).strip()
        assert said_by("invite", number).strip() == address, "one link a role"
        assert said_by("invite", number, "--role", "viewer").strip() != address
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
        told = said_by("create_circle", " Csütörtök ")
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
    told = said_by("stats")
    assert told.splitlines() == [
        "1 circle, 1 session, 2 hands, 1 phone; 1 demo",
        "in 1 day: 0 sessions begun, 1 hand recorded, 0 phones seen",
        "in 7 days: 0 sessions begun, 2 hands recorded, 0 phones seen",
        "in 30 days: 1 session begun, 2 hands recorded, 0 phones seen",
        "in 365 days: 1 session begun, 2 hands recorded, 1 phone seen",
    ]
    assert not [name for name in Player.objects.values_list("name", flat=True) if name in told]


@pytest.mark.parametrize(
    "command",
    [bring_up_to_date, *(partial(call_command, name, verbosity=0) for name in ("migrate", "verify", "sweep"))],
    ids=["serve", "migrate", "verify", "sweep"],
)
def test_a_command_that_reads_or_writes_newer_data_names_the_migration_it_needs_and_stops(
    command: Callable[[], object],
) -> None:
    MigrationRecorder(connection).record_applied("sessions_app", "9999_later")
    with pytest.raises(CommandError) as refused:
        command()
    assert str(refused.value) == (
        "The database was written by a newer version of the program: this one does not know the migration "
        "sessions_app.9999_later. Update the program, or restore a backup that is as old as it."
    )
