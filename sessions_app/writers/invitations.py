"""Invite links: made, shown, found again, taken back.

A link lets a phone in as keeper or as viewer of a table, until it is revoked; a table has one open link at most for
each. Its token is the link's number and a signature by the secret key: it stands in no table and cannot be made up.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

import segno
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.errors import NotLinkMaker
from sessions_app.models import Invite, Member, Role, User
from sessions_app.parsing import KEY_DIGITS, whole_number
from sessions_app.writers.transactions import hold_circle, writing

#: What a link can make of a phone.
ROLES: Final = (Role.KEEPER, Role.VIEWER)
SIGNATURE_BYTES: Final = 18  # 144 bits


@dataclass(frozen=True, slots=True)
class LinkView:
    """An open link: what it lets do, when it was made, and whether the asking member may take it back."""

    role: Role
    made_at: datetime
    by: str
    revocable: bool


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code as one SVG path in a square of `size` units, its quiet zone included."""

    size: int
    path: str


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


def open_link(circle_id: int, role: Role) -> Invite | None:
    """The table's open link for this role: one query."""
    return Invite.objects.filter(circle=circle_id, role=role, revoked_at=None).first()


def open_links(member: Member) -> tuple[LinkView, ...]:
    """The open links of the member's table, the one to write first: two queries."""
    names = dict(Member.objects.filter(circle=member.circle_id).values_list("user", "player__name"))
    invites = Invite.objects.filter(circle=member.circle_id, revoked_at=None).order_by("role")
    return tuple(
        LinkView(Role(invite.role), invite.made_at, names.get(invite.made_by_id or 0) or "", may_revoke(invite, member))
        for invite in invites
    )


def may_revoke(invite: Invite, member: Member) -> bool:
    return member.may(Role.OWNER) or invite.made_by_id == member.user_id


def token_of(invite: Invite) -> str:
    """The secret part of the link's address."""
    facts = f"{invite.pk} {invite.role} {invite.made_at.isoformat()}"
    signature = salted_hmac("sessions_app.writers.invitations", facts, algorithm="sha256").digest()
    return f"{invite.pk}-{urlsafe_b64encode(signature[:SIGNATURE_BYTES]).decode()}"


def find(token: str) -> Invite | None:
    """The link of this token, be it open or revoked; None for a token that was made up."""
    number = whole_number(token.partition("-")[0], KEY_DIGITS)
    invite = None if number is None else Invite.objects.filter(pk=number).first()
    return invite if invite and constant_time_compare(token, token_of(invite)) else None


def qr_code(text: str) -> QrCode:
    """Draw a text for a phone's camera."""
    rows = [bytes(row) for row in segno.make(text, micro=False).matrix_iter(border=4)]
    return QrCode(len(rows), "".join(bar for y, row in enumerate(rows) for bar in _bars(row, y)))


def _bars(row: bytes, y: int) -> Iterator[str]:
    """The dark runs of a row, each as a rectangle."""
    x = 0
    for dark, run in groupby(row):
        length = len(list(run))
        if dark:
            yield f"M{x} {y}h{length}v1h-{length}z"
        x += length
