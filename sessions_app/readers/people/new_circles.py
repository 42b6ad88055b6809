"""Permission to start a circle or to open a demo, by the server's settings; the demos, and sessions just started."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.errors import NewCircleRefused
from sessions_app.models import CODE_KEY_LENGTH, Circle, Evening, Member, Role, User

_SALT: Final = "sessions_app.readers.people.new_circles"


def are_open() -> bool:
    """Return whether anybody may start a circle."""
    return bool(settings.CIRCLES == "anybody")


def refusal(user: User | None) -> str:
    """Return why the user, None for a stranger, may not start a circle, as a code of NewCircleRefused; '' if he may.

    One query if members may, else none.
    """
    match settings.CIRCLES:
        case "code":
            is_allowed = user is not None and constant_time_compare(user.code_key, code_key())
        case "members":
            is_allowed = user is not None and _memberships(user).exists()
        case who:
            is_allowed = who == "anybody"
    return "" if is_allowed else settings.CIRCLES


def may_start_session(user: User | None) -> bool:
    """Return whether the user may start a session, in a new circle or in one of his; a stranger may have the code."""
    if refusal(user) in ("", "code"):
        return True
    writers = {"role__in": [Role.OWNER, Role.KEEPER], "circle__archived_at": None}
    return user is not None and _memberships(user).filter(**writers).exists()


def _memberships(user: User) -> QuerySet[Member]:
    """Return the user's memberships of circles that are neither demos nor being deleted."""
    return Member.objects.filter(user=user, circle__is_demo=False, circle__deleted_from=None)


def require_new_circle(user: User | None) -> None:
    """Raise NewCircleRefused unless the user may start a circle."""
    if why := refusal(user):
        raise NewCircleRefused(why)


def code_key() -> str:
    """Return a keyed hash of the server's code: a user who has it keeps it, until the code is another one."""
    return _hashed(settings.CIRCLE_CODE)


def is_code(typed: str) -> bool:
    """Return whether this is the server's code; capitals and spaces do not matter."""
    return settings.CIRCLES == "code" and constant_time_compare(_hashed(typed), code_key())


def _hashed(code: str) -> str:
    plain = "".join(code.split()).casefold()
    return salted_hmac(_SALT, plain, algorithm="sha256").hexdigest()[:CODE_KEY_LENGTH]


# --- Sessions that were just started ---


JUST_STARTED = timedelta(minutes=5)


def starter_of(token: UUID) -> User | None:
    """Return the guest who started an evening by this token just now, while he is its circle's only member.

    Two taps of a phone that is not known yet are two strangers to the server: this makes them one guest. The token was
    in that phone's form and nowhere else, until the evening is written to: a document that is taken along names it too.
    """
    members = Member.objects.filter(
        circle__evenings__token=token,
        circle__evenings__version=1,
        circle__evenings__started_at__gte=timezone.now() - JUST_STARTED,
    ).select_related("user")[:2]
    return members[0].user if len(members) == 1 and members[0].user.is_guest else None


def has_started(user: User | None, token: UUID | None) -> bool:
    """Return whether an evening of one of the user's circles was started by this token: one query at most."""
    return token is not None and Evening.objects.filter(token=token, circle__members__user=user).exists()


# --- Demos ---


DEMO_SALT = "demo table"
#: The players' names; each game takes the first ones, as many as it needs.
DEMO_NAMES = ("Anna", "Béla", "Cili", "Dani")


def circle_of_key(key: str) -> Circle | None:
    """Return the demo circle that `key` opens; None if it opens none."""
    try:
        return Circle.objects.filter(pk=signing.loads(key, salt=DEMO_SALT), is_demo=True).first()
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
