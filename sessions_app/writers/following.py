"""Who follows an evening on which phone, and what they say of its hands: OK, or Hm?"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import InternalError, OperationalError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from scorekeeper.db.sqlite.write_queue import waiting_at_most
from sessions_app.models import Action, Evening, Hand, HandMark, Member, Removal, Revision, User
from sessions_app.readers import sheets
from sessions_app.readers.hand_counts import has_standing
from sessions_app.readers.sheets import HandLine, Sheet
from sessions_app.writers.transactions import hold_evening, writing

#: A phone asks every two seconds; one that has not for this long is put away, or asleep.
FOLLOWING = timedelta(seconds=45)
#: How often a follower's time is written down: seldom enough that polling stays a matter of reading.
TOUCH = timedelta(seconds=20)
#: How long a new hand is announced on the other phones.
NEWS = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class News:
    """What another phone has just written: which hand, what was done to it, by whom ('' where he did not say).

    `recounted` is how many later hands come to something else because of it.
    """

    number: int
    action: str
    by: str
    line: HandLine
    recounted: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """A hand that somebody doubts, until it is corrected or the doubt is settled."""

    number: int
    by: str
    is_agreed: bool


def touch(member: Member) -> None:
    """Note that the member's phone follows; a write only if the last is some time ago.

    Who reads waits for nobody who writes, and fails for nobody: if it cannot be noted now, he asks again in a moment.
    """
    now = timezone.now()
    if member.last_seen_at is None or member.last_seen_at < now - TOUCH:
        with suppress(OperationalError, InternalError), waiting_at_most(0):
            Member.objects.filter(pk=member.pk).update(last_seen_at=now)


def names_of(evening: Evening) -> dict[int, str]:
    """The players' names by the users who hold their phones, those taken off the table too: two queries."""
    rows = [*_gone.ask(circle=evening.circle_id), *_here.ask(circle=evening.circle_id)]
    return {user: name for user, name in rows}  # noqa: C416  rows are sequences


@compiled
def _gone(circle: Slot) -> QuerySet[Removal, Any]:
    return Removal.objects.filter(circle=circle, player__isnull=False).values_list("user", "player__name")


@compiled
def _here(circle: Slot) -> QuerySet[Member, Any]:
    return Member.objects.filter(circle=circle, player__isnull=False).values_list("user", "player__name")


def followers(evening: Evening, me: Member) -> list[str]:
    """Return the names of those whose phones follow now, `me` among them, '' for each that only watches: one query."""
    found = _following.ask(circle=evening.circle_id, since=timezone.now() - FOLLOWING, me=me.pk)
    return [name or "" for (name,) in found]


@compiled
def _following(circle: Slot, since: Slot, me: Slot) -> QuerySet[Member, Any]:
    present = Member.objects.filter(Q(last_seen_at__gte=since) | Q(pk=me), circle=circle)
    return present.order_by("pk").values_list("player__name")


def news(evening: Evening, names: list[str], by_user: dict[int, str], me: User) -> News | None:
    """The latest thing that another phone wrote, while it is new and I have not answered it: at most three queries."""
    rows = _latest.ask(evening=evening.pk, since=timezone.now() - NEWS, me=me.pk)
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
    """How many later hands were counted again because of a change."""
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


def doubts(evening: Evening, by_user: dict[int, str]) -> list[Doubt]:
    """The hands that are doubted as they stand: one query."""
    rows = _doubts.ask(evening=evening.pk)
    return [Doubt(number, by_user.get(user, ""), kind == Hand.Kind.AGREED) for number, user, kind in rows]


@compiled
def _doubts(evening: Slot) -> QuerySet[HandMark, Any]:
    doubts = HandMark.objects.filter(
        hand__evening=evening, kind=HandMark.Kind.HM, settled_at=None, revision=F("hand__revision_count")
    )
    return doubts.order_by("hand__number", "pk").values_list("hand__number", "user", "hand__kind")


def agreed(evening: Evening, sheet: Sheet, by_user: dict[int, str]) -> Sheet:
    """The sheet with who said OK to its hands as they stand: one query."""
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


@writing
def mark(evening_id: int, number: int, kind: HandMark.Kind, *, by: User) -> None:
    """Say OK or Hm? to a hand as it stands; what the member said before gives way. Raises Hand.DoesNotExist."""
    evening = hold_evening(evening_id)
    hand = evening.hands.get(number=number)
    said = {"kind": kind, "revision": hand.revision_count, "made_at": timezone.now(), "settled_at": None}
    HandMark.objects.update_or_create(hand=hand, user=by, defaults=said)
    _renew(evening)


@writing
def settle(evening_id: int, number: int) -> None:
    """Settle the doubts about a hand: the table has agreed that it stands. Raises Hand.DoesNotExist."""
    evening = hold_evening(evening_id)
    doubted = evening.hands.get(number=number).marks.filter(kind=HandMark.Kind.HM, settled_at=None)
    if doubted.update(settled_at=timezone.now()):
        _renew(evening)


def _renew(evening: Evening) -> None:
    evening.version += 1
    evening.save(update_fields=["version"])
