"""A user's evenings: for lists, for a new one, and past ones filtered and searched, from the newest to the oldest.

A fixed number of queries, however many there are. A page of past evenings begins after a cursor (the place of an
evening in the list) and not after a number of evenings: the last page costs what the first does, and an evening that
ends meanwhile moves nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from scorekeeper.games.amounts import Amount
from sessions_app.models import OPEN, Circle, Evening, Role, Seat, User
from sessions_app.readers.evening.seating import (
    SeatView,
    Turn,
    last_deal,
    seat_views,
    seats_by_evening,
    turn_after,
)
from sessions_app.readers.people.circles import CircleChoice
from sessions_app.words.periods import Period, midnight

EVENINGS_PER_PAGE = 20
#: Evenings on the page of a circle or a player; all of them are in the list of past evenings.
LATEST: Final = 6


@dataclass(frozen=True, slots=True)
class EveningCard:
    """An evening as the lists show it; `is_written` where its sheet has any hand or agreed entry.

    `turn` is the next deal of a running evening, None for one that has ended or where a list does not show it.
    """

    id: int
    game_key: str
    started_at: datetime
    has_ended: bool
    hand_count: int
    is_written: bool
    currency: str
    seats: tuple[SeatView, ...]
    is_demo: bool
    turn: Turn | None
    in_chips: bool = False
    title: str = ""
    note: str = ""

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def results(self) -> list[SeatView]:
        """Return the seats, the best balance first; of equal ones in the order of seats."""
        return sorted(self.seats, key=lambda seat: -seat.balance)

    @property
    def month(self) -> date:
        """Return the first day of the month in which the evening began."""
        return timezone.localdate(self.started_at).replace(day=1)

    @property
    def best(self) -> Amount:
        """Return the winners' balance; 0 if nobody won."""
        return max(seat.balance for seat in self.seats)


@dataclass(frozen=True, slots=True)
class NeighbourEvening:
    """The evening that a circle played before or after another one."""

    id: int
    game_key: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The evenings that a circle played before and after another one."""

    before: NeighbourEvening | None
    after: NeighbourEvening | None


def running(user: User) -> tuple[EveningCard, ...]:
    """Return the evenings of `user`'s circles that have not ended, the latest first: two queries."""
    mine = Evening.objects.filter(circle__members__user=user, circle__deleted_from=None, ended_at=None)
    return _cards(_first(mine, EVENINGS_PER_PAGE).annotate(last_deal=last_deal()))


def neighbours_of(evening: Evening) -> Neighbours:
    """Return the circle's evenings next to this one: one query. None of one that still runs: no query."""
    if not evening.has_ended:
        return Neighbours(None, None)
    at, pk = evening.started_at, evening.pk
    circle, here = Evening.objects.filter(circle=evening.circle_id), Cursor(at, pk)
    earlier = circle.filter(here.earlier()).order_by("-started_at", "-id")
    later = circle.filter(here.later()).order_by("started_at", "id")
    either = Q(pk=Subquery(earlier.values("pk")[:1])) | Q(pk=Subquery(later.values("pk")[:1]))
    rows = Evening.objects.filter(either).values_list("id", "game_key", "started_at")
    found = [NeighbourEvening(*row) for row in rows]
    before = next((each for each in found if (each.started_at, each.id) < (at, pk)), None)
    after = next((each for each in found if (each.started_at, each.id) > (at, pk)), None)
    return Neighbours(before, after)


def latest_evening(user: User, **which: object) -> Evening | None:
    """Return the latest started evening, of those that are `which`, that `user` may write to: one query.

    Demos and closed circles are left out. Of a circle only the latest is read: its index leads there.
    """
    of_one = Evening.objects.filter(circle=OuterRef("pk")).filter(**which).order_by("-started_at", "-id")
    mine = Circle.objects.filter(OPEN, members__user=user, members__role__in=[Role.OWNER, Role.KEEPER], is_demo=False)
    latest = mine.annotate(latest=Subquery(of_one.values("pk")[:1])).values("latest")
    return Evening.objects.filter(pk__in=latest).order_by("-started_at", "-id").first()


def last_rules(user: User, game_key: str, circle_id: int | None = None) -> str:
    """Return the house rules that `user` last used for this game, in that circle or in any, '' for none: one query."""
    in_circle = {} if circle_id is None else {"circle": circle_id}
    last = latest_evening(user, game_key=game_key, **in_circle)
    return last.rules if last else ""


def of_circle(circle_id: int) -> tuple[EveningCard, ...]:
    """Return the latest evenings of the circle, running ones too: two queries."""
    found = Evening.objects.filter(circle=circle_id).select_related("circle")
    return _cards(found.order_by("-started_at", "-id")[:LATEST])


def of_player(player_id: int) -> tuple[EveningCard, ...]:
    """Return the latest evenings in which the player sat, running ones too: two queries."""
    return _cards(_first(Evening.objects.filter(seats__player=player_id), LATEST))


def _first(evenings: QuerySet[Evening], size: int, *, newest: bool = True) -> QuerySet[Evening]:
    """Return the newest or the oldest of these evenings in that order, with their circles.

    By their keys: an index has all that is sorted, and no sheet is read of the others.
    """
    order = ("-started_at", "-id") if newest else ("started_at", "id")
    keys = evenings.order_by(*order).values("pk")[:size]
    return Evening.objects.filter(pk__in=keys).order_by(*order).select_related("circle")


def _cards(evenings: Iterable[Evening]) -> tuple[EveningCard, ...]:
    """Return the cards of these evenings, with the next deal of those that have a `last_deal`: one query for all seats.

    None if there are no evenings.
    """
    found = list(evenings)
    seats = seats_by_evening([evening.pk for evening in found])
    return tuple(
        EveningCard(
            evening.pk,
            evening.game_key,
            evening.started_at,
            evening.has_ended,
            evening.hand_count,
            evening.is_written,
            evening.currency,
            seat_views(evening, seats[evening.pk]),
            evening.circle.is_demo,
            turn_after(evening, evening.last_deal) if hasattr(evening, "last_deal") else None,
            evening.in_chips,
            evening.title,
            evening.note,
        )
        for evening in found
    )


def latest_of_circle(circle_id: int) -> Evening | None:
    """Return the circle's running evening, the one begun last if there are more; else its last: one query."""
    return Evening.objects.filter(pk__in=_running_first(circle_id).values("pk")[:1]).first()


def latest_key_of_circle(circle_id: int) -> int | None:
    """Return the key of that evening: one query."""
    return _running_first(circle_id).values_list("pk", flat=True).first()


def _running_first(circle_id: int) -> QuerySet[Evening]:
    evenings = Evening.objects.filter(circle=circle_id).annotate(over=Q(ended_at__isnull=False))
    return evenings.order_by("over", "-started_at", "-id")


# --- The search ---


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
    rows = list(_first(Filter().evenings_of(circles), size + 1)) if circles else []
    return _cards(rows[:size]), len(rows) > size


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
        rows = list(_first(found.filter(before.later()), size + 1, newest=False))
    else:
        rows = list(_first(found.filter(after.earlier()) if after else found, size + 1))
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
        _cards(rows),
        min(count, wanted.most_counted),
        count > wanted.most_counted,
        top if has_later else None,
        bottom if has_earlier else None,
    )
