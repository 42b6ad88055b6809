"""Two users become one and two again: nothing of either is lost, and what happened meanwhile stays as it is."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import signing
from django.db.models import BigIntegerField, JSONField, Model, UniqueConstraint
from django.utils import timezone

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.errors import ClaimNotDue, NobodyCouldOpen
from sessions_app.hand_facts import Seen
from sessions_app.models import (
    Circle,
    Evening,
    HandMark,
    Import,
    Member,
    OwnershipClaim,
    Phone,
    PhoneLink,
    Removal,
    Revision,
    Role,
    SpareKey,
    User,
    UserHandle,
    UserMerge,
)
from sessions_app.readers.people.demo import SALT
from sessions_app.readers.people.keys import handle_of
from sessions_app.readers.people.members import OBJECTION_TIME
from sessions_app.readers.people.user_merges import TIME_TO_UNDO
from sessions_app.writers import (
    circles,
    cleanup,
    demo,
    evenings,
    house_profiles,
    import_rows,
    members,
    own_book,
    phone_links,
    phones,
    players,
    reactions,
    repayments,
    spare_keys,
    user_merges,
)
from sessions_app.writers.import_kinds import KINDS
from tests import moves
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.at_once import PHONES, at_once
from tests.ledger.books import assert_verified, everything
from tests.ledger.payments import book
from tests.views.scene import EMPTY_BOOK

pytestmark = pytest.mark.django_db

#: A key that no other row has.
ODD: Final = 987_654_321
#: Columns of values that a merge leaves alone: what they hold is no user's number nor a member's.
NO_USERS: Final = {
    "Circle.cash_coins": "coins by currency",
    "Seat.result": "an amount",
    "Seat.points": "an amount",
    "FormerResult.result": "an amount",
    "Repayment.units": "an amount",
    "Passkey.sign_count": "a count",
    "EveningChange.before": "names and players' numbers",
    "EveningChange.after": "names and players' numbers",
    "EveningRollup.figures": "figures by seat",
    "Evening.sheet": "sums by seat",
    "Revision.before": "a hand's facts and entries",
    "Revision.after": "a hand's facts and entries",
    "HandInPlay.state": "a hand's facts",
    "HandInPlay.replaced": "a hand's facts",
    "Import.answers": "a review's fields",
    "Import.found": "what a file holds",
    "ImportPart.facts": "what a part holds",
    "ImportMade.key": "a circle's, player's, session's, profile's or payment's number",
    "UserMerge.record": "what a merge has moved",
}
#: Rules by which two rows of a user's stand in each other's way, and how a merge makes way.
MADE_WAY: Final = {
    "member_once_of_a_circle": "united",
    "removed_once_from_a_circle": "one is deleted",
    "one_mark_a_member": "one is deleted",
    "one_phone_of_old_sessions": "the guest's is one no longer",
    "one_open_import_a_user": "one is closed",
}


def models() -> list[type[Model]]:
    return list(apps.get_models(include_auto_created=True))


def columns_that_name(model: type[Model]) -> set[str]:
    named = {
        f"{each.__name__}.{column.name}"
        for each in models()
        for column in each._meta.local_fields
        if column.related_model is model
    }
    # What Django's own user has, and nobody here: groups and single permissions.
    return named - {"User_groups.user", "User_user_permissions.user", "LogEntry.user"}


def test_merge_knows_every_column_that_names_a_user_or_a_member():
    """A new model that names one is entered in `OF_USER`, or the merge leaves it with the guest."""
    known = {f"{model.__name__}.{name}" for model, name in user_merges.OF_USER}
    assert columns_that_name(User) == known | {"UserMerge.guest"}
    assert columns_that_name(Member) == {"OwnershipClaim.member", "OwnershipClaim.lost"}
    values = {
        f"{model.__name__}.{column.name}"
        for model in apps.get_app_config("sessions_app").get_models()
        for column in model._meta.local_fields
        if isinstance(column, JSONField | BigIntegerField) and not column.primary_key and not column.is_relation
    }
    assert values == set(NO_USERS), "say what it holds; if users, let the merge move them"


def test_merge_knows_every_rule_by_which_rows_of_two_users_cannot_be_one_user_s():
    rules = {
        rule.name
        for model, name in user_merges.OF_USER
        for rule in model._meta.constraints
        if isinstance(rule, UniqueConstraint) and name in {*rule.fields, *(each.name for each in rule.expressions)}
    }
    assert rules == set(MADE_WAY)
    assert not any(model._meta.get_field(name).unique for model, name in user_merges.OF_USER)


def test_every_setting_of_a_user_is_filled_in_or_left():
    left = {"id", "password", "last_login", "is_superuser", "username", "first_name", "last_name", "email", "is_staff"}
    left |= {"date_joined", "is_active", "is_guest", "is_missed", "wants_no_key"}
    assert {column.name for column in User._meta.local_fields} == left | set(user_merges.FILLED_IN)


# --- What a guest has ---


def rich(guest: User) -> Evening:
    """Let the guest have written whatever can be written."""
    evening = evening_of(guest)
    record(evening, guest)
    reactions.mark(evening.pk, 1, HandMark.Kind.HM, by=guest)
    circle = evening.circle_id
    anna = evening.seats.get(position=0).player_id
    players.rename(circle, anna, "Annuska", by=guest)
    house_profiles.save(circle, evening.game_key, "Friday", "", by=guest)
    members.make_link(circle, Role.KEEPER, by=guest)
    row = book(evening, guest, repayments.Wanted(anna, evening.seats.get(position=1).player_id, 5, "HUF")).row
    repayments.undo(circle, row.pk, by=guest)
    said = Announced(2, 0, Announcement(Contract.TWO, Trump.HEARTS))
    moves.announce(evening.pk, said, seen=Seen(2, 0), by=guest, token=uuid4())
    Phone.objects.create(user=guest)
    phone_links.make(guest)
    UserHandle.objects.create(user=guest, handle=b"handle").passkeys.create(
        credential_id=b"id", public_key=b"", rp_id="localhost"
    )
    spare_keys.make(guest.pk)
    import_rows.open_import(guest, stored(), file_name="book.json", circle=None)
    former = MemberFactory(user=guest)
    MemberFactory(circle=former.circle, role=Role.OWNER)
    members.leave(former)
    merged_before = UserFactory()
    Phone.objects.create(user=merged_before)
    user_merges.merge(merged_before.pk, guest.pk)
    return evening


def stored() -> import_rows.Stored:
    return KINDS["book"].stored(BytesIO(EMPTY_BOOK.encode()), lambda: True)


def member_of(circle: Circle, user: User, role: Role = Role.KEEPER, **more: Any) -> Member:
    member: Member = MemberFactory(circle=circle, user=user, role=role, **more)
    return member


@pytest.fixture
def guest() -> User:
    user: User = UserFactory()
    Phone.objects.create(user=user)
    return user


@pytest.fixture
def user(owner: User) -> User:
    """The one whose book the guest's phone opens."""
    Phone.objects.create(user=owner)
    return owner


