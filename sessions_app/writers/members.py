"""Who belongs to a table: joining, roles, leaving, and who runs it when its owner's phone is lost.

Each write is one short transaction that holds the table, and gives its running evenings a new version: all phones
see it. A table has an owner always.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, When
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, compiled
from sessions_app.errors import ClaimNotDue, ClaimOpen, LastOwner, LinkRevoked, RemovedFromCircle
from sessions_app.models import Circle, Evening, Invite, Member, OwnershipClaim, Player, Removal, Role, User
from sessions_app.writers import invitations
from sessions_app.writers.transactions import hold_circle, writing

#: How long a claim to run the table stands open to objection.
OBJECTION_TIME: Final = timedelta(hours=24)
MEMBERS_PER_PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class MemberView:
    """A phone at the table: who holds it ('' where he did not say), what it may do, and when it was last seen."""

    id: int
    name: str
    role: Role
    last_seen_at: datetime | None
    is_me: bool


@dataclass(frozen=True, slots=True)
class PlayerView:
    """Somebody a phone may belong to: how many others have said so, and whether this one has."""

    id: int
    name: str
    other_phones: int
    is_me: bool
    sits: bool


@dataclass(frozen=True, slots=True)
class ClaimView:
    """An open claim to run the table, and from when on it may be taken at its word."""

    id: int
    member_id: int
    name: str
    due_at: datetime

    @property
    def is_due(self) -> bool:
        return timezone.now() >= self.due_at


def check(invite: Invite, user: User | None) -> None:
    """See whether the link lets this visitor in; raise RemovedFromCircle or LinkRevoked. One query at most."""
    gone = Removal.objects.filter(circle=invite.circle_id, user=user, by_choice=False, at__gte=invite.made_at)
    if user and gone.exists():
        raise RemovedFromCircle
    if invite.revoked_at:
        raise LinkRevoked


@writing
def join(invite: Invite, player_id: int | None, *, by: User | None) -> Member:
    """Make `by` a member who holds the phone of this player (None: of nobody), and return him.

    None is a phone that has never written anything: its guest is there only if it is let in.

    Who is a member already says anew who he is; his role is raised by a link and never lowered. Raises
    RemovedFromCircle, LinkRevoked, Player.DoesNotExist.
    """
    circle = hold_circle(invite.circle_id)
    invite = circle.invites.get(pk=invite.pk)  # as it is now: it may have been revoked since it was looked at
    check(invite, by)
    player = None if player_id is None else circle.players.get(pk=player_id)
    by = by or User.new_guest()
    member = circle.members.filter(user=by).first() or Member(circle=circle, user=by, role=invite.role)
    if not member.may(Role(invite.role)):
        member.role = invite.role
    member.player = player
    member.to_be_asked = False
    member.save()
    circle.removals.filter(user=by).delete()
    _tell(circle)
    return member


@writing
def say_who(member: Member, player_id: int | None) -> None:
    """Note who holds this member's phone. Raises Player.DoesNotExist."""
    circle = hold_circle(member.circle_id)
    player = None if player_id is None else circle.players.get(pk=player_id)
    circle.members.filter(pk=member.pk).update(player=player, to_be_asked=False)
    _tell(circle)


def ask_no_more(member: Member) -> None:
    """Note that this phone does not want to say whose it is."""
    Member.objects.filter(pk=member.pk).update(to_be_asked=False)


@writing
def change_role(circle_id: int, member_id: int, role: Role) -> None:
    """Give a member another role. Raises LastOwner, Member.DoesNotExist.

    Who loses the pen has seen the link that gave it: it is closed, or he would take it again by himself.
    """
    circle = hold_circle(circle_id)
    member = circle.members.get(pk=member_id)
    if member.role == role:
        return
    _leave_an_owner(circle, member)
    member.role = role
    member.save(update_fields=["role"])
    if role is Role.VIEWER:
        invitations.close(circle_id, Role.KEEPER)
    if role is not Role.KEEPER:
        _close_claims(circle, Q(member=member))
    _tell(circle)


@writing
def remove(circle_id: int, member_id: int) -> None:
    """Take a member off the table. Raises LastOwner, Member.DoesNotExist.

    The open links are closed with it: a phone that forgets who it was could come in again by them.
    """
    circle = hold_circle(circle_id)
    _take_off(circle, member_id, by_choice=False)
    invitations.close(circle_id, *invitations.ROLES)


@writing
def leave(member: Member) -> None:
    """Let a member go who wants to; by a link that is open he may come again. Raises LastOwner, Member.DoesNotExist."""
    circle = hold_circle(member.circle_id)
    _take_off(circle, member.pk, by_choice=True)


@writing
def claim(member: Member) -> None:
    """Let a keeper claim to run the table; claiming twice, or as its owner, changes nothing. Raises ClaimOpen."""
    circle = hold_circle(member.circle_id)
    known = circle.ownership_claims.filter(closed_at=None).first()
    if known and known.member_id != member.pk:
        raise ClaimOpen
    if known is None and circle.members.filter(pk=member.pk, role=Role.KEEPER).exists():
        OwnershipClaim.objects.create(circle=circle, member_id=member.pk)
        _tell(circle)


