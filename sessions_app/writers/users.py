"""The writer that makes two users one, and that deletes a user.

A guest is merged into the user whose book its phone has opened: all rows that name the guest name the user afterwards,
its phones too: their cookies go on. The merge can be undone for a day. Then exactly those rows go back that still name
the user: what was joined, left, deleted or entered meanwhile stays as it is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import batched
from typing import Any, Final

from django.apps import apps
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from sessions_app.errors import LastOwner, NobodyCouldOpen
from sessions_app.models import (
    SETTINGS,
    Circle,
    Evening,
    EveningChange,
    HandInPlay,
    HandMark,
    HouseProfile,
    Import,
    Invite,
    Member,
    OwnershipClaim,
    Phone,
    PhoneLink,
    Player,
    Removal,
    Repayment,
    Revision,
    Role,
    SpareKey,
    User,
    UserHandle,
    UserMerge,
)
from sessions_app.readers.people.users import has_key, over, undoable
from sessions_app.transactions import held, hold_circle, hold_user, raise_versions, writing
from sessions_app.writers import import_rows, members
from sessions_app.writers.phones import note_keys

#: The columns that name a user.
OF_USER: Final[Sequence[tuple[type[Model], str]]] = (
    (Member, "user"),
    (Removal, "user"),
    (HandMark, "user"),
    (Phone, "user"),
    (PhoneLink, "user"),
    (UserHandle, "user"),
    (SpareKey, "user"),
    (Import, "user"),
    (Invite, "made_by"),
    (HouseProfile, "made_by"),
    (EveningChange, "made_by"),
    (Revision, "made_by"),
    (HandInPlay, "changed_by"),
    (Repayment, "made_by"),
    (Repayment, "undone_by"),
    (UserMerge, "user"),
)
#: Models of which a user has one row in each place, and the column of the place. Memberships are united by `_unite`.
ONCE_IN: Final[dict[type[Model], str]] = {Removal: "circle", HandMark: "hand"}
#: Settings of the guest that become the user's where he has none.
FILLED_IN: Final = ("language", *SETTINGS, "code_key")
#: Keys in one statement.
BATCH: Final = 500

type Values = dict[str, Any]


@dataclass
class Record:
    """The changes that a merge has made, for undoing it.

    `moved` are the keys of rows that named the guest, by column; `changed` are (model, key, the columns' values before,
    and after); `deleted` are models and values of rows. `united` are members whose place another one has taken: that
    one's key and role by then, and their values.
    """

    moved: dict[str, list[int]] = field(default_factory=dict)
    changed: list[tuple[str, int, Values, Values]] = field(default_factory=list)
    deleted: list[tuple[str, Values]] = field(default_factory=list)
    united: list[tuple[int, str, Values]] = field(default_factory=list)

    def move(self, model: type[Model], name: str, guest: User, user: User) -> None:
        rows = _model(model.__name__).objects.filter(**{name: guest})
        self.moved[f"{model.__name__}.{name}"] = list(rows.order_by("pk").values_list("pk", flat=True))
        rows.update(**{name: user})

    def change(self, row: Model, **values: Any) -> None:
        self.changed.append((type(row).__name__, row.pk, {name: getattr(row, name) for name in values}, values))
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))

    def delete(self, row: Model) -> None:
        self.deleted.append((type(row).__name__, _values(row)))
        row.delete()


def _values(row: Model) -> Values:
    """Return a row's values as JSON can hold them, times to the microsecond."""
    values = {column.attname: getattr(row, column.attname) for column in row._meta.concrete_fields}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _model(name: str) -> Any:
    return apps.get_model("sessions_app", name)


@writing
def merge(guest_id: int, user_id: int) -> None:
    """Merge a guest into a user. Merging twice, or the other way round as well, changes nothing.

    Raise User.DoesNotExist if one of the two was deleted meanwhile.
    """
    guest, user = _hold_both(guest_id, user_id)
    if guest.pk != user.pk and guest.is_active and user.is_active:
        record = _merged(guest, user)
        UserMerge.objects.create(guest=guest, user=user, record=asdict(record))


def _hold_both(guest_id: int, user_id: int) -> tuple[User, User]:
    """Lock both users, in the order of all writers; the second one is whom he was merged into meanwhile."""
    list(held(User.objects.filter(pk__in=(guest_id, user_id))))
    return User.objects.get(pk=guest_id), hold_user(user_id)


