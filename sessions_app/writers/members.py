"""The writer of members: joining, roles, leaving, invite links, presence, and claims to ownership.

Each write but that of presence is one short transaction that locks the circle, and raises the version of its running
evenings, so that all phones show it. A circle always has an owner.

A link admits a phone as keeper or as viewer of a circle, until it is revoked; a circle has at most one open link for
each role. Its token is its number and a signature by the secret key: it is never stored and cannot be forged.
"""

from contextlib import suppress
from datetime import timedelta

from django.db import InternalError, OperationalError
from django.db.models import Q
from django.utils import timezone

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.device_names import device_of
from sessions_app.errors import ClaimNotDue, ClaimOpen, LastOwner, NotLinkMaker
from sessions_app.models import Circle, Invite, Member, OwnershipClaim, Player, Removal, Role, User
from sessions_app.readers.people.members import OBJECTION_TIME, ROLES, may_revoke, open_link, require_usable
from sessions_app.transactions import hold_circle, hold_user, raise_versions, writing


@writing
def join(invite: Invite, player_id: int | None, *, by: User | None) -> Member:
    """Make `by` a member who holds this player's phone (None: nobody's), and return the member.

    `by` is None for a phone that has never written anything: its guest is created only if the link admits it.

    An existing member's player is replaced; a link may raise a member's role and never lowers it. Raise
    RemovedFromCircle, LinkRevoked, Player.DoesNotExist.
    """
    by = by and hold_user(by.pk)
    circle = hold_circle(invite.circle_id)
    invite = circle.invites.get(pk=invite.pk)  # read under the lock: it may have been revoked meanwhile
    require_usable(invite, by)
    holder = holder_of(circle, player_id)
    by = by or User.new_guest()
    # A circle that the operator has made is owned by the first who comes.
    role = invite.role if circle.members.exists() else Role.OWNER
    member = circle.members.filter(user=by).first() or Member(circle=circle, user=by, role=role)
    if not member.may(Role(invite.role)):
        member.role = invite.role
    member.player, member.held_as = holder
    member.to_be_asked = False
    member.save()
    circle.removals.filter(user=by).delete()
    _tell(circle)
    return member


@writing
def set_player(member: Member, player_id: int | None) -> None:
    """Set the player who holds this member's phone (None: no player). Raise Player.DoesNotExist."""
    circle = hold_circle(member.circle_id)
    player, held_as = holder_of(circle, player_id)
    circle.members.filter(pk=member.pk).update(player=player, held_as=held_as, to_be_asked=False)
    _tell(circle)


@writing
def ask_no_more(member: Member) -> None:
    """Stop asking this member which player holds the phone."""
    Member.objects.filter(pk=member.pk).update(to_be_asked=False)


@writing
def change_role(circle_id: int, member_id: int, role: Role) -> None:
    """Change a member's role. Raise LastOwner, Member.DoesNotExist.

    A member made a viewer may know the keepers' link: it is closed, or the member could become keeper again by it.
    """
    circle = hold_circle(circle_id)
    member = circle.members.get(pk=member_id)
    if member.role == role:
        return
    _leave_an_owner(circle, member)
    member.role = role
    member.save(update_fields=["role"])
    if role is Role.VIEWER:
        close_links(circle_id, Role.KEEPER)
    if role is not Role.KEEPER:
        _close_claims(circle, Q(member=member, lost=None))
    if role is Role.OWNER:
        _close_claims(circle, Q(member=member) | Q(lost=member))
    _tell(circle)


@writing
def remove(circle_id: int, member_id: int) -> None:
    """Remove a member from the circle. Raise LastOwner, Member.DoesNotExist.

    The open links are closed as well: a phone that deletes its cookies could join again by them.
    """
    circle = hold_circle(circle_id)
    _take_off(circle, member_id, by_choice=False)
    close_links(circle_id, *ROLES)


@writing
def leave(member: Member) -> None:
    """Remove a member at his own wish; an open link lets him join again. Raise LastOwner, Member.DoesNotExist."""
    circle = hold_circle(member.circle_id)
    _take_off(circle, member.pk, by_choice=True)


@writing
def claim(member: Member, lost_id: int | None = None) -> None:
    """Open a keeper's claim to ownership, or a claim to be the keeper or viewer `lost_id`, whose phone is lost.

    Claiming twice changes nothing, nor does an owner's claim, or one to ownership in another role than a keeper's.
    Raise ClaimOpen, Member.DoesNotExist.
    """
    if lost_id is not None:
        hold_user(Member.objects.values_list("user_id", flat=True).get(pk=lost_id, circle=member.circle_id))
    circle = hold_circle(member.circle_id)
    lost = None if lost_id is None else circle.members.exclude(pk=member.pk).exclude(role=Role.OWNER).get(pk=lost_id)
    known = circle.ownership_claims.filter(closed_at=None).first()
    if known and (known.member_id, known.lost_id) != (member.pk, lost_id):
        raise ClaimOpen
    may_claim = Q(role=Role.KEEPER) if lost is None else ~Q(role=Role.OWNER)
    if known or not circle.members.filter(may_claim, pk=member.pk).exists():
        return
    if lost:
        User.objects.filter(pk=lost.user_id).update(is_missed=True)
    OwnershipClaim.objects.create(circle=circle, member_id=member.pk, lost=lost)
    _tell(circle)