def merge_of(guest: User, user: User) -> UserMerge:
    user_merges.merge(guest.pk, user.pk)
    return UserMerge.objects.get(guest=guest, user=user)


def rows() -> dict[str, list[dict[str, Any]]]:
    """All there is, but for the counters that each write raises, and the merges."""
    counters = {"version", "ended_version", "repayment_version"}
    found = everything()
    for model in ("Circle", "Evening"):
        found[model] = [{name: row[name] for name in row.keys() - counters} for row in found[model]]
    return found | {"UserMerge": []}


def test_merged_guest_is_named_nowhere_but_in_the_merge(user: User):
    guest = UserFactory(pk=ODD, theme="dark")
    member = evening_of(user)
    shared = Member.objects.create(pk=ODD, circle=member.circle, user=guest, role=Role.KEEPER)
    members.claim(shared)
    evening = rich(guest)
    named = {each for each in columns_that_name(User) if ODD in values_of(each)}
    assert named == columns_that_name(User) - {"UserMerge.guest"}, "the test has a row of each"
    user_merges.merge(guest.pk, user.pk)
    after = everything()
    after["User"] = [row for row in after["User"] if row["id"] != ODD]
    after["UserMerge"] = [{**row, "guest_id": None, "record": None} for row in after["UserMerge"]]
    assert str(ODD) not in str(after)
    assert evening.circle.members.get().user == user
    user.refresh_from_db()
    assert (user.theme, user.is_guest) == ("dark", False)
    assert_verified()


def values_of(name: str) -> set[Any]:
    model, column = name.split(".")
    return set(apps.get_model("sessions_app", model)._base_manager.values_list(column, flat=True))