def _merged(guest: User, user: User) -> Record:
    """Let all that names the guest name the user, both of whom are locked; return what was done."""
    record = Record()
    marks = HandMark.objects.filter(user=guest)
    circles = Member.objects.filter(user=guest).values_list("circle", flat=True)
    evenings = _held_evenings(circles, _of_marks(marks) | Q(hand_in_play__changed_by=guest))
    for member in Member.objects.filter(user=guest, circle__members__user=user).order_by("pk"):
        _unite(member, Member.objects.get(circle=member.circle_id, user=user), record)
    # A member of a circle is not removed from it.
    for removal in Removal.objects.filter(user__in=(guest, user), circle__members__user__in=(guest, user)).distinct():
        record.delete(removal)
    for removal in Removal.objects.filter(user=guest, circle__removals__user=user):
        own_removal = Removal.objects.get(circle=removal.circle_id, user=user)
        # After a removal that was not by choice, old links admit nobody.
        record.delete(min(removal, own_removal, key=lambda each: (not each.by_choice, each.at)))
    for mark in marks.filter(hand__marks__user=user):
        own_mark = HandMark.objects.get(hand=mark.hand_id, user=user)
        record.delete(min(mark, own_mark, key=lambda each: each.made_at))
    _keep_one_import(guest, user)
    # The user may have a row of his own old cookies. Those of the guest admit nobody any more.
    for phone in guest.phones.filter(is_of_old_session=True):
        record.change(phone, is_of_old_session=False)
    for model, name in OF_USER:
        record.move(model, name, guest, user)
    for name in FILLED_IN:
        if getattr(guest, name) and not getattr(user, name):
            record.change(user, **{name: getattr(guest, name)})
    record.change(guest, is_active=False)
    for each in (guest, user):
        note_keys(each)
        _settle_claims(each)
    raise_versions(evenings)
    return record


def _of_marks(marks: QuerySet[HandMark]) -> Q:
    return Q(pk__in=marks.values("hand__evening"))


def _held_evenings(circles: Iterable[int], others: Q) -> QuerySet[Evening]:
    """Lock circles, and their running evenings and `others` with their circles; return the evenings."""
    circles = set(circles)
    found = dict(Evening.objects.filter(Q(circle__in=circles, ended_at=None) | others).values_list("pk", "circle"))
    list(held(Circle.objects.filter(pk__in=circles | set(found.values()))))
    list(held(Evening.objects.filter(pk__in=found)))
    return Evening.objects.filter(pk__in=list(found))


def _unite(member: Member, own: Member, record: Record) -> None:
    """Let the user's own membership of a circle take the place of the guest's: the stronger role, and one player.

    A claim of one of the two to the place of the other one goes with it.
    """
    if not own.may(Role(member.role)):
        record.change(own, role=member.role)
    if own.player_id is None and member.player_id is not None:
        record.change(own, player_id=member.player_id, held_as_id=member.held_as_id, to_be_asked=False)
    for claim in OwnershipClaim.objects.filter(member=member).exclude(lost=own):
        record.change(claim, member_id=own.pk)
    for claim in OwnershipClaim.objects.filter(lost=member).exclude(member=own):
        record.change(claim, lost_id=own.pk)
    if own.role == Role.OWNER:
        claims = OwnershipClaim.objects.filter(Q(member=own) | Q(lost=own), closed_at=None)
        claims.update(closed_at=timezone.now())
    record.united.append((own.pk, own.role, _values(member)))
    member.delete()


def _settle_claims(user: User) -> None:
    """Close the user's claims to ownership where he is no keeper, and note whether another says that he is lost."""
    claims = OwnershipClaim.objects.filter(closed_at=None)
    strange = claims.filter(member__user=user, lost=None).exclude(member__role=Role.KEEPER)
    strange.update(closed_at=timezone.now())
    User.objects.filter(pk=user.pk).update(is_missed=claims.filter(lost__user=user).exists())


def _keep_one_import(guest: User, user: User) -> None:
    """Close one of two open imports: the one that waits, else the guest's. What it has taken in stays."""
    theirs, own = import_rows.waiting(guest), import_rows.waiting(user)
    if theirs and own:
        is_kept = theirs.state == Import.State.TAKING and own.state == Import.State.OPEN
        import_rows.close_early(own if is_kept else theirs)


# --- Undoing ---


@writing
def undo_merge(user_id: int, merge_id: int) -> None:
    """Undo the latest merge into this user. Another one, undone or too old, changes nothing. Raise NobodyCouldOpen."""
    known = UserMerge.objects.filter(pk=merge_id, user=user_id).first()
    if known is None:
        return
    guest, user = _hold_both(known.guest_id, user_id)
    merge = undoable(user).first()  # read under the locks
    if merge is None or merge.pk != merge_id:
        return
    record = Record(**merge.record)
    evenings = _held_evenings(*_places(record, user))
    for own, role, values in record.united:
        _part(Member.objects.filter(pk=own, user=user).first(), Role(role), Member(**values))
    for name, keys in record.moved.items():
        _move_back(name, keys, guest, user)
    for name, values in record.deleted:
        _restore(_model(name), values)
    for name, key, before, after in record.changed:
        _model(name).objects.filter(pk=key, **after).update(**before)
    merge.delete()
    for each in (guest, user):
        note_keys(each)
        _settle_claims(each)
        if not (each.phones.filter(ended_at=None).exists() or has_key(each)):
            raise NobodyCouldOpen
    raise_versions(evenings)


