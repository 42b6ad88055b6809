"""A user's evenings, filtered and searched, in pages from the newest to the oldest.

A page begins after a cursor (the place of an evening in the list) and not after a number of evenings: the last page
costs what the first does, and an evening that ends meanwhile moves nothing. Each circle is read along its own index,
for as many evenings as a page has, so a page costs the same after 50 evenings and after 50,000.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Self, cast

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.expressions import RawSQL
from django.db.models.lookups import In
from django.utils import timezone

from scorekeeper.db.compiled_queries import CompiledCount, CompiledQuery, Slot, columns, loaded, slot
from sessions_app.models import Evening, Seat
from sessions_app.readers.book.lists import EVENINGS_PER_PAGE, EveningCard, card_of
from sessions_app.readers.evening.seating import seats_by_evening
from sessions_app.readers.people.circles import CircleChoice

#: The most evenings counted: counting more would cost more than the page itself. Fewer where each is read for it.
MOST_COUNTED: Final = 10_000
MOST_READ: Final = 1_000
#: Circles that are read along their own index. A user of more has few evenings in each.
MOST_APART: Final = 40
#: Compiled queries of each sort: one for each combination of filters, number of circles and size.
KINDS: Final = 200
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


#: The conditions by the names of their values; those of several words are 'word 0', 'word 1' and so on.
_CONDITIONS: Final[Mapping[str, Callable[[Slot], Q]]] = {
    "word": lambda word: Q(search_text__contains=word),
    "game": lambda key: Q(game_key=key),
    "player": lambda player: Q(Exists(Seat.objects.filter(evening=OuterRef("pk"), player=player))),
    "first": lambda moment: Q(started_at__gte=moment),
    "last": lambda moment: Q(started_at__lt=moment),
}


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
    def values(self) -> dict[str, Any]:
        """Return the values of the conditions that are asked for, by their names."""
        values: dict[str, Any] = {f"word {number}": word for number, word in enumerate(self.words)}
        if self.game_key:
            values["game"] = self.game_key
        if self.player is not None:
            values["player"] = self.player
        if self.first_day:
            values["first"] = _midnight(self.first_day)
        if self.last_day:
            values["last"] = _midnight(self.last_day + timedelta(days=1))
        return values


@dataclass(frozen=True, slots=True)
class _Asked:
    """The conditions of a query without their values, as the key of its compiled SQL.

    `conditions` are names, `place` is the method of the cursor that says where the evenings are, '' without a cursor.
    """

    circles: int
    conditions: tuple[str, ...]
    state: State
    place: str = ""
    or_here: bool = False

    @property
    def in_circles(self) -> In:
        return In(F("circle"), [slot(_circle(number)) for number in range(self.circles)])

    @property
    def condition(self) -> Q:
        wanted = Q(*(_CONDITIONS[name.partition(" ")[0]](slot(name)) for name in self.conditions))
        if self.state != State.ALL:
            wanted &= Q(ended_at__isnull=self.state == State.RUNNING)
        if self.place:
            wanted &= getattr(_ANY_CURSOR, self.place)(or_here=self.or_here)
        return wanted


_ANY_CURSOR: Final = Cursor(cast(Any, slot("cursor at")), cast(Any, slot("cursor evening")))


def _circle(number: int) -> str:
    return f"circle {number}"


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
    search = _Search(circles, Filter())
    rows = search.first(size + 1) if circles else []
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
    search = _Search(circles, wanted)
    rows = search.first(size + 1, before=before, after=after)
    goes_on, rows = len(rows) > size, rows[:size]
    if before:
        rows.reverse()
        has_later, has_earlier = goes_on, search.has("earlier", before)
    else:
        has_later, has_earlier = after is not None and search.has("later", after), goes_on
    # An empty page leads on from where it begins itself.
    top, bottom = (_cursor_of(rows[0]), _cursor_of(rows[-1])) if rows else (after, before)
    # A first page without a next one has them all.
    count = search.count(wanted.most_counted + 1) if goes_on or before or after else len(rows)
    return PastPage(
        tuple(_cards(rows, circles)),
        min(count, wanted.most_counted),
        count > wanted.most_counted,
        top if has_later else None,
        bottom if has_earlier else None,
    )


def _cursor_of(evening: Evening) -> Cursor:
    return Cursor(evening.started_at, evening.pk)


class _Search:
    """The queries of a page. Their SQL is compiled once for all of the same kind."""

    def __init__(self, circles: Sequence[CircleChoice], wanted: Filter) -> None:
        self._values = wanted.values
        self._all = _Asked(len(circles), tuple(self._values), wanted.state)
        self._values |= {_circle(number): each.id for number, each in enumerate(circles)}

    def first(self, size: int, *, before: Cursor | None = None, after: Cursor | None = None) -> list[Evening]:
        """Return the first evenings after a cursor, or the last before one, backwards: one query."""
        asked = replace(self._all, place="later" if before else "earlier" if after else "")
        query = _first(asked, newest=before is None, size=size, is_apart=asked.circles <= MOST_APART)
        return [loaded(Evening, columns(Evening), row) for row in query.ask(**self._given(before or after))]

    def has(self, place: str, cursor: Cursor) -> bool:
        """Return whether there is an evening at the cursor or at that side of it: one query."""
        return bool(_any(replace(self._all, place=place, or_here=True)).ask(**self._given(cursor)))

    def count(self, most: int) -> int:
        """Return the number of evenings, `most` for more: one query."""
        ((count,),) = _count(self._all, most).ask(**self._given(None))
        return cast(int, count)

    def _given(self, cursor: Cursor | None) -> dict[str, Any]:
        at = {"cursor at": cursor.started_at, "cursor evening": cursor.evening} if cursor else {}
        return self._values | at


@lru_cache(KINDS)
def _first(asked: _Asked, *, newest: bool, size: int, is_apart: bool) -> CompiledQuery:
    """Return the query of the first evenings in one order; if `is_apart`, each circle's are read along its index."""
    order = ("-started_at", "-id") if newest else ("started_at", "id")
    rows = Evening.objects.order_by(*order).values_list(*columns(Evening))
    if not is_apart:
        return CompiledQuery(lambda: rows.filter(asked.condition, asked.in_circles)[:size])
    circle = slot("circle")
    of_one = Evening.objects.filter(asked.condition, circle=circle).order_by(*order)[:size]
    sql, params = of_one.values("id", "started_at").query.get_compiler(connection=connection).as_sql()
    parts = " UNION ALL ".join(f"SELECT * FROM ({sql}) AS part{number}" for number in range(asked.circles))  # noqa: S608
    by = ", ".join(f"{name.removeprefix('-')} {'DESC' if newest else 'ASC'}" for name in order)
    keys = f"SELECT id FROM ({parts}) AS parts ORDER BY {by} LIMIT {size}"  # noqa: S608
    given = [slot(_circle(n)) if param is circle else param for n in range(asked.circles) for param in params]
    return CompiledQuery(lambda: rows.filter(id__in=RawSQL(keys, given)))  # noqa: S611  Django's own SQL


@lru_cache(KINDS)
def _any(asked: _Asked) -> CompiledQuery:
    evenings = Evening.objects.filter(asked.condition, asked.in_circles)
    return CompiledQuery(lambda: evenings.order_by().values_list("id")[:1])


@lru_cache(KINDS)
def _count(asked: _Asked, most: int) -> CompiledQuery:
    evenings = Evening.objects.filter(asked.condition, asked.in_circles)
    return CompiledCount(lambda: evenings.order_by().values_list("id")[:most])


def _cards(evenings: Sequence[Evening], circles: Sequence[CircleChoice]) -> Iterator[EveningCard]:
    """Yield the cards of these evenings: one query for all seats, none if there are no evenings."""
    demos = {circle.id for circle in circles if circle.is_demo}
    seats = seats_by_evening([evening.pk for evening in evenings])
    for each in evenings:
        yield card_of(each, seats[each.pk], each.circle_id in demos)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
