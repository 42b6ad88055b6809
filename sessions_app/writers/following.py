"""Who follows an evening on which phone, and what they say of its hands: OK, or Hm?"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import InternalError, OperationalError
from django.db.models import F
from django.utils import timezone

from scorekeeper.sqlite.turns import waiting_at_most
from sessions_app.models import Action, GameSession, HandMark, Member, Removal, Revision, User
from sessions_app.readers import queries
from sessions_app.readers.queries import HandLine, Sheet
from sessions_app.writers.writing import hold_evening, writing

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


def touch(member: Member) -> None:
    """Note that the member's phone follows; a write only if the last is some time ago.

    Who reads waits for nobody who writes, and fails for nobody: if it cannot be noted now, he asks again in a moment.
    """
    now = timezone.now()
    if member.last_seen_at is None or member.last_seen_at < now - TOUCH:
        with suppress(OperationalError, InternalError), waiting_at_most(0):
            Member.objects.filter(pk=member.pk).update(last_seen_at=now)


def names_of(evening: GameSession) -> dict[int, str]:
    """The players' names by the users who hold their phones, those taken off the table too: two queries."""
    of_table = {"table": evening.table_id, "player__isnull": False}
    gone = Removal.objects.filter(**of_table).values_list("user", "player__name")
    here = Member.objects.filter(**of_table).values_list("user", "player__name")
    return dict(gone) | dict(here)


def followers(evening: GameSession) -> list[str]:
    """Who follows now, by name, and '' for each who only watches: one query."""
    since = timezone.now() - FOLLOWING
    members = Member.objects.filter(table=evening.table_id, last_seen_at__gte=since).order_by("pk")
    return [name or "" for name in members.values_list("player__name", flat=True)]


def news(evening: GameSession, names: list[str], by_user: dict[int, str], me: User) -> News | None:
    """The latest thing that another phone wrote, while it is new and I have not answered it: at most three queries."""
    latest = (
        Revision.objects.filter(hand__game_session=evening, made_at__gte=timezone.now() - NEWS)
        .exclude(made_by=me)
        .exclude(action=Action.RECOUNT)
        .select_related("hand")
        .order_by("-pk")
        .first()
    )
    if latest is None or latest.number != latest.hand.revision_count:
        return None
    hand = latest.hand
    if hand.marks.filter(user=me, revision=hand.revision_count).exists():
        return None
    return News(
        hand.number,
        latest.action,
        by_user.get(latest.made_by_id or 0, ""),
        queries.line_of(evening, hand, names),
        latest.effects.count() if evening.standing and latest.action != Action.RECORD else 0,
    )


def doubts(evening: GameSession, by_user: dict[int, str]) -> list[Doubt]:
    """The hands that are doubted as they stand: one query."""
    open_marks = HandMark.objects.filter(
        hand__game_session=evening, kind=HandMark.Kind.HM, settled_at=None, revision=F("hand__revision_count")
    ).order_by("hand__number", "pk")
    return [Doubt(number, by_user.get(user, "")) for number, user in open_marks.values_list("hand__number", "user")]


def agreed(evening: GameSession, sheet: Sheet, by_user: dict[int, str]) -> Sheet:
    """The sheet with who said OK to its hands as they stand: one query."""
    oks = HandMark.objects.filter(
        hand__game_session=evening,
        hand__number__in=[line.number for line in sheet.lines],
        kind=HandMark.Kind.OK,
        revision=F("hand__revision_count"),
    ).order_by("pk")
    said: dict[int, list[str]] = {}
    for number, user in oks.values_list("hand__number", "user"):
        said.setdefault(number, []).append(by_user.get(user, ""))
    lines = (replace(line, agreed=tuple(said.get(line.number, ()))) for line in sheet.lines)
    return replace(sheet, lines=tuple(lines))


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


def _renew(evening: GameSession) -> None:
    evening.version += 1
    evening.save(update_fields=["version"])
