"""Helpers of the readers' tests: lengthen an evening, and read it again."""

from sessions_app.models import Evening, User
from tests.factories import record, repeat

NAMES = ["Anna", "Béla", "Cili"]


def grow(evening: Evening, by: User, hands: int) -> None:
    """Let an evening be as if that many hands had been played."""
    for _dealer in range(min(hands, 3)):
        record(evening, by)
    if hands > 3:
        repeat(evening, hands)
    evening.refresh_from_db()


def as_it_is(evening: Evening) -> Evening:
    return Evening.objects.get(pk=evening.pk)