def _move_back(name: str, keys: Sequence[int], guest: User, user: User) -> None:
    """Let those of these rows name the guest again that still name the user.

    A request that had begun before the merge may have written for the guest meanwhile. That is its latest word: a row
    in whose way it stands is deleted.
    """
    model, column = name.split(".")
    place = ONCE_IN.get(_model(model))
    for batch in batched(keys, BATCH):
        rows = _model(model).objects.filter(pk__in=batch, **{column: user})
        if place:
            taken = _model(model).objects.filter(user=guest).values(place)
            rows.filter(**{f"{place}__in": taken}).delete()
        if model == Import.__name__ and import_rows.waiting(user) and (open_one := import_rows.waiting(guest)):
            import_rows.close_early(open_one)
        rows.update(**{column: guest})


def _places(record: Record, user: User) -> tuple[set[int], Q]:
    """Return the circles in which undoing may change something, and the condition of evenings of its marks."""
    circles = set(Member.objects.filter(user=user).values_list("circle", flat=True))
    circles |= {values["circle_id"] for name, values in record.deleted if name == Removal.__name__}
    hands = [values["hand_id"] for name, values in record.deleted if name == HandMark.__name__]
    marks = HandMark.objects.filter(Q(pk__in=record.moved["HandMark.user"]) | Q(hand__in=hands))
    return circles, _of_marks(marks)


def _part(own: Member | None, became: Role, member: Member) -> None:
    """Insert a member again whose place `own` took, unless that one has left since.

    If that one's role was lowered since, the other comes back with no higher one.
    """
    if own is None:
        return
    if own.role != became and Role(member.role).covers(Role(own.role)):
        member.role = own.role
    _insert(member)


def _restore(model: type[Model], values: Values) -> None:
    """Insert a deleted row again, if its place is there and free. Nobody is removed from a circle that he is in."""
    row, place = model(**values), ONCE_IN[model]
    here = {f"{place}_id": values[f"{place}_id"], "user": values["user_id"]}
    is_there = _model(place).objects.filter(pk=values[f"{place}_id"]).exists()
    is_member = isinstance(row, Removal) and Member.objects.filter(**here).exists()
    if is_there and not is_member and not _model(model.__name__).objects.filter(**here).exists():
        _insert(row)


def _insert(row: Model) -> None:
    """Insert a row. The player of a phone is whom its name belongs to by now."""
    if isinstance(row, Member | Removal):
        chosen = Player.objects.filter(pk=row.held_as_id or row.player_id or 0).first()
        row.player, row.held_as = members.holder_of(row.circle, chosen.pk if chosen else None)
    row.save(force_insert=True)


# --- Merges that can no longer be undone ---


@writing
def forget_merge(merge_id: int) -> int:
    """Delete a merge that can no longer be undone, and its guest; return how many were.

    Rows that a request has written for the guest while it was merged are moved as well.
    """
    known = UserMerge.objects.filter(pk=merge_id).first()
    if known is None:
        return 0
    # Locked with their keys: no new row can name the guest.
    both = User.objects.select_for_update().filter(pk__in=(known.guest_id, known.user_id)).order_by("pk")
    found = {user.pk: user for user in both}
    merge = over().filter(pk=merge_id, user__in=found).first()
    if merge is None:
        return 0
    _merged(found[merge.guest_id], found[merge.user_id])
    found[merge.guest_id].delete()
    return 1


# --- Deletion ---


@writing
def delete_user(user: User) -> None:
    """Delete a user; a circle of his alone is hidden from now on. A second call changes nothing.

    Raise LastOwner if another circle would be left without an owner.
    """
    # Locked with its key, since it is to be deleted.
    if not User.objects.select_for_update().filter(pk=user.pk).exists():
        return
    for circle_id in user.memberships.order_by("circle").values_list("circle", flat=True):
        _leave(hold_circle(circle_id), user)
    marked = HandMark.objects.filter(user=user).values("hand__evening")
    raise_versions(Evening.objects.filter(pk__in=marked))
    User.objects.filter(Q(pk=user.pk) | Q(merged__user=user)).delete()


def _leave(circle: Circle, user: User) -> None:
    """Hide a locked circle if the user is alone in it; else tell the others. Raise LastOwner."""
    others = circle.members.exclude(user=user)
    if not others.exists():
        circle.deleted_from = timezone.now()
        circle.save(update_fields=["deleted_from"])
    elif circle.members.filter(user=user, role=Role.OWNER).exists() and not others.filter(role=Role.OWNER).exists():
        raise LastOwner
    raise_versions(circle.evenings.filter(ended_at=None))
