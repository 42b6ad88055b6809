"""Who belongs to a table: joining, roles, leaving, and who runs it when its owner's phone is lost.

Each write is one short transaction that holds the table, and gives its running evenings a new version: all phones
see it. A table has an owner always.
"""

from django.db.models import Q
from django.utils import timezone

from sessions_app.errors import ClaimNotDue, ClaimOpen, LastOwner
from sessions_app.models import Circle, Invite, Member, OwnershipClaim, Removal, Role, User
from sessions_app.readers.invitations import ROLES, require_usable
from sessions_app.readers.members import OBJECTION_TIME
from sessions_app.writers import invitations
from sessions_app.writers.evening_version import raise_versions
from sessions_app.writers.transactions import hold_circle, writing


@writing
def join(invite: Invite, player_id: int | None, *, by: User | None) -> Member:
    """Make `by` a member who holds the phone of this player (None: of nobody), and return him.

    None is a phone that has never written anything: its guest is there only if it is let in.

    Who is a member already says anew who he is; his role is raised by a link and never lowered. Raises
    RemovedFromCircle, LinkRevoked, Player.DoesNotExist.
    """
    circle = hold_circle(invite.circle_id)
    invite = circle.invites.get(pk=invite.pk)  # as it is now: it may have been revoked since it was looked at
    require_usable(invite, by)
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
    invitations.close(circle_id, *ROLES)


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


def _tell(circle: Circle) -> None:
    """Let the pages of the circle's running evenings show its new members."""
    raise_versions(circle.evenings.filter(ended_at=None))


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
