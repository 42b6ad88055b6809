"""A user's evenings, filtered and searched, in pages from the newest to the oldest.

A page begins after a cursor (the place of an evening in the list) and not after a number of evenings: the last page
costs what the first does, and an evening that ends meanwhile moves nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from django.db.models import Exists, OuterRef, Q, QuerySet

from sessions_app.models import Evening, Seat
from sessions_app.readers.book.lists import EVENINGS_PER_PAGE, EveningCard, card_of
from sessions_app.readers.evening.seating import seats_by_evening
from sessions_app.readers.people.circles import CircleChoice
from sessions_app.words.periods import Period, midnight

#: The most evenings counted: counting more would cost more than the page itself. Fewer where each is read for it.
MOST_COUNTED: Final = 10_000
MOST_READ: Final = 1_000
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
        return cls(midnight(day + timedelta(days=1)), 0)

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

    def evenings_of(self, circles: Sequence[CircleChoice]) -> QuerySet[Evening]:
        """Return the evenings of these circles that are wanted, in no order."""
        wanted = Q(circle__in=[circle.id for circle in circles])
        for word in self.words:
            wanted &= Q(search_text__contains=word)
        if self.game_key:
            wanted &= Q(game_key=self.game_key)
        if self.player is not None:
            wanted &= Q(Exists(Seat.objects.filter(evening=OuterRef("pk"), player=self.player)))
        wanted &= Q(**Period(self.first_day, self.last_day).of_evenings())
        if self.state != State.ALL:
            wanted &= Q(ended_at__isnull=self.state == State.RUNNING)
        return Evening.objects.filter(wanted)


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
    rows = _first(Filter().evenings_of(circles), size + 1) if circles else []
    return tuple(_cards(rows[:size], circles)), len(rows) > size


def find(
    circles: Sequence[CircleChoice],
    wanted: Filter,
    *,
    after: Cursor | None = None,
    before: Cursor | None = None,
    size: int = EVENINGS_PER_PAGE,
) -> PastPage:
    """Return the page after one cursor or before another, the first page without any: at most three queries, four with
    a cursor.

    The circles must be the user's: nothing else is read.
    """
    if not circles:
        return PastPage()
    found = wanted.evenings_of(circles)
    if before:
        rows = _first(found.filter(before.later()), size + 1, newest=False)
    else:
        rows = _first(found.filter(after.earlier()) if after else found, size + 1)
    goes_on, rows = len(rows) > size, rows[:size]
    if before:
        rows.reverse()
        has_later, has_earlier = goes_on, found.filter(before.earlier(or_here=True)).exists()
    else:
        has_later = after is not None and found.filter(after.later(or_here=True)).exists()
        has_earlier = goes_on
    # An empty page leads on from where it begins itself.
    top, bottom = (Cursor(each.started_at, each.pk) for each in (rows[0], rows[-1])) if rows else (after, before)
    # A first page without a next one has them all.
    count = found[: wanted.most_counted + 1].count() if goes_on or before or after else len(rows)
    return PastPage(
        tuple(_cards(rows, circles)),
        min(count, wanted.most_counted),
        count > wanted.most_counted,
        top if has_later else None,
        bottom if has_earlier else None,
    )


def _first(evenings: QuerySet[Evening], size: int, *, newest: bool = True) -> list[Evening]:
    """Return the newest or the oldest of these evenings in that order: one query.

    By their keys: an index has all that is sorted.
    """
    order = ("-started_at", "-id") if newest else ("started_at", "id")
    keys = evenings.order_by(*order).values("pk")[:size]
    return list(Evening.objects.filter(pk__in=keys).order_by(*order))


def _cards(evenings: Sequence[Evening], circles: Sequence[CircleChoice]) -> Iterator[EveningCard]:
    """Yield the cards of these evenings: one query for all seats, none if there are no evenings."""
    demos = {circle.id for circle in circles if circle.is_demo}
    seats = seats_by_evening([evening.pk for evening in evenings])
    for each in evenings:
        yield card_of(each, seats[each.pk], each.circle_id in demos)
