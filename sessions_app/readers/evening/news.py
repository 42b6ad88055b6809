"""News of an evening: the latest change by another member, and reactions to hands (OK, or Hm? for a doubt)."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from sessions_app.models import Action, Evening, Hand, HandMark, Revision, User
from sessions_app.readers.evening import sheets
from sessions_app.readers.evening.hand_counts import has_standing
from sessions_app.readers.evening.sheets import HandRow, Sheet

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
    row: HandRow
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
        sheets.row_read(evening, hand, names),
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


# --- Reactions ---


@dataclass(frozen=True, slots=True)
class DoubtedHand:
    """A hand that a member doubts, until it is corrected or the doubt is settled."""

    number: int
    by: str
    is_agreed: bool


def doubted_hands(evening: Evening, by_user: dict[int, str]) -> list[DoubtedHand]:
    """Return the hands whose current revision is doubted: one query."""
    rows = _doubts.ask(evening=evening.pk)
    return [DoubtedHand(number, by_user.get(user, ""), kind == Hand.Kind.AGREED) for number, user, kind in rows]


@compiled
def _doubts(evening: Slot) -> QuerySet[HandMark, Any]:
    doubts = HandMark.objects.filter(
        hand__evening=evening, kind=HandMark.Kind.HM, settled_at=None, revision=F("hand__revision_count")
    )
    return doubts.order_by("hand__number", "pk").values_list("hand__number", "user", "hand__kind")


def with_agreed(evening: Evening, sheet: Sheet, by_user: dict[int, str]) -> Sheet:
    """Return the sheet with the names of the members who said OK to its hands as they stand: one query."""
    if not sheet.rows:
        return sheet
    said: dict[int, list[str]] = {}
    for number, user in _oks.ask(evening=evening.pk, first=sheet.rows[-1].number, last=sheet.rows[0].number):
        said.setdefault(number, []).append(by_user.get(user, ""))
    if not said:
        return sheet
    rows = (replace(row, agreed=tuple(said.get(row.number, ()))) for row in sheet.rows)
    return replace(sheet, rows=tuple(rows))


@compiled
def _oks(evening: Slot, first: Slot, last: Slot) -> QuerySet[HandMark, Any]:
    oks = HandMark.objects.filter(
        hand__evening=evening,
        hand__number__gte=first,
        hand__number__lte=last,
        kind=HandMark.Kind.OK,
        revision=F("hand__revision_count"),
    )
    return oks.order_by("pk").values_list("hand__number", "user")
