"""Demo circles: their players' names, their sole owners, and their running evenings."""

from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet

from sessions_app.models import Circle, Evening, Member, Role, User

SALT = "demo table"
#: The players' names; each game takes the first ones, as many as it needs.
NAMES = ("Anna", "Béla", "Cili", "Dani")


def circle_of_key(key: str) -> Circle | None:
    """Return the demo circle that `key` opens; None if it opens none."""
    try:
        return Circle.objects.filter(pk=signing.loads(key, salt=SALT), is_demo=True).first()
    except signing.BadSignature:
        return None


def running_evening(circle: Circle) -> Evening | None:
    """Return the evening of the demo that has not ended, or None: one query."""
    return circle.evenings.filter(ended_at=None).order_by("-started_at").first()


def may_clear(user: User) -> bool:
    """Return whether `user` is the sole owner of a demo circle: one query."""
    return owned_alone(user).exists()


def owned_alone(user: User) -> QuerySet[Circle]:
    others = Member.objects.filter(circle=OuterRef("pk"), role=Role.OWNER).exclude(user=user)
    mine = Member.objects.filter(circle=OuterRef("pk"), role=Role.OWNER, user=user)
    return Circle.objects.filter(Exists(mine), ~Exists(others), is_demo=True)
