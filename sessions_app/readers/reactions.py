"""Members' reactions to hands: OK, or Hm? for a doubt."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, QuerySet

from scorekeeper.db.compiled_queries import Slot, compiled
from sessions_app.models import Evening, Hand, HandMark
from sessions_app.readers.sheets import Sheet


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
    if not sheet.lines:
        return sheet
    said: dict[int, list[str]] = {}
    for number, user in _oks.ask(evening=evening.pk, first=sheet.lines[-1].number, last=sheet.lines[0].number):
        said.setdefault(number, []).append(by_user.get(user, ""))
    if not said:
        return sheet
    lines = (replace(line, agreed=tuple(said.get(line.number, ()))) for line in sheet.lines)
    return replace(sheet, lines=tuple(lines))


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
