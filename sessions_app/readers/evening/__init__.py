"""One evening: its own row, here; its sheet, its hands, its players, the hand in play, its result in the modules."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from sessions_app.models import Evening, Hand, HandInPlay, Member, RepaymentEvening, User


def evening_of(pk: int) -> Evening:
    """Return an evening: one query. Raise Evening.DoesNotExist."""
    for row in _evening.ask(pk=pk):
        return loaded(Evening, columns(Evening), row)
    raise Evening.DoesNotExist


@compiled
def _evening(pk: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(pk=pk).values_list(*columns(Evening))


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


def kept_by(evening: Evening) -> str:
    """Return what keeps the evening from being removed: "hand" (one that is not void), "payment" (also one taken back)
    or "play" (a hand in play); "" if nothing does. One query, none if a played hand stands.
    """
    if evening.hand_count:
        return "hand"
    reasons = {
        "hand": Hand.objects.filter(evening=OuterRef("pk"), is_void=False),
        "payment": RepaymentEvening.objects.filter(evening=OuterRef("pk")),
        "play": HandInPlay.objects.filter(evening=OuterRef("pk")).exclude(state={}),
    }
    asked = Evening.objects.filter(pk=evening.pk).values_list(*(Exists(rows) for rows in reasons.values()))
    return next((reason for reason, holds in zip(reasons, asked.get(), strict=True) if holds), "")