def test_merge_that_is_undone_at_once_gives_back_every_row(guest: User, user: User):
    shared = evening_of(user)
    record(shared, user)
    player = shared.seats.get(position=0).player
    member_of(shared.circle, guest, player=player)
    reactions.mark(shared.pk, 1, HandMark.Kind.OK, by=user)
    reactions.mark(shared.pk, 1, HandMark.Kind.HM, by=guest)
    for gone in (guest, user):
        left = MemberFactory(circle__name="left", user=gone)
        Removal.objects.create(circle=left.circle, user=user if gone == guest else guest)
    both_gone = Circle.objects.create()
    for gone in (guest, user):
        Removal.objects.create(circle=both_gone, user=gone, by_choice=gone == user)
        Phone.objects.create(user=gone, is_of_old_session=True)
    rich(guest)
    User.objects.filter(pk=guest.pk).update(language="hu", theme="dark")
    spare_keys.make(user.pk)
    before = rows()
    merge = merge_of(guest, user)
    assert Member.objects.filter(circle=shared.circle_id).count() == 1
    assert HandMark.objects.get(hand__evening=shared).kind == HandMark.Kind.HM, "the latest word"
    assert not Removal.objects.filter(user=user, circle__members__user=user).exists()
    assert not Removal.objects.get(circle=both_gone).by_choice
    user_merges.undo(user.pk, merge.pk)
    after = rows()
    for k, v in after.items():
        assert v == before[k]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("own", Role)
def test_of_two_memberships_of_a_circle_the_stronger_role_stays(guest: User, user: User, role: Role, own: Role):
    circle = MemberFactory(role=Role.OWNER).circle
    player = circle.players.create(name="Anna")
    member_of(circle, guest, role, player=player)
    mine = member_of(circle, user, own)
    merge = merge_of(guest, user)
    mine.refresh_from_db()
    assert circle.members.count() == 2
    assert mine.role == (role if role.covers(own) else own)
    assert mine.player == player
    user_merges.undo(user.pk, merge.pk)
    mine.refresh_from_db()
    assert (mine.role, mine.player, circle.members.get(user=guest).role) == (own, None, role)


def test_claim_of_a_guest_goes_on_unless_the_other_is_owner(guest: User, user: User):
    for own, is_open in ((Role.KEEPER, True), (Role.OWNER, False)):
        circle = MemberFactory(role=Role.OWNER).circle
        members.claim(member_of(circle, guest))
        mine = member_of(circle, user, own)
        user_merges.merge(guest.pk, user.pk)
        claim = OwnershipClaim.objects.get(circle=circle)
        assert (claim.member_id, claim.closed_at is None) == (mine.pk, is_open)
        user_merges.undo(user.pk, UserMerge.objects.get().pk)
    assert_verified()


def test_claim_to_the_place_of_a_guest_is_one_to_that_of_the_user_and_one_between_the_two_ends(guest: User, user: User):
    circle, shared = (MemberFactory(role=Role.OWNER).circle for _circle in range(2))
    lost, mine = member_of(circle, guest), member_of(circle, user)
    members.claim(member_of(circle, UserFactory()), lost.pk)
    members.claim(member_of(shared, user), member_of(shared, guest).pk)
    before = rows()
    merge = merge_of(guest, user)
    assert OwnershipClaim.objects.get().lost == mine
    user.refresh_from_db()
    assert user.is_missed, "the next request of the phone closes it"
    user_merges.undo(user.pk, merge.pk)
    assert [row for row in before["OwnershipClaim"] if row["circle_id"] == circle.pk] == rows()["OwnershipClaim"]
    assert_verified()


def test_claim_to_ownership_ends_when_undoing_makes_its_member_a_viewer_again(guest: User, user: User):
    circle = MemberFactory(role=Role.OWNER).circle
    member_of(circle, guest)
    mine = member_of(circle, user, Role.VIEWER)
    merge = merge_of(guest, user)
    mine.refresh_from_db()
    members.claim(mine)
    user_merges.undo(user.pk, merge.pk)
    OwnershipClaim.objects.update(made_at=timezone.now() - OBJECTION_TIME)
    with pytest.raises(ClaimNotDue):
        members.take_over(mine)
    assert_verified()


@pytest.mark.parametrize("whose", ["guest", "user"])
def test_user_is_missed_after_undoing_whose_place_was_asked_for_meanwhile(guest: User, user: User, whose: str):
    asks = MemberFactory()
    MemberFactory(circle=asks.circle, role=Role.OWNER)
    lost = member_of(asks.circle, {"guest": guest, "user": user}[whose])
    User.objects.filter(pk=guest.pk).update(is_missed=whose == "user")
    merge = merge_of(guest, user)
    members.is_back(user)
    members.claim(asks, lost.pk)
    user_merges.undo(user.pk, merge.pk)
    assert list(User.objects.filter(is_missed=True)) == [{"guest": guest, "user": user}[whose]]


