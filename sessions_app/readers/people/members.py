"""Members of a circle, the players whose phones they hold, an open claim after a lost phone, and invite links."""

import re
from base64 import urlsafe_b64encode
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, StringAgg, Value, When
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.errors import LinkRevoked, RemovedFromCircle
from sessions_app.models import Evening, Invite, Member, OwnershipClaim, Player, Removal, Role, User
from sessions_app.words.wording import KEY_DIGITS, whole_number

#: Time during which a claim is open to objection.
OBJECTION_TIME: Final = timedelta(hours=24)
#: A phone asks every two seconds; one that has not asked for this long is put away, or asleep.
FOLLOWS_FOR: Final = timedelta(seconds=45)

MEMBERS_PER_PAGE: Final = 30


# Made once: these expressions take longer to resolve than their query to run.
_OWNERS_FIRST: Final = Member.objects.annotate(
    phones=StringAgg(
        "user__phones__device",
        Value("\n"),
        filter=Q(user__phones__ended_at=None) & ~Q(user__phones__device=""),
        default=Value(""),
    )
).order_by(Case(*(When(role=role, then=rank) for rank, role in enumerate(reversed(Role)))), "pk")


@dataclass(frozen=True, slots=True)
class MemberView:
    """A phone in the circle: its player's name ('' for none), its role, since when, what it is, and when last seen."""

    id: int
    name: str
    role: Role
    since: datetime
    device: str
    last_seen_at: datetime | None
    is_me: bool

    @property
    def may_be_claimed(self) -> bool:
        """Return whether another member may say that this one was he: it is worth it, and it runs no circle."""
        return not self.is_me and self.role is not Role.OWNER and bool(self.name or self.role is Role.KEEPER)


@dataclass(frozen=True, slots=True)
class MemberName:
    """A member as the circle's page lists him: his player's name ('' for none), his role and what his phones are."""

    name: str
    role: Role
    device: str
    is_me: bool


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player whom a phone may belong to: the number of other phones that do, and whether this one does."""

    id: int
    name: str
    other_phones: int
    is_me: bool
    sits: bool


@dataclass(frozen=True, slots=True)
class ClaimView:
    """An open claim of a member, by his name; from `due_at` on it may be granted.

    It is to run the circle, or to be the member `lost_id`, by name, role and what his phone is.
    """

    id: int
    member_id: int
    name: str
    due_at: datetime
    lost_id: int | None = None
    lost_name: str = ""
    lost_role: str = ""
    lost_device: str = ""

    @property
    def is_due(self) -> bool:
        return timezone.now() >= self.due_at


def members_of(me: Member, page: int = 1) -> tuple[tuple[MemberView, ...], bool]:
    """Return a page of the members of `me`'s circle, owners first, and whether there are more: one query.

    What a member is, is what his phones are that are not ended, one a line; else what his browser said last here.
    """
    first = (page - 1) * MEMBERS_PER_PAGE
    columns = ("pk", "player__name", "role", "since", "device", "last_seen_at", "phones")
    rows = _owners_first(me.circle_id).values_list(*columns)
    members = list(rows[first : first + MEMBERS_PER_PAGE + 1])
    views = tuple(
        MemberView(pk, name or "", Role(role), since, _each_once(phones) or device, last_seen_at, pk == me.pk)
        for pk, name, role, since, device, last_seen_at, phones in members[:MEMBERS_PER_PAGE]
    )
    return views, len(members) > MEMBERS_PER_PAGE


def member_names(me: Member) -> tuple[tuple[MemberName, ...], bool]:
    """Return the first members of `me`'s circle, owners first, and whether there are more: one query."""
    columns = ("pk", "player__name", "role", "device", "phones")
    rows = list(_owners_first(me.circle_id).values_list(*columns)[: MEMBERS_PER_PAGE + 1])
    names = tuple(
        MemberName(name or "", Role(role), _each_once(phones) or device, pk == me.pk)
        for pk, name, role, device, phones in rows[:MEMBERS_PER_PAGE]
    )
    return names, len(rows) > MEMBERS_PER_PAGE


def _owners_first(circle_id: int) -> QuerySet[Member]:
    """Return the members of a circle, owners first, with `phones`: what their phones are that are not ended."""
    return _OWNERS_FIRST.filter(circle=circle_id)


def _each_once(lines: str) -> str:
    return "\n".join(sorted(set(lines.splitlines())))


def players_of(circle_id: int, user: User | None, evening: Evening | None) -> tuple[PlayerView, ...]:
    """Return the players that a phone may belong to, those of `evening` first and in seat order: two queries."""
    known = Player.objects.filter(circle=circle_id, merged_into=None).annotate(
        seat=Min("seats__position", filter=Q(seats__evening=evening)), latest=Max("seats__evening")
    )
    held = Member.objects.filter(circle=circle_id, player__isnull=False).values_list("player", "user")
    mine = {player for player, holder in held if user and holder == user.pk}
    others = Counter(player for player, holder in held if not user or holder != user.pk)
    return tuple(
        PlayerView(player.pk, player.name, others[player.pk], player.pk in mine, player.seat is not None)
        for player in known.order_by(F("seat").asc(nulls_last=True), F("latest").desc(nulls_last=True), "pk")
    )


