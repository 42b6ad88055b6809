"""Invite links: made, shown, found again, taken back.

A link lets a phone in as keeper or as viewer of a table, until it is revoked; a table has one open link at most for
each. Its token is the link's number and a signature by the secret key: it stands in no table and cannot be made up.
"""

from django.utils import timezone

from sessions_app.errors import NotLinkMaker
from sessions_app.models import Invite, Member, Role, User
from sessions_app.readers.invitations import may_revoke, open_link
from sessions_app.writers.transactions import hold_circle, writing


@writing
def make(circle_id: int, role: Role, *, by: User) -> Invite:
    """Return the table's open link for this role, which is made if there is none."""
    circle = hold_circle(circle_id)
    known = open_link(circle_id, role)
    return known or Invite.objects.create(circle=circle, role=role, made_by=by)


@writing
def revoke(circle_id: int, role: Role, *, by: Member) -> None:
    """Close the table's open link for this role; nothing changes where there is none. Raises NotLinkMaker."""
    hold_circle(circle_id)
    invite = open_link(circle_id, role)
    if invite is None:
        return
    if not may_revoke(invite, by):
        raise NotLinkMaker
    close(circle_id, role)


def close(circle_id: int, *roles: Role) -> None:
    """Close the open links for these roles, for who holds the table already."""
    Invite.objects.filter(circle=circle_id, role__in=roles, revoked_at=None).update(revoked_at=timezone.now())