def test_settings_that_the_user_has_chosen_stay(guest: User, user: User):
    User.objects.filter(pk=guest.pk).update(theme="dark", text_size="large")
    User.objects.filter(pk=user.pk).update(theme="light")
    merge_of(guest, user)
    user.refresh_from_db()
    assert (user.theme, user.text_size) == ("light", "large")


@pytest.mark.parametrize(("is_taking", "kept"), [(False, "own"), (True, "theirs")])
def test_of_two_open_imports_one_is_closed(guest: User, user: User, is_taking: bool, kept: str):
    found = {
        name: import_rows.open_import(each, stored(), file_name="", circle=None)
        for name, each in (("theirs", guest), ("own", user))
    }
    if is_taking:
        import_rows.begin_to_take(found["theirs"])
    merge_of(guest, user)
    assert import_rows.waiting(user) == found[kept]
    assert Import.objects.filter(user=user).count() == 2


def test_passkey_made_while_a_merge_can_be_undone_is_the_user_s_own(guest: User, user: User):
    UserHandle.objects.create(user=guest, handle=b"theirs")
    merge_of(guest, user)
    assert handle_of(user) is None
    UserHandle.objects.create(user=user, handle=b"own")
    assert handle_of(user) == b"own"
    UserMerge.objects.update(at=timezone.now() - TIME_TO_UNDO)
    assert handle_of(user) == b"theirs"


# --- Twice, and at once ---


def test_merging_twice_or_back_changes_nothing(guest: User, user: User):
    evening_of(guest)
    merge_of(guest, user)
    before = everything()
    for pair in ((guest, user), (user, guest), (user, user)):
        user_merges.merge(*(each.pk for each in pair))
    assert everything() == before


def test_guest_is_merged_into_whom_the_user_was_merged_into_and_each_merge_is_undone(guest: User, user: User):
    third = UserFactory()
    Phone.objects.create(user=third)
    evening, own = evening_of(guest), evening_of(user)
    before = rows()
    second = merge_of(user, third)
    user_merges.merge(guest.pk, user.pk)
    first = UserMerge.objects.get(guest=guest)
    assert first.user == third
    assert {evening.circle.members.get().user, own.circle.members.get().user} == {third}
    for merge in (first, second):
        user_merges.undo(third.pk, merge.pk)
    after = rows()
    for k, v in after.items():
        assert v == before[k]


@pytest.mark.parametrize("is_chain", [False, True])
def test_merges_are_undone_the_latest_first(guest: User, user: User, is_chain: bool):
    """Of three memberships of a circle, the second takes the place of the first, and the third that of the second."""
    circle, third = MemberFactory(role=Role.OWNER).circle, UserFactory()
    Phone.objects.create(user=third)
    for each, role in ((guest, Role.OWNER), (user, Role.VIEWER), (third, Role.KEEPER)):
        member_of(circle, each, role)
    before = rows()
    merge_of(guest, user if is_chain else third)
    merge_of(user, third)
    first, second = UserMerge.objects.order_by("pk")
    user_merges.undo(third.pk, first.pk)
    assert circle.members.count() == 2, "not before the later one"
    for merge in (second, first):
        user_merges.undo(UserMerge.objects.get(pk=merge.pk).user_id, merge.pk)
    assert rows() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_crossed", [False, True])