def players_to_choose_from(evening: Evening, me: Member) -> tuple[PlayerView, ...]:
    """Return the players that the phone that began the evening may belong to, while it is to be asked: one query, or
    none.
    """
    if not (me.to_be_asked and me.may(Role.KEEPER)):
        return ()
    sitting = Player.objects.filter(seats__evening=evening.pk).annotate(phones=Count("members"))
    return tuple(
        PlayerView(player.pk, player.name, player.phones, False, True) for player in sitting.order_by("seats__position")
    )


def open_claim(circle_id: int) -> ClaimView | None:
    """Return the circle's open claim, which all its members may see: one query, two if there is one."""
    known = OwnershipClaim.objects.filter(circle=circle_id, closed_at=None).values_list("pk", flat=True).first()
    if known is None:
        return None
    of_lost = ("lost__player__name", "lost__role", "lost__device")
    columns = ("pk", "member_id", "member__player__name", "made_at", "lost_id", *of_lost)
    pk, member, name, made_at, lost, *words = OwnershipClaim.objects.values_list(*columns).get(pk=known)
    return ClaimView(pk, member, name or "", made_at + OBJECTION_TIME, lost, *(word or "" for word in words))


def is_claim_of(member: Member, claim_id: int | None) -> bool:
    """Return whether the member has made this claim, be it open or closed: one query, or none."""
    return claim_id is not None and OwnershipClaim.objects.filter(pk=claim_id, member=member).exists()


def names_by_user(circle_id: int) -> dict[int, str]:
    """Return a circle's players' names by the users who hold their phones, removed members included: two queries."""
    holders = {"circle": circle_id, "player__isnull": False}
    gone = Removal.objects.filter(**holders).values_list("user", "player__name")
    here = Member.objects.filter(**holders).values_list("user", "player__name")
    return dict([*gone, *here])


class Followers(NamedTuple):
    """The members whose phones follow now: the names of their players, and how many have none."""

    names: tuple[str, ...]
    unnamed: int

    @property
    def are_several(self) -> bool:
        return len(self.names) + self.unnamed > 1


def followers(evening: Evening, me: Member) -> Followers:
    """Return the members whose phones follow now, with `me`: one query."""
    is_present = Q(last_seen_at__gte=timezone.now() - FOLLOWS_FOR) | Q(pk=me.pk)
    found = Member.objects.filter(is_present, circle=evening.circle_id).order_by("pk")
    names = list(found.values_list("player__name", flat=True))
    named = tuple(name for name in names if name)
    return Followers(named, len(names) - len(named))


# --- Invite links ---


#: The roles that a link can give.
ROLES: Final = (Role.KEEPER, Role.VIEWER)

#: The salt of all links that were ever sent: with another one none of them would open.
SALT: Final = "sessions_app.writers.invitations"
SIGNATURE_BYTES: Final = 18  # 144 bits
#: A token alone, or at the end of an invite link's path, with any host before it.
_TOKEN: Final = re.compile(rf"(?:\A|/join/)([0-9]{{1,{KEY_DIGITS}}}-[A-Za-z0-9_-]{{24}})(?![\w-])")


def require_usable(invite: Invite, user: User | None) -> None:
    """Raise RemovedFromCircle or LinkRevoked if the link does not let this visitor in. One query at most."""
    gone = Removal.objects.filter(circle=invite.circle_id, user=user, by_choice=False, at__gte=invite.made_at)
    if user and gone.exists():
        raise RemovedFromCircle
    if invite.revoked_at or invite.circle.deleted_from:
        raise LinkRevoked


@dataclass(frozen=True, slots=True)
class LinkView:
    """An open link: its role, time and maker, and whether the asking member may revoke it."""

    role: Role
    made_at: datetime
    by: str
    revocable: bool


def open_link(circle_id: int, role: Role) -> Invite | None:
    """Return the circle's open link for this role, or None: one query."""
    return Invite.objects.filter(circle=circle_id, role=role, revoked_at=None).first()


def open_links(member: Member) -> tuple[LinkView, ...]:
    """Return the open links of the member's circle, the keepers' first: two queries."""
    names = dict(Member.objects.filter(circle=member.circle_id).values_list("user", "player__name"))
    invites = Invite.objects.filter(circle=member.circle_id, revoked_at=None).order_by("role")
    return tuple(
        LinkView(Role(invite.role), invite.made_at, names.get(invite.made_by_id or 0) or "", may_revoke(invite, member))
        for invite in invites
    )


def may_revoke(invite: Invite, member: Member) -> bool:
    return member.may(Role.OWNER) or invite.made_by_id == member.user_id


def token_of(invite: Invite) -> str:
    """Return the secret part of the link's address."""
    facts = f"{invite.pk} {invite.role} {invite.made_at.isoformat()}"
    signature = salted_hmac(SALT, facts, algorithm="sha256").digest()
    return f"{invite.pk}-{urlsafe_b64encode(signature[:SIGNATURE_BYTES]).decode()}"


def invite_of(token: str) -> Invite | None:
    """Return the link of this token, open or revoked; None for an invented token."""
    number = whole_number(token.partition("-")[0], KEY_DIGITS)
    invite = None if number is None else Invite.objects.select_related("circle").filter(pk=number).first()
    return invite if invite and constant_time_compare(token, token_of(invite)) else None


def token_in(text: str) -> str | None:
    """Return the token of the invite link that stands in `text`, whatever its host; None if there is no link."""
    found = _TOKEN.search(text)
    return found and found[1]
