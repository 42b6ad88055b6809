"""A merged user becomes two again: what happened meanwhile stays as it is."""

from collections.abc import Callable
from threading import Event

import pytest
from django.utils import timezone

from sessions_app.errors import NobodyCouldOpen
from sessions_app.models import (
    Circle,
    Evening,
    HandMark,
    Import,
    Member,
    Phone,
    Revision,
    Role,
    SpareKey,
    User,
    UserMerge,
)
from sessions_app.readers.people.users import TIME_TO_UNDO
from sessions_app.writers import (
    circles,
    cleanup,
    evenings,
    import_rows,
    members,
    phones,
    players,
    users,
)
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.full_circle import stored
from tests.ledger.books import assert_verified, everything
from tests.ledger.user_merges.conftest import member_of, merge_of, rich

pytestmark = pytest.mark.django_db


def is_removed(member: Member) -> None:
    members.remove(member.circle_id, member.pk)


def joins_anew(member: Member) -> None:
    members.leave(member)
    link = members.make_link(member.circle_id, Role.KEEPER, by=None)
    members.join(link, None, by=member.user)


def is_deleted(member: Member) -> None:
    cleanup.delete_circle(member.circle_id)


@pytest.mark.parametrize(
    ("happens", "is_shared"),
    [(members.leave, False), (is_removed, True), (joins_anew, False), (joins_anew, True), (is_deleted, True)],
)
def test_circle_that_was_left_since_does_not_come_back(
    guest: User, user: User, happens: Callable[[Member], None], is_shared: bool
):
    circle = MemberFactory(role=Role.OWNER).circle
    member_of(circle, guest)
    if is_shared:
        member_of(circle, user)
    merge = merge_of(guest, user)
    happens(circle.members.get(user=user))
    users.undo_merge(user.pk, merge.pk)
    assert not Member.objects.filter(user=guest).exists()
    assert Member.objects.filter(circle=circle.pk, user=user).exists() is (happens is joins_anew)
    assert_verified()


@pytest.mark.parametrize(
    ("since", "theirs", "own"),
    [(None, Role.OWNER, Role.KEEPER), (Role.KEEPER, Role.KEEPER, Role.KEEPER), (Role.VIEWER, Role.VIEWER, Role.VIEWER)],
)
def test_role_that_was_lowered_since_stays_low(guest: User, user: User, since: Role | None, theirs: Role, own: Role):
    circle = MemberFactory(role=Role.OWNER).circle
    member_of(circle, guest, Role.OWNER)
    mine = member_of(circle, user, Role.KEEPER)
    merge = merge_of(guest, user)
    if since:
        members.change_role(circle.pk, mine.pk, since)
    users.undo_merge(user.pk, merge.pk)
    assert [circle.members.get(user=each).role for each in (guest, user)] == [theirs, own]


def test_mark_written_late_as_the_guest_outlasts_the_undone_merge(guest: User, user: User):
    evening = evening_of(guest)
    record(evening, guest)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.OK, by=guest)
    before = import_rows.open_import(guest, stored(), file_name="", circle=None)
    merge = merge_of(guest, user)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=guest)
    Import.objects.create(user=guest, kind=Import.Kind.BOOK)
    users.undo_merge(user.pk, merge.pk)
    assert HandMark.objects.get().kind == HandMark.Kind.HM
    assert import_rows.waiting(guest) == before


def test_player_who_became_another_name_since_holds_the_phone_as_that(guest: User, user: User):
    evening = evening_of(user)
    anna, bela = (evening.seats.get(position=seat).player for seat in (0, 1))
    other = evening.circle.players.create(name="anna.")
    member_of(evening.circle, guest, player=other)
    Member.objects.filter(user=user).update(player=bela)
    merge = merge_of(guest, user)
    players.merge(evening.circle_id, anna.pk, other.pk, by=user)
    users.undo_merge(user.pk, merge.pk)
    member = Member.objects.get(user=guest)
    assert (member.player, member.held_as) == (anna, other)
    assert_verified()


