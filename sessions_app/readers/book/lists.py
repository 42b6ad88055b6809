"""A user's evenings, for the lists and for a new one: a fixed number of queries, however many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from scorekeeper.games.amounts import Amount
from sessions_app.models import OPEN, Circle, Evening, Role, Seat, User
from sessions_app.readers.evening.seating import (
    Seated,
    SeatView,
    Turn,
    last_deal,
    seat_views,
    seats_by_evening,
    turn_after,
)

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
    return _cards(mine.annotate(last_deal=last_deal()), EVENINGS_PER_PAGE)


def latest_evening(user: User) -> Evening | None:
    """Return the latest started evening that `user` may write to, demos left out: one query."""
    return latest_evenings(user).first()


def neighbours_of(evening: Evening) -> Neighbours:
    """Return the circle's evenings next to this one: one query. None of one that still runs: no query."""
    if not evening.has_ended:
        return Neighbours(None, None)
    at, pk = evening.started_at, evening.pk
    circle = Evening.objects.filter(circle=evening.circle_id)
    earlier = circle.filter(Q(started_at__lt=at) | Q(started_at=at, id__lt=pk)).order_by("-started_at", "-id")
    later = circle.filter(Q(started_at__gt=at) | Q(started_at=at, id__gt=pk)).order_by("started_at", "id")
    either = Q(pk=Subquery(earlier.values("pk")[:1])) | Q(pk=Subquery(later.values("pk")[:1]))
    rows = Evening.objects.filter(either).values_list("id", "game_key", "started_at")
    found = [NeighbourEvening(*row) for row in rows]
    before = next((each for each in found if (each.started_at, each.id) < (at, pk)), None)
    after = next((each for each in found if (each.started_at, each.id) > (at, pk)), None)
    return Neighbours(before, after)


def last_rules(user: User, game_key: str, circle_id: int | None = None) -> str:
    """Return the house rules that `user` last used for this game, in that circle or in any, '' for none: one query."""
    evenings = latest_evenings(user, game_key=game_key)
    found = evenings if circle_id is None else evenings.filter(circle=circle_id)
    return found.values_list("rules", flat=True).first() or ""


def latest_evenings(user: User, **which: str) -> QuerySet[Evening]:
    """Return the latest evening, of those that are `which`, of each circle that `user` may write to, demos and closed
    circles left out.

    The latest is first. The others of a circle are never read: its index leads to its latest.
    """
    of_one = Evening.objects.filter(circle=OuterRef("pk"), **which).order_by("-started_at", "-id")
    mine = Circle.objects.filter(OPEN, members__user=user, members__role__in=[Role.OWNER, Role.KEEPER], is_demo=False)
    latest = mine.annotate(latest=Subquery(of_one.values("pk")[:1])).values("latest")
    return Evening.objects.filter(pk__in=latest).order_by("-started_at", "-id")


def of_circle(circle_id: int) -> tuple[EveningCard, ...]:
    """Return the latest evenings of the circle, running ones too: two queries."""
    return _cards(Evening.objects.filter(circle=circle_id), LATEST)


def of_player(player_id: int) -> tuple[EveningCard, ...]:
    """Return the latest evenings in which the player sat, running ones too: two queries."""
    sat = Seat.objects.filter(player=player_id).order_by("-evening__started_at", "-evening")
    # Only keys are sorted: SQLite would read the sheets of all his evenings to find the latest.
    return _cards(Evening.objects.filter(pk__in=sat.values("evening")[:LATEST]), LATEST)


def _cards(evenings: QuerySet[Evening], most: int) -> tuple[EveningCard, ...]:
    """Return the cards of the latest of these evenings, with the turn of those that have a `last_deal`: two queries."""
    found = list(evenings.annotate(is_demo=F("circle__is_demo")).order_by("-started_at", "-id")[:most])
    seats = seats_by_evening([evening.pk for evening in found])
    turns = [turn_after(each, each.last_deal) if hasattr(each, "last_deal") else None for each in found]
    return tuple(card_of(each, seats[each.pk], each.is_demo, turn) for each, turn in zip(found, turns, strict=True))


def card_of(evening: Evening, seats: Sequence[Seated], is_demo: bool, turn: Turn | None = None) -> EveningCard:
    """Return the card of an evening; `seats` are its positions with the players' names."""
    return EveningCard(
        evening.pk,
        evening.game_key,
        evening.started_at,
        evening.has_ended,
        evening.hand_count,
        evening.is_written,
        evening.currency,
        seat_views(evening, seats),
        is_demo,
        turn,
        evening.in_chips,
        evening.title,
        evening.note,
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
