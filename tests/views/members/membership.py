"""Addresses under a session's members page, and the database rows of its circle's members."""

from datetime import timedelta
from typing import Any

from sessions_app.models import Evening, Invite, Member, OwnershipClaim, Player, Removal, Role, User
from tests.factories import MemberFactory

DAY = timedelta(hours=24)


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/members/{rest}"


def named(evening: Evening, name: str, role: Role, **facts: Any) -> Member:
    """A member who holds this player's phone."""
    return MemberFactory(
        circle=evening.circle, role=role, player=Player.objects.get(circle=evening.circle, name=name), **facts
    )


def roles(evening: Evening) -> list[str]:
    return sorted(Member.objects.filter(circle=evening.circle).values_list("role", flat=True))


def version(evening: Evening) -> int:
    return Evening.objects.get(pk=evening.pk).version


def rows() -> list[Any]:
    """All that these pages may write."""
    return [list(model.objects.order_by("pk").values()) for model in (Member, Removal, Invite, OwnershipClaim, User)]