def test_merges_at_once_make_one_user(guest: User, user: User, is_crossed: bool):
    """Both phones tap, or each takes the other one's along."""
    evening_of(guest)
    pairs = [(guest, user), (user, guest) if is_crossed else (guest, user)] * (PHONES // 2)
    at_once([partial(user_merges.merge, one.pk, other.pk) for one, other in pairs])
    merge = UserMerge.objects.get()
    assert Member.objects.get().user == merge.user
    assert set(User.objects.filter(is_active=True)) == {merge.user}
    at_once([partial(user_merges.undo, merge.user_id, merge.pk)] * PHONES)
    assert Member.objects.get().user == guest
    assert User.objects.filter(is_active=True).count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_a_request_begun_as_the_guest_makes_meanwhile_is_the_user_s(guest: User, user: User):
    theirs = MemberFactory(role=Role.OWNER).circle
    link = members.make_link(theirs.pk, Role.KEEPER, by=None)
    stale = User.objects.get(pk=guest.pk)
    merge_of(guest, user)
    members.join(link, None, by=stale)
    phones.add(stale, "")
    phone_links.make(stale)
    circle = evenings.new_circle(stale)
    offered = Circle.objects.create(is_demo=True)
    demo.join(signing.dumps(offered.pk, salt=SALT), stale)
    made = {
        offered.members.get().user == user,
        theirs.members.filter(user=user).exists(),
        circle.members.get().user == user,
        Phone.objects.filter(user=user).count() == 3,
        PhoneLink.objects.get().user == user,
    }
    assert made == {True}


# --- Undoing after something has happened ---


def leaves(member: Member) -> None:
    members.leave(member)


def is_removed(member: Member) -> None:
    members.remove(member.circle_id, member.pk)


def joins_anew(member: Member) -> None:
    members.leave(member)
    link = members.make_link(member.circle_id, Role.KEEPER, by=None)
    members.join(link, None, by=member.user)


def is_deleted(member: Member) -> None:
    cleanup.delete_circle(member.circle_id)


@pytest.mark.parametrize("happens", [leaves, is_removed, joins_anew, is_deleted])
@pytest.mark.parametrize("is_shared", [False, True])
def test_circle_that_was_left_since_does_not_come_back(
    guest: User, user: User, happens: Callable[[Member], None], is_shared: bool
):
    circle = MemberFactory(role=Role.OWNER).circle
    member_of(circle, guest)
    if is_shared:
        member_of(circle, user)
    merge = merge_of(guest, user)
    happens(circle.members.get(user=user))
    user_merges.undo(user.pk, merge.pk)
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
    user_merges.undo(user.pk, merge.pk)
    assert [circle.members.get(user=each).role for each in (guest, user)] == [theirs, own]


def test_what_a_request_of_before_has_written_for_the_guest_meanwhile_is_its_latest_word(guest: User, user: User):
    evening = evening_of(guest)
    record(evening, guest)
    reactions.mark(evening.pk, 1, HandMark.Kind.OK, by=guest)
    before = import_rows.open_import(guest, stored(), file_name="", circle=None)
    merge = merge_of(guest, user)
    reactions.mark(evening.pk, 1, HandMark.Kind.HM, by=guest)
    Import.objects.create(user=guest, kind=Import.Kind.BOOK)
    user_merges.undo(user.pk, merge.pk)
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
    user_merges.undo(user.pk, merge.pk)
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
    user_merges.undo(user.pk, merge.pk)
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
        spare_keys.make(loser.pk)
    evening_of(guest)
    merge = merge_of(guest, user)
    phones.end(user, phone.pk)
    before = everything()
    if has_key:
        user_merges.undo(user.pk, merge.pk)
        assert SpareKey.objects.get().user == loser
        return
    with pytest.raises(NobodyCouldOpen):
        user_merges.undo(user.pk, merge.pk)
    assert everything() == before


def test_undone_merge_is_undone_once_and_by_its_user_alone(guest: User, user: User):
    evening = evening_of(guest)
    merge = merge_of(guest, user)
    user_merges.undo(UserFactory().pk, merge.pk)
    assert evening.circle.members.get().user == user
    for _twice in range(2):
        user_merges.undo(user.pk, merge.pk)
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
    user_merges.undo(user.pk, merge.pk)
    assert evening.circle.members.get().user == user
    cleanup.sweep()
    assert not UserMerge.objects.exists()
    assert list(User.objects.all()) == [user]
    assert hand.revisions.get().made_by == user


def test_circle_that_came_along_is_deleted_whole_and_undoing_gives_back_the_rest(guest: User, user: User):
    theirs, other = rich(guest), evening_of(guest, ("Dóra", "Edit", "Feri"))
    record(evening_of(user), user)
    merge = merge_of(guest, user)
    circles.delete(theirs.circle_id)
    Circle.objects.filter(pk=theirs.circle_id).update(deleted_from=timezone.now())
    cleanup.delete_due()
    user_merges.undo(user.pk, merge.pk)
    assert list(guest.memberships.values_list("circle", flat=True)) == [other.circle_id]
    assert user.memberships.count() == 1
    assert not Evening.objects.filter(pk=theirs.pk).exists()
    assert_verified()


@pytest.mark.parametrize("whose", ["guest", "user"])
def test_user_who_was_deleted_meanwhile_is_merged_with_nobody(guest: User, user: User, whose: str):
    pair = guest.pk, user.pk
    own_book.delete({"guest": guest, "user": user}[whose])
    with pytest.raises(User.DoesNotExist):
        user_merges.merge(*pair)


def test_user_who_is_deleted_takes_the_merged_guest_along(guest: User, user: User):
    evening_of(guest)
    merge_of(guest, user)
    own_book.delete(user)
    assert not User.objects.exists()
    assert not UserMerge.objects.exists()
