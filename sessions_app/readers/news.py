"""The latest change of an evening by another phone."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from sessions_app.models import Action, Evening, Hand, HandMark, Revision, User
from sessions_app.readers import sheets
from sessions_app.readers.hand_counts import has_standing
from sessions_app.readers.sheets import HandLine

#: Time during which a new hand is announced on the other phones.
SHOWN_FOR = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class News:
    """The latest write of another phone: the hand's number, the action, its author ('' for a member without a player).

    `recounted` is the number of later hands that were recounted because of it.
    """

    number: int
    action: str
    by: str
    line: HandLine
    recounted: int = 0


def latest_news(evening: Evening, names: list[str], by_user: dict[int, str], me: User) -> News | None:
    """Return the latest write of another phone, while it is new and `me` has not answered it: at most three queries."""
    rows = _latest.ask(evening=evening.pk, since=timezone.now() - SHOWN_FOR, me=me.pk)
    if not rows:
        return None
    revision, action, by, *row = rows[0]
    hand = loaded(Hand, columns(Hand), row)
    if revision != hand.revision_count or _answered.ask(hand=hand.pk, me=me.pk, revision=revision):
        return None
    return News(
        hand.number,
        action,
        by_user.get(by or 0, ""),
        sheets.line_read(evening, hand, names),
        _recounted(hand, revision) if has_standing(evening) and action != Action.RECORD else 0,
    )


def _recounted(hand: Hand, revision: int) -> int:
    """Return the number of later hands that were recounted because of a change."""
    return Revision.objects.filter(cause__hand=hand, cause__number=revision).count()


@compiled
def _latest(evening: Slot, since: Slot, me: Slot) -> QuerySet[Revision, Any]:
    revisions = (
        Revision.objects.filter(hand__evening=evening, made_at__gte=since)
        .exclude(made_by=me)
        .exclude(action=Action.RECOUNT)
    )
    of_hand = (f"hand__{name}" for name in columns(Hand))
    return revisions.order_by("-pk").values_list("number", "action", "made_by_id", *of_hand)[:1]


@compiled
def _answered(hand: Slot, me: Slot, revision: Slot) -> QuerySet[HandMark, Any]:
    return HandMark.objects.filter(hand=hand, user=me, revision=revision).values_list("pk")