def test_phone_that_was_ended_since_stays_ended_and_what_was_entered_since_stays_the_user_s(guest: User, user: User):
    evening = evening_of(guest)
    record(evening, guest)
    lost = Phone.objects.create(user=guest)
    merge = merge_of(guest, user)
    phones.end(user, lost.pk)
    record(evening, user)
    users.undo_merge(user.pk, merge.pk)
    lost.refresh_from_db()
    assert lost.ended_at
    assert list(Revision.objects.order_by("pk").values_list("made_by", flat=True)) == [guest.pk, user.pk]


@pytest.mark.parametrize("whose", ["guest", "user"])
@pytest.mark.parametrize("has_key", [False, True])
def test_merge_stays_if_one_of_the_two_would_have_neither_phone_nor_key(
    guest: User, user: User, whose: str, has_key: bool
):
    loser = {"guest": guest, "user": user}[whose]
    phone = loser.phones.get()
    if has_key:
        phones.make_spare_key(loser.pk)
    evening_of(guest)
    merge = merge_of(guest, user)
    phones.end(user, phone.pk)
    before = everything()
    if has_key:
        users.undo_merge(user.pk, merge.pk)
        assert SpareKey.objects.get().user == loser
        return
    with pytest.raises(NobodyCouldOpen):
        users.undo_merge(user.pk, merge.pk)
    assert everything() == before


def test_undone_merge_is_undone_once_and_by_its_user_alone(guest: User, user: User):
    evening = evening_of(guest)
    merge = merge_of(guest, user)
    users.undo_merge(UserFactory().pk, merge.pk)
    assert evening.circle.members.get().user == user
    for _twice in range(2):
        users.undo_merge(user.pk, merge.pk)
    assert evening.circle.members.get().user == guest
    assert not UserMerge.objects.exists()


def test_merge_of_yesterday_stays_and_its_guest_goes_with_what_named_it_meanwhile_moved(guest: User, user: User):
    evening = evening_of(guest)
    merge = merge_of(guest, user)
    circles.rename(evening.circle_id, "Friday")
    hand = record(evening, guest)  # of a request that had begun before
    cleanup.sweep()
    assert UserMerge.objects.exists()
    UserMerge.objects.update(at=timezone.now() - TIME_TO_UNDO)
    users.undo_merge(user.pk, merge.pk)
    assert evening.circle.members.get().user == user
    cleanup.sweep()
    assert not UserMerge.objects.exists()
    assert list(User.objects.all()) == [user]
    assert hand.revisions.get().made_by == user


def test_circle_that_came_along_is_deleted_whole_and_undoing_gives_back_the_rest(guest: User, user: User):
    theirs, other = rich(guest), evening_of(guest)
    record(evening_of(user), user)
    merge = merge_of(guest, user)
    circles.delete(theirs.circle_id)
    Circle.objects.filter(pk=theirs.circle_id).update(deleted_from=timezone.now())
    cleanup.delete_due(Event())
    users.undo_merge(user.pk, merge.pk)
    assert list(guest.memberships.values_list("circle", flat=True)) == [other.circle_id]
    assert user.memberships.count() == 1
    assert not Evening.objects.filter(pk=theirs.pk).exists()
    assert_verified()


@pytest.mark.parametrize("whose", ["guest", "user"])
def test_deleted_user_is_merged_with_nobody_and_takes_a_merged_guest_along(guest: User, user: User, whose: str):
    other = UserFactory()
    evening_of(other)
    merge_of(other, user)
    pair = guest.pk, user.pk
    users.delete_user({"guest": guest, "user": user}[whose])
    with pytest.raises(User.DoesNotExist):
        users.merge(*pair)
    assert UserMerge.objects.exists() is User.objects.filter(pk=other.pk).exists() is (whose == "guest")
