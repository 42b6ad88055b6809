"""Invite links: their tokens, and which are open."""

import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.errors import LinkRevoked, RemovedFromCircle
from sessions_app.models import Invite, Member, Removal, Role, User
from sessions_app.words.parsing import KEY_DIGITS, whole_number

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