@writing
def object_to_claim(circle_id: int, claim_id: int) -> None:
    """Close a claim if it is still open: somebody objects, or who made it thinks better of it."""
    circle = hold_circle(circle_id)
    if _close_claims(circle, Q(pk=claim_id)):
        _tell(circle)


@writing
def take_over(member: Member) -> None:
    """Make a member owner whose claim nobody has objected to for a day; who was owner stays it. Raises ClaimNotDue."""
    circle = hold_circle(member.circle_id)
    due = Q(member=member, made_at__lte=timezone.now() - OBJECTION_TIME)
    if not _close_claims(circle, due):
        raise ClaimNotDue
    circle.members.filter(pk=member.pk).update(role=Role.OWNER)
    _tell(circle)


def circle(me: Member, page: int = 1) -> tuple[tuple[MemberView, ...], bool]:
    """A page of the members of my table, who runs it first, and whether there are more: one query."""
    first = (page - 1) * MEMBERS_PER_PAGE
    ranks = Case(*(When(role=role, then=rank) for rank, role in enumerate(reversed(Role))))
    members = list(
        Member.objects.filter(circle=me.circle_id)
        .select_related("player")
        .order_by(ranks, "pk")[first : first + MEMBERS_PER_PAGE + 1]
    )
    views = tuple(
        MemberView(
            member.pk,
            member.player.name if member.player else "",
            Role(member.role),
            member.last_seen_at,
            member.pk == me.pk,
        )
        for member in members[:MEMBERS_PER_PAGE]
    )
    return views, len(members) > MEMBERS_PER_PAGE


def players(circle_id: int, user: User | None, evening: Evening | None) -> tuple[PlayerView, ...]:
    """The players that a phone may belong to, those of `evening` first and in seat order: two queries."""
    known = Player.objects.filter(circle=circle_id).annotate(
        seat=Min("seats__position", filter=Q(seats__evening=evening)), latest=Max("seats__evening")
    )
    held = Member.objects.filter(circle=circle_id, player__isnull=False).values_list("player", "user")
    mine = {player for player, holder in held if user and holder == user.pk}
    others = Counter(player for player, holder in held if not user or holder != user.pk)
    return tuple(
        PlayerView(player.pk, player.name, others[player.pk], player.pk in mine, player.seat is not None)
        for player in known.order_by(F("seat").asc(nulls_last=True), F("latest").desc(nulls_last=True), "pk")
    )


def to_choose_from(evening: Evening, me: Member) -> tuple[PlayerView, ...]:
    """Whom the phone that began the evening may belong to, while it is to be asked: one query, none afterwards."""
    if not (me.to_be_asked and me.may(Role.KEEPER)):
        return ()
    sitting = Player.objects.filter(seats__evening=evening.pk).annotate(phones=Count("members"))
    return tuple(
        PlayerView(player.pk, player.name, player.phones, False, True) for player in sitting.order_by("seats__position")
    )


def latest_evening(circle_id: int) -> Evening | None:
    """The table's evening that runs, the one begun last if there are more; else its last: one query."""
    evenings = Evening.objects.filter(circle=circle_id).annotate(over=Q(ended_at__isnull=False))
    return evenings.order_by("over", "-started_at", "-id").first()


def open_claim(evening: Evening) -> ClaimView | None:
    """The claim to run the evening's table that is open, for all to see: one query."""
    found = _open_claim.ask(circle=evening.circle_id)
    if not found:
        return None
    pk, member, name, made_at = found[0]
    return ClaimView(pk, member, name or "", made_at + OBJECTION_TIME)


@compiled
def _open_claim(circle: Slot) -> QuerySet[OwnershipClaim, Any]:
    claims = OwnershipClaim.objects.filter(circle=circle, closed_at=None)
    return claims.values_list("pk", "member_id", "member__player__name", "made_at")


def _tell(circle: Circle) -> None:
    circle.evenings.filter(ended_at=None).update(version=F("version") + 1)


def _take_off(circle: Circle, member_id: int, *, by_choice: bool) -> None:
    member = circle.members.get(pk=member_id)
    _leave_an_owner(circle, member)
    gone = {"player": member.player, "at": timezone.now(), "by_choice": by_choice}
    Removal.objects.update_or_create(circle=circle, user_id=member.user_id, defaults=gone)
    member.delete()
    _tell(circle)


def _leave_an_owner(circle: Circle, without: Member) -> None:
    """Refuse when nobody but this member runs the table."""
    if without.role == Role.OWNER and not circle.members.filter(role=Role.OWNER).exclude(pk=without.pk).exists():
        raise LastOwner


def _close_claims(circle: Circle, which: Q) -> int:
    return circle.ownership_claims.filter(which, closed_at=None).update(closed_at=timezone.now())