@writing
def is_back(user: User) -> None:
    """Close the claims which say that this user's phones are lost: one of them has just been used.

    Raise User.DoesNotExist.
    """
    user = hold_user(user.pk)
    User.objects.filter(pk=user.pk).update(is_missed=False)
    claims = OwnershipClaim.objects.filter(lost__user=user, closed_at=None)
    for circle_id in claims.order_by("circle").values_list("circle", flat=True):
        circle = hold_circle(circle_id)
        if _close_claims(circle, Q(lost__user=user)):
            _tell(circle)


@writing
def object_to_claim(circle_id: int, claim_id: int) -> None:
    """Close a claim if it is still open: a member objects, or the claimant withdraws it."""
    circle = hold_circle(circle_id)
    if _close_claims(circle, Q(pk=claim_id)):
        _tell(circle)


@writing
def take_over(member: Member) -> None:
    """Grant a member's claim after a day without objection. Raise ClaimNotDue.

    Who becomes owner is one beside the previous owner, who keeps the role. A lost phone's member is removed; if the
    phone is found, an open link admits it again.
    """
    circle = hold_circle(member.circle_id)
    granted = circle.ownership_claims.filter(_due(), member=member, closed_at=None).select_related("lost").first()
    if granted is None:
        raise ClaimNotDue
    _close_claims(circle, Q(pk=granted.pk))
    if granted.lost:
        _take_place(circle, member.pk, granted.lost)
    else:
        circle.members.filter(pk=member.pk).update(role=Role.OWNER)
    _tell(circle)


def _take_place(circle: Circle, member_id: int, lost: Member) -> None:
    """Give a member the player of another, and his role if that may do more; remove the other."""
    _take_off(circle, lost.pk, by_choice=True)
    member = circle.members.get(pk=member_id)
    if lost.player_id:
        member.player_id, member.held_as_id = lost.player_id, lost.held_as_id
    if not Role(member.role).covers(Role(lost.role)):
        member.role = lost.role
    member.save(update_fields=["player", "held_as", "role"])


def holder_of(circle: Circle, player_id: int | None) -> tuple[Player | None, Player | None]:
    """Return the player who holds a phone, and the other name that was chosen, None if it is not merged.

    Raise Player.DoesNotExist.
    """
    player = None if player_id is None else circle.players.select_related("merged_into").get(pk=player_id)
    return (player.merged_into, player) if player and player.merged_into else (player, None)


def _tell(circle: Circle) -> None:
    """Raise the version of the circle's running evenings: their pages show its members."""
    raise_versions(circle.evenings.filter(ended_at=None))


def _take_off(circle: Circle, member_id: int, *, by_choice: bool) -> None:
    member = circle.members.get(pk=member_id)
    _leave_an_owner(circle, member)
    gone = {"player": member.player, "held_as": member.held_as, "at": timezone.now(), "by_choice": by_choice}
    Removal.objects.update_or_create(circle=circle, user_id=member.user_id, defaults=gone)
    member.delete()
    _tell(circle)


def _leave_an_owner(circle: Circle, without: Member) -> None:
    """Raise LastOwner if this member is the circle's only owner."""
    if without.role == Role.OWNER and not circle.members.filter(role=Role.OWNER).exclude(pk=without.pk).exists():
        raise LastOwner


def close_due_claims(circle: Circle) -> None:
    """Close claims that became due while the locked circle was closed: nobody could object."""
    _close_claims(circle, _due())


def _due() -> Q:
    return Q(made_at__lte=timezone.now() - OBJECTION_TIME)


def _close_claims(circle: Circle, which: Q) -> int:
    return circle.ownership_claims.filter(which, closed_at=None).update(closed_at=timezone.now())


# --- Invite links ---


@writing
def make_link(circle_id: int, role: Role, *, by: User | None) -> Invite:
    """Return the circle's open link for this role; create it if there is none, for the operator if `by` is None."""
    circle = hold_circle(circle_id)
    known = open_link(circle_id, role)
    return known or Invite.objects.create(circle=circle, role=role, made_by=by)


@writing
def revoke_link(circle_id: int, role: Role, *, by: Member) -> None:
    """Close the circle's open link for this role; without one, nothing changes. Raise NotLinkMaker."""
    hold_circle(circle_id)
    invite = open_link(circle_id, role)
    if invite is None:
        return
    if not may_revoke(invite, by):
        raise NotLinkMaker
    close_links(circle_id, role)


def close_links(circle_id: int, *roles: Role) -> None:
    """Close the open links for these roles, for a caller that has locked the circle."""
    Invite.objects.filter(circle=circle_id, role__in=roles, revoked_at=None).update(revoked_at=timezone.now())


# --- Presence ---

#: Least time between two writes for a member: seldom enough that a poll is nearly always a read.
TOUCH_EVERY = timedelta(seconds=20)


def note_presence(member: Member, user_agent: str = "") -> None:
    """Note that the member's phone is following, and what it is by now, at most once in `TOUCH_EVERY`.

    A read neither waits for a writer nor fails because of one: if the write fails, the next poll tries again.
    """
    now = timezone.now()
    if member.last_seen_at is None or member.last_seen_at < now - TOUCH_EVERY:
        with suppress(OperationalError, InternalError), waiting_at_most(0):
            Member.objects.filter(pk=member.pk).update(last_seen_at=now, device=device_of(user_agent) or member.device)
