"""The writer of members' reactions to hands: OK, or Hm? for a doubt."""

from django.utils import timezone

from sessions_app.models import HandMark, User
from sessions_app.writers.transactions import hold_circle_and_evening, writing
from sessions_app.writers.versions import raise_version


@writing
def mark(evening_id: int, number: int, kind: HandMark.Kind, *, by: User) -> None:
    """Set a member's reaction to a hand as it stands, in place of an earlier one. Raise Hand.DoesNotExist."""
    _circle, evening = hold_circle_and_evening(evening_id)
    hand = evening.hands.get(number=number)
    said = {"kind": kind, "revision": hand.revision_count, "made_at": timezone.now(), "settled_at": None}
    HandMark.objects.update_or_create(hand=hand, user=by, defaults=said)
    raise_version(evening)


@writing
def settle(evening_id: int, number: int) -> None:
    """Settle the doubts about a hand: the circle has agreed that it stands. Raise Hand.DoesNotExist."""
    _circle, evening = hold_circle_and_evening(evening_id)
    doubted = evening.hands.get(number=number).marks.filter(kind=HandMark.Kind.HM, settled_at=None)
    if doubted.update(settled_at=timezone.now()):
        raise_version(evening)
