"""Users: the circles of one, with what is owed in each; his keys; two who become one, and what of it can be undone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http.request import validate_host
from django.utils import timezone

from sessions_app.models import Evening, Member, Passkey, Phone, Role, SpareKey, User, UserMerge
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.lists import Owed
from sessions_app.readers.people.circles import CircleChoice, circles_of

# --- The circles of one ---


@dataclass(frozen=True, slots=True)
class OwnCircle:
    """A circle of a user: his player's name, '' for none, and what is owed by or to him; `latest` is its last evening.

    `others` is the number of its other members.
    """

    id: int
    name: str
    player: str
    others: int
    is_only_owner: bool
    latest: int | None
    owed: tuple[Owed, ...]

    @property
    def needs_an_owner(self) -> bool:
        return self.is_only_owner and self.others > 0


def circles_with_debts(user: User) -> list[OwnCircle]:
    """Return the user's circles, without demos, the newest first: two queries, and those of what is owed."""
    names = {circle.id: circle.name for circle in circles_of(user) if not circle.is_demo}
    owed = payment_lists.of_user(user)
    latest = Evening.objects.filter(circle=OuterRef("circle")).order_by("-started_at", "-id").values("pk")[:1]
    rows = user.memberships.filter(circle__in=names).annotate(
        members=Count("circle__members"),
        owners=Count("circle__members", filter=Q(circle__members__role=Role.OWNER)),
        latest=Subquery(latest),
    )
    return [
        OwnCircle(
            row.circle_id,
            names[row.circle_id],
            row.player.name if row.player else "",
            row.members - 1,
            row.role == Role.OWNER and row.owners == 1,
            row.latest,
            owed.get(row.circle_id, ()),
        )
        for row in rows.select_related("player").order_by("-circle")
    ]


def circles_left_behind(user: User) -> int:
    """Return the number of the user's circles that are no demos, until they are deleted: one query."""
    mine = Member.objects.filter(user=user, circle__is_demo=False)
    return mine.exclude(circle__deleted_from__lte=timezone.now()).count()


# --- His ways back: passkeys and a spare key ---


def passkeys_of(user: User) -> QuerySet[Passkey]:
    """Return the passkeys of a user, the oldest first."""
    return Passkey.objects.filter(handle__user=user).order_by("pk")


def credential_ids(user: User, domain: str) -> list[bytes]:
    """Return the ids of a user's passkeys of a domain: one query."""
    return [bytes(each) for each in passkeys_of(user).filter(rp_id=domain).values_list("credential_id", flat=True)]


def spare_key_made_at(user: User) -> datetime | None:
    """Return when the user's spare key was made, None if he has none: one query."""
    keys = SpareKey.objects.filter(user=user, spent_at=None).order_by("-pk")
    return keys.values_list("made_at", flat=True).first()


def has_key(user: User) -> bool:
    """Return whether a passkey, or a spare key that is not spent, opens the user's book: two queries at most."""
    return user.spare_keys.filter(spent_at=None).exists() or passkeys_of(user).exists()


def handle_of(user: User) -> bytes | None:
    """Return the handle by which authenticators know the user, None if none does yet: two queries.

    One that came by a merge is not his while that can be undone: a passkey made with it would go back as well.
    """
    brought = [key for merge in undoable(user) for key in merge.record["moved"]["UserHandle.user"]]
    handle = user.handles.exclude(pk__in=brought).order_by("pk").values_list("handle", flat=True).first()
    return None if handle is None else bytes(handle)


def name_of(user: User) -> str:
    """Return the name by which an authenticator shows a user: that of his player, else the program's. One query."""
    names = Member.objects.filter(user=user, player__isnull=False).order_by("pk").values_list("player__name", flat=True)
    return names.first() or "Strigula"


def lost_domains(domain: str, hosts: Sequence[str]) -> list[str]:
    """Return the domains of stored passkeys that open nothing on a server of these hosts: one query.

    `domain` is the server's own setting, '' where each host is a domain of its own.
    """
    known = Passkey.objects.order_by("rp_id").values_list("rp_id", flat=True).distinct()
    return [each for each in known if (each != domain if domain else not validate_host(each, hosts))]


# --- Two who become one ---


#: Time during which a merge can be undone.
TIME_TO_UNDO: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class BothBooks:
    """The circles of a phone and of the book that it opens, without demos, and the numbers of those in both.

    Nobody else's phone, and no key, opens those of the phone if this is the `only_way` to them.
    """

    here: tuple[CircleChoice, ...]
    there: tuple[CircleChoice, ...]
    in_both: frozenset[int]
    is_only_way: bool


def both_books(guest: User, phone_key: str, user: User) -> BothBooks:
    """Return what a guest's phone, of this key, and the book that it opens have: five queries."""
    here, there = _real(circles_of(guest)), _real(circles_of(user))
    in_both = frozenset(circle.id for circle in here) & frozenset(circle.id for circle in there)
    has_phone = guest.phones.filter(ended_at=None).exclude(key=phone_key).exists()
    return BothBooks(here, there, in_both, not (has_key(guest) or has_phone))


def _real(circles: Iterable[CircleChoice]) -> tuple[CircleChoice, ...]:
    return tuple(circle for circle in circles if not circle.is_demo)


@dataclass(frozen=True, slots=True)
class MergeView:
    """A merge that can be undone: until when, the circles and the phones that it would give back.

    In a circle of `shared` the user stays as well.
    """

    id: int
    until: datetime
    circles: tuple[CircleChoice, ...]
    shared: frozenset[int]
    phones: tuple[Phone, ...]


def undoable(user: User) -> QuerySet[UserMerge]:
    """Return the merges into this user that can still be undone, the latest first: in this order alone.

    In a circle of both, a later one may have put a membership in the place of one that an earlier one has moved.
    """
    return UserMerge.objects.filter(user=user, at__gt=timezone.now() - TIME_TO_UNDO).order_by("-pk")


def over() -> QuerySet[UserMerge]:
    """Return the merges that can no longer be undone."""
    return UserMerge.objects.filter(at__lte=timezone.now() - TIME_TO_UNDO)


def latest_merge(user: User) -> MergeView | None:
    """Return the merge that can be undone next: four queries, one if there is none."""
    merge = undoable(user).first()
    if merge is None:
        return None
    moved, united = merge.record["moved"], merge.record["united"]
    members = dict(Member.objects.filter(user=user).values_list("pk", "circle"))
    shared = frozenset(members[own] for own, _role, _values in united if own in members)
    back = shared | {members[key] for key in moved["Member.user"] if key in members}
    phones = user.phones.filter(ended_at=None, pk__in=moved["Phone.user"]).order_by("pk")
    circles = tuple(circle for circle in _real(circles_of(user)) if circle.id in back)
    return MergeView(merge.pk, merge.at + TIME_TO_UNDO, circles, shared, tuple(phones))
