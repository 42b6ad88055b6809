"""The writer of invite links: make, revoke, close.

A link admits a phone as keeper or as viewer of a circle, until it is revoked; a circle has at most one open link for
each role. Its token is its number and a signature by the secret key: it is never stored and cannot be forged.
"""

from django.utils import timezone

from sessions_app.errors import NotLinkMaker
from sessions_app.models import Invite, Member, Role, User
from sessions_app.readers.people.invitations import may_revoke, open_link
from sessions_app.writers.transactions import hold_circle, writing


@writing
def make(circle_id: int, role: Role, *, by: User) -> Invite:
    """Return the circle's open link for this role; create it if there is none."""
    circle = hold_circle(circle_id)
    known = open_link(circle_id, role)
    return known or Invite.objects.create(circle=circle, role=role, made_by=by)


@writing
def revoke(circle_id: int, role: Role, *, by: Member) -> None:
    """Close the circle's open link for this role; without one, nothing changes. Raise NotLinkMaker."""
    hold_circle(circle_id)
    invite = open_link(circle_id, role)
    if invite is None:
        return
    if not may_revoke(invite, by):
        raise NotLinkMaker
    close(circle_id, role)


def close(circle_id: int, *roles: Role) -> None:
    """Close the open links for these roles, for a caller that has locked the circle."""
    Invite.objects.filter(circle=circle_id, role__in=roles, revoked_at=None).update(revoked_at=timezone.now())
