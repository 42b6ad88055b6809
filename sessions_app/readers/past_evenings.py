"""A user's evenings, filtered and searched, in pages from the newest to the oldest.

A page begins after a cursor (the place of an evening in the list) and not after a number of evenings: the last page
costs what the first does, and an evening that ends meanwhile moves nothing. Each circle is read along its own index,
for as many evenings as a page has, so a page costs the same after 50 evenings and after 50,000.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final, Self

from django.db import connection
from django.db.models import BigIntegerField, Exists, OuterRef, Q
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot
from sessions_app.models import Evening, Seat
from sessions_app.readers.circles import CircleChoice
from sessions_app.readers.evening_lists import EVENINGS_PER_PAGE, EveningCard, card_of

#: The most evenings counted: counting more would cost more than the page itself. Fewer where each is read for it.
MOST_COUNTED: Final = 10_000
MOST_READ: Final = 1_000
#: Circles that are read along their own index. A user of more has few evenings in each.
MOST_APART: Final = 40
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: Microseconds up to the year 5138, and a primary key.
_CURSOR: Final = re.compile(r"(\d{1,17})-(\d{1,18})", re.ASCII)


class State(StrEnum):
    ENDED = "ended"
    RUNNING = "running"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the list: that of an evening, or with the number 0 the moment before all that start then."""

    started_at: datetime
    evening: int

    def __str__(self) -> str:
        return f"{(self.started_at - _EPOCH) // timedelta(microseconds=1)}-{self.evening}"

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Return the cursor that `text` writes, None if it writes none."""
        found = _CURSOR.fullmatch(text)
        return cls(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2])) if found else None

    @classmethod
    def after_day(cls, day: date) -> Self:
        """Return the cursor before the newest evening that started on this day or earlier."""
        return cls(_midnight(day + timedelta(days=1)), 0)

    # A condition on the time alone makes both databases begin to read the index there.
    def earlier(self, *, or_here: bool = False) -> Q:
        here = Q(id__lte=self.evening) if or_here else Q(id__lt=self.evening)
        return Q(started_at__lte=self.started_at) & (Q(started_at__lt=self.started_at) | here)

    def later(self, *, or_here: bool = False) -> Q:
        here = Q(id__gte=self.evening) if or_here else Q(id__gt=self.evening)
        return Q(started_at__gte=self.started_at) & (Q(started_at__gt=self.started_at) | here)


@dataclass(frozen=True, slots=True)
class Filter:
    """The evenings that are wanted: all `words` in the search text, a game, a player, days from–to, their state."""

    words: tuple[str, ...] = ()
    game_key: str = ""
    player: int | None = None
    first_day: date | None = None
    last_day: date | None = None
    state: State = State.ENDED

    @property
    def most_counted(self) -> int:
        """Return how many evenings are counted at most."""
        return MOST_READ if self.words or self.game_key or self.player is not None else MOST_COUNTED

    @property
    def condition(self) -> Q:
        wanted = Q(*(Q(search_text__contains=word) for word in self.words))
        if self.game_key:
            wanted &= Q(game_key=self.game_key)
        if self.player is not None:
            wanted &= Q(Exists(Seat.objects.filter(evening=OuterRef("pk"), player=self.player)))
        if self.first_day:
            wanted &= Q(started_at__gte=_midnight(self.first_day))
        if self.last_day:
            wanted &= Q(started_at__lt=_midnight(self.last_day + timedelta(days=1)))
        if self.state != State.ALL:
            wanted &= Q(ended_at__isnull=self.state == State.RUNNING)
        return wanted


@dataclass(frozen=True, slots=True)
class PastPage:
    """A page of evenings, and the cursors of the next pages (None: there is none).

    `count` is the number of all evenings found, at most the filter's `most_counted`; `is_more` tells of more.
    """

    cards: tuple[EveningCard, ...] = ()
    count: int = 0
    is_more: bool = False
    later: Cursor | None = None
    earlier: Cursor | None = None


def latest(circles: Sequence[CircleChoice], size: int) -> tuple[tuple[EveningCard, ...], bool]:
    """Return the latest ended evenings of the user's circles, and whether there are more: two queries."""
    rows = _first(circles, Filter().condition, newest=True, size=size + 1) if circles else []
    return tuple(_cards(rows[:size], circles)), len(rows) > size


def find(
    circles: Sequence[CircleChoice],
    wanted: Filter,
    *,
    after: Cursor | None = None,
    before: Cursor | None = None,
    size: int = EVENINGS_PER_PAGE,
) -> PastPage:
    """Return the page after one cursor or before another, the first page without any: three queries, one more with a
    cursor.

    The circles must be the user's: nothing else is read.
    """
    if not circles:
        return PastPage()
    mine = Evening.objects.filter(wanted.condition, circle__in=[circle.id for circle in circles]).order_by()
    ahead = before.later() if before else after.earlier() if after else Q()
    rows = _first(circles, wanted.condition & ahead, newest=before is None, size=size + 1)
    goes_on, rows = len(rows) > size, rows[:size]
    if before:
        rows.reverse()
        has_later, has_earlier = goes_on, mine.filter(before.earlier(or_here=True)).exists()
    else:
        has_later, has_earlier = after is not None and mine.filter(after.later(or_here=True)).exists(), goes_on
    # An empty page leads on from where it begins itself.
    top, bottom = (_cursor_of(rows[0]), _cursor_of(rows[-1])) if rows else (after, before)
    count = mine[: wanted.most_counted + 1].count()
    return PastPage(
        tuple(_cards(rows, circles)),
        min(count, wanted.most_counted),
        count > wanted.most_counted,
        top if has_later else None,
        bottom if has_earlier else None,
    )


def _cursor_of(evening: Evening) -> Cursor:
    return Cursor(evening.started_at, evening.pk)


def _first(circles: Sequence[CircleChoice], condition: Q, *, newest: bool, size: int) -> list[Evening]:
    """Return the first evenings of these circles in one order, each circle's read along its index: one query."""
    order = ("-started_at", "-id") if newest else ("started_at", "id")
    if len(circles) > MOST_APART:
        mine = Evening.objects.filter(condition, circle__in=[circle.id for circle in circles])
        return list(mine.order_by(*order)[:size])
    circle = Slot("circle", BigIntegerField())
    of_one = Evening.objects.filter(condition, circle=circle).order_by(*order)[:size]
    sql, params = of_one.query.get_compiler(connection=connection).as_sql()
    parts = " UNION ALL ".join(f"SELECT * FROM ({sql}) AS part{number}" for number in range(len(circles)))  # noqa: S608
    by = ", ".join(f"{name.removeprefix('-')} {'DESC' if newest else 'ASC'}" for name in order)
    given = [each.id if param is circle else param for each in circles for param in params]
    return list(Evening.objects.raw(f"{parts} ORDER BY {by} LIMIT {size}", given))


def _cards(evenings: Sequence[Evening], circles: Sequence[CircleChoice]) -> Iterator[EveningCard]:
    """Yield the cards of these evenings: one query for all seats."""
    demos = {circle.id for circle in circles if circle.is_demo}
    seats = defaultdict(list)
    rows = Seat.objects.filter(evening__in=[evening.pk for evening in evenings]).order_by("evening", "position")
    for evening, position, name in rows.values_list("evening", "position", "player__name"):
        seats[evening].append((position, name))
    for each in evenings:
        yield card_of(each, seats[each.pk], each.circle_id in demos)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
