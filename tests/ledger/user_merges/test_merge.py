"""Two users become one: nothing of either is lost, and nothing names the guest any more."""

from functools import partial
from itertools import permutations
from typing import Any, Final

import pytest
from django.apps import apps
from django.core import signing
from django.db.models import BigIntegerField, JSONField, Model, UniqueConstraint
from django.utils import timezone

from sessions_app.errors import ClaimNotDue
from sessions_app.models import (
    Circle,
    HandMark,
    Import,
    Member,
    OwnershipClaim,
    Phone,
    PhoneLink,
    Removal,
    Role,
    User,
    UserHandle,
    UserMerge,
)
from sessions_app.readers.people.members import OBJECTION_TIME
from sessions_app.readers.people.new_circles import DEMO_SALT
from sessions_app.readers.people.users import TIME_TO_UNDO, handle_of
from sessions_app.writers import (
    demo,
    evenings,
    import_rows,
    members,
    phones,
    users,
)
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.full_circle import stored
from tests.ledger.books import PHONES, assert_verified, at_once, everything
from tests.ledger.user_merges.conftest import member_of, merge_of, rich, rows

pytestmark = pytest.mark.django_db

#: A key that no other row has.
ODD: Final = 987_654_321
#: Columns of values that a merge leaves alone: amounts, counts, names, facts, and numbers of neither users nor members.
NO_USERS: Final = {
    *("Circle.cash_coins", "Seat.result", "Seat.points", "FormerResult.result", "Repayment.units", "Evening.sheet"),
    *("Passkey.sign_count", "EveningChange.before", "EveningChange.after", "EveningRollup.figures"),
    *("Revision.before", "Revision.after", "HandInPlay.state", "HandInPlay.replaced"),
    *("Import.answers", "Import.found", "ImportPart.facts", "ImportMade.key", "UserMerge.record"),
}
#: Rules by which two rows of a user's stand in each other's way: a merge unites, deletes or closes one.
MADE_WAY: Final = {
    *("member_once_of_a_circle", "removed_once_from_a_circle", "one_mark_a_member", "one_phone_of_old_sessions"),
    "one_open_import_a_user",
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
    # Columns of Django's own tables, of which nobody here has a row.
    return named - {"User_groups.user", "User_user_permissions.user", "LogEntry.user"}


def test_merge_knows_every_column_that_names_a_user_or_a_member():
    """A new model that names one is entered in `OF_USER`, or the merge leaves it with the guest."""
    known = {f"{model.__name__}.{name}" for model, name in users.OF_USER}
    assert columns_that_name(User) == known | {"UserMerge.guest"}
    assert columns_that_name(Member) == {"OwnershipClaim.member", "OwnershipClaim.lost"}
    values = {
        f"{model.__name__}.{column.name}"
        for model in apps.get_app_config("sessions_app").get_models()
        for column in model._meta.local_fields
        if isinstance(column, JSONField | BigIntegerField) and not column.primary_key and not column.is_relation
    }
    assert values == NO_USERS, "say what it holds; if users, let the merge move them"


def test_merge_knows_every_rule_by_which_rows_of_two_users_cannot_be_one_user_s():
    rules = {
        rule.name
        for model, name in users.OF_USER
        for rule in model._meta.constraints
        if isinstance(rule, UniqueConstraint) and name in {*rule.fields, *(each.name for each in rule.expressions)}
    }
    assert rules == MADE_WAY
    assert not any(model._meta.get_field(name).unique for model, name in users.OF_USER)


def test_every_setting_of_a_user_is_filled_in_or_left_and_one_that_the_user_has_chosen_stays(guest: User, user: User):
    left = {"id", "password", "last_login", "is_superuser", "username", "first_name", "last_name", "email", "is_staff"}
    left |= {"date_joined", "is_active", "is_guest", "is_missed", "wants_no_key"}
    assert {column.name for column in User._meta.local_fields} == left | set(users.FILLED_IN)
    User.objects.filter(pk=guest.pk).update(theme="dark", text_size="large")
    User.objects.filter(pk=user.pk).update(theme="light")
    merge_of(guest, user)
    user.refresh_from_db()
    assert (user.theme, user.text_size) == ("light", "large")


def test_merged_guest_is_named_nowhere_but_in_the_merge(user: User):
    guest = UserFactory(pk=ODD, theme="dark")
    member = evening_of(user)
    shared = Member.objects.create(pk=ODD, circle=member.circle, user=guest, role=Role.KEEPER)
    members.claim(shared)
    evening = rich(guest)
    named = {each for each in columns_that_name(User) if ODD in values_of(each)}
    assert named == columns_that_name(User) - {"UserMerge.guest"}, "the test has a row of each"
    users.merge(guest.pk, user.pk)
    after = everything()
    after["User"] = [row for row in after["User"] if row["id"] != ODD]
    after["UserMerge"] = [{**row, "guest_id": None, "record": None} for row in after["UserMerge"]]
    assert str(ODD) not in str(after)
    assert evening.circle.members.get(role=Role.OWNER).user == user
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
    evenings.mark_hand(shared.pk, 1, HandMark.Kind.OK, by=user)
    evenings.mark_hand(shared.pk, 1, HandMark.Kind.HM, by=guest)
    for gone in (guest, user):
        left = MemberFactory(circle__name="left", user=gone)
        Removal.objects.create(circle=left.circle, user=user if gone == guest else guest)
    both_gone = Circle.objects.create()
    for gone in (guest, user):
        Removal.objects.create(circle=both_gone, user=gone, by_choice=gone == user)
        Phone.objects.create(user=gone, is_of_old_session=True)
    rich(guest)
    User.objects.filter(pk=guest.pk).update(language="hu", theme="dark")
    phones.make_spare_key(user.pk)
    before = rows()
    merge = merge_of(guest, user)
    assert Member.objects.filter(circle=shared.circle_id).count() == 1
    assert HandMark.objects.get(hand__evening=shared).kind == HandMark.Kind.HM, "the latest word"
    assert not Removal.objects.filter(user=user, circle__members__user=user).exists()
    assert not Removal.objects.get(circle=both_gone).by_choice
    users.undo_merge(user.pk, merge.pk)
    assert rows() == before


@pytest.mark.parametrize(("role", "own"), [*permutations(Role, 2), (Role.KEEPER, Role.KEEPER)])
def test_stronger_role_of_two_memberships_of_a_circle_stays(guest: User, user: User, role: Role, own: Role):
    circle = MemberFactory(role=Role.OWNER).circle
    player = circle.players.create(name="Anna")
    member_of(circle, guest, role, player=player)
    mine = member_of(circle, user, own)
    merge = merge_of(guest, user)
    mine.refresh_from_db()
    assert circle.members.count() == 2
    assert mine.role == (role if role.covers(own) else own)
    assert mine.player == player
    users.undo_merge(user.pk, merge.pk)
    mine.refresh_from_db()
    assert (mine.role, mine.player, circle.members.get(user=guest).role) == (own, None, role)


def test_claim_of_a_guest_goes_on_unless_the_other_is_owner(guest: User, user: User):
    for own, is_open in ((Role.KEEPER, True), (Role.OWNER, False)):
        circle = MemberFactory(role=Role.OWNER).circle
        members.claim(member_of(circle, guest))
        mine = member_of(circle, user, own)
        users.merge(guest.pk, user.pk)
        claim = OwnershipClaim.objects.get(circle=circle)
        assert (claim.member_id, claim.closed_at is None) == (mine.pk, is_open)
        users.undo_merge(user.pk, UserMerge.objects.get().pk)
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
    users.undo_merge(user.pk, merge.pk)
    assert [row for row in before["OwnershipClaim"] if row["circle_id"] == circle.pk] == rows()["OwnershipClaim"]
    assert_verified()


def test_claim_to_ownership_ends_when_undoing_makes_its_member_a_viewer_again(guest: User, user: User):
    circle = MemberFactory(role=Role.OWNER).circle
    member_of(circle, guest)
    mine = member_of(circle, user, Role.VIEWER)
    merge = merge_of(guest, user)
    mine.refresh_from_db()
    members.claim(mine)
    users.undo_merge(user.pk, merge.pk)
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
    users.undo_merge(user.pk, merge.pk)
    assert list(User.objects.filter(is_missed=True)) == [{"guest": guest, "user": user}[whose]]


@pytest.mark.parametrize(("is_taking", "kept"), [(False, "own"), (True, "theirs")])
def test_merging_two_users_with_open_imports_keeps_the_one_being_taken_else_the_users_own(
    guest: User, user: User, is_taking: bool, kept: str
):
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


def test_merging_twice_or_back_changes_nothing(guest: User, user: User):
    evening_of(guest)
    merge_of(guest, user)
    before = everything()
    for pair in ((guest, user), (user, guest), (user, user)):
        users.merge(*(each.pk for each in pair))
    assert everything() == before


@pytest.mark.parametrize("is_chain", [False, True])
def test_merges_are_undone_the_latest_first(guest: User, user: User, is_chain: bool):
    """The second membership of a circle takes the place of the first, and the third that of the second."""
    circle, third = MemberFactory(role=Role.OWNER).circle, UserFactory()
    Phone.objects.create(user=third)
    for each, role in ((guest, Role.OWNER), (user, Role.VIEWER), (third, Role.KEEPER)):
        member_of(circle, each, role)
    before = rows()
    merge_of(guest, user if is_chain else third)
    merge_of(user, third)
    first, second = UserMerge.objects.order_by("pk")
    users.undo_merge(third.pk, first.pk)
    assert circle.members.count() == 2, "not before the later one"
    for merge in (second, first):
        users.undo_merge(UserMerge.objects.get(pk=merge.pk).user_id, merge.pk)
    assert rows() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_crossed", [False, True])
def test_merges_at_once_make_one_user(guest: User, user: User, is_crossed: bool):
    """Both phones tap, or each takes the other one's along."""
    evening_of(guest)
    pairs = [(guest, user), (user, guest) if is_crossed else (guest, user)] * (PHONES // 2)
    at_once([partial(users.merge, one.pk, other.pk) for one, other in pairs])
    merge = UserMerge.objects.get()
    assert Member.objects.get().user == merge.user
    assert set(User.objects.filter(is_active=True)) == {merge.user}
    at_once([partial(users.undo_merge, merge.user_id, merge.pk)] * PHONES)
    assert Member.objects.get().user == guest
    assert User.objects.filter(is_active=True).count() == 2


@pytest.mark.django_db(transaction=True)
def test_request_begun_as_the_guest_writes_for_the_user_after_the_merge(guest: User, user: User):
    theirs = MemberFactory(role=Role.OWNER).circle
    link = members.make_link(theirs.pk, Role.KEEPER, by=None)
    stale = User.objects.get(pk=guest.pk)
    merge_of(guest, user)
    members.join(link, None, by=stale)
    phones.add(stale, "")
    phones.make_link(stale)
    circle = evenings.new_circle(stale)
    offered = Circle.objects.create(is_demo=True)
    demo.join(signing.dumps(offered.pk, salt=DEMO_SALT), stale)
    made = {
        offered.members.get().user == user,
        theirs.members.filter(user=user).exists(),
        circle.members.get().user == user,
        Phone.objects.filter(user=user).count() == 3,
        PhoneLink.objects.get().user == user,
    }
    assert made == {True}
