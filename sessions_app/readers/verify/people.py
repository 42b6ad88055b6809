"""Check of the circles' phones: members, removals, claims to ownership and invite links."""

from collections.abc import Iterator

from django.db.models import F, Q

from sessions_app.models import Invite, Member, OwnershipClaim, Removal, Role
from sessions_app.readers.verify.faults import CircleFault


def people_faults() -> Iterator[CircleFault]:
    """Yield the faults of phones and what they may do."""
    for model, who in ((Member, "member"), (Removal, "removed member")):
        for name in ("player", "held_as"):
            strange = model.objects.filter(**{f"{name}__isnull": False}).exclude(**{f"{name}__circle": F("circle")})
            for pk, circle, player in strange.order_by("pk").values_list("pk", "circle", name):
                yield circle, f"{who} {pk} is player {player} of another circle"
    inactive = Member.objects.filter(user__is_active=False).order_by("pk")
    for pk, circle, user in inactive.values_list("pk", "circle", "user"):
        yield circle, f"member {pk} is user {user}, who is not active"
    yield from _of_claims()
    closed_early = Invite.objects.filter(revoked_at__lt=F("made_at")).order_by("pk")
    for pk, circle in closed_early.values_list("pk", "circle"):
        yield circle, f"invite {pk} was revoked before it was made"


def _of_claims() -> Iterator[CircleFault]:
    claims = OwnershipClaim.objects.order_by("pk")
    for pk, circle, member in claims.exclude(member__circle=F("circle")).values_list("pk", "circle", "member"):
        yield circle, f"claim {pk} is of member {member} of another circle"
    # A member of another role closes his claim with his role.
    strange = claims.filter(~Q(member__role=Role.KEEPER), closed_at=None)
    for pk, circle, role in strange.values_list("pk", "circle", "member__role"):
        yield circle, f"claim {pk} is open, but its member is {role}"
    for pk, circle in claims.filter(closed_at__lt=F("made_at")).values_list("pk", "circle"):
        yield circle, f"claim {pk} was closed before it was made"
