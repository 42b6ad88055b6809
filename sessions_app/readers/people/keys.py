"""A user's ways back: his passkeys and his spare key, and passkeys that a moved server does not take any more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.http.request import validate_host
from django.utils import timezone

from sessions_app.models import Member, Passkey, SpareKey, User
from sessions_app.readers.people.users import undoable


@dataclass(frozen=True, slots=True)
class PasskeyView:
    """A passkey by what it is; `elsewhere` is the domain on which it works, '' if it works here."""

    id: int
    device: str
    authenticator: str
    made_at: datetime
    used_on: date | None
    elsewhere: str


@dataclass(frozen=True, slots=True)
class Keys:
    """The passkeys of a user, the oldest first, and when his spare key was made."""

    passkeys: list[PasskeyView]
    spare_made_at: datetime | None


def keys_of(user: User, domain: str) -> Keys:
    """Return the keys of a user, for a page of this domain: two queries."""
    fields = ("id", "device", "authenticator", "made_at", "used_on", "rp_id")
    rows = Passkey.objects.filter(handle__user=user).order_by("pk").values_list(*fields)
    passkeys = [
        PasskeyView(key, device, authenticator, made_at, used_on, "" if rp_id == domain else rp_id)
        for key, device, authenticator, made_at, used_on, rp_id in rows
    ]
    spare = SpareKey.objects.filter(user=user, spent_at=None).order_by("-pk").values_list("made_at", flat=True)
    return Keys(passkeys, spare.first())


def credential_ids(user: User, domain: str) -> list[bytes]:
    """Return the ids of a user's passkeys of a domain: one query."""
    ids = Passkey.objects.filter(handle__user=user, rp_id=domain).order_by("pk").values_list("credential_id", flat=True)
    return [bytes(each) for each in ids]


def handle_of(user: User) -> bytes | None:
    """Return the handle by which authenticators know the user, None if none does yet: two queries.

    One that came by a merge is not his while that can be undone: a passkey made with it would go back as well.
    """
    brought = [key for merge in undoable(user) for key in merge.record["moved"]["UserHandle.user"]]
    handle = user.handles.exclude(pk__in=brought).order_by("pk").values_list("handle", flat=True).first()
    return None if handle is None else bytes(handle)


def lost_domains(domain: str, hosts: Sequence[str]) -> list[str]:
    """Return the domains of stored passkeys that open nothing on a server of these hosts: one query.

    `domain` is the server's own setting, '' where each host is a domain of its own.
    """
    known = Passkey.objects.order_by("rp_id").values_list("rp_id", flat=True).distinct()
    return [each for each in known if (each != domain if domain else not validate_host(each, hosts))]


def name_of(user: User) -> str:
    """Return the name by which an authenticator shows a user: that of his player, else the program's. One query."""
    names = Member.objects.filter(user=user, player__isnull=False).order_by("pk").values_list("player__name", flat=True)
    return names.first() or "Strigula"


def circles_left_behind(user: User) -> int:
    """Return the number of the user's circles that are no demos, until they are deleted: one query."""
    mine = Member.objects.filter(user=user, circle__is_demo=False)
    return mine.exclude(circle__deleted_from__lte=timezone.now()).count()
