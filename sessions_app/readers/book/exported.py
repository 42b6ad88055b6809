"""Evenings with their seats, results and hands, for files with a row a hand: read AT_ONCE at a time, in flat memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any, Final

from django.db.models import Max, Prefetch, QuerySet

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from sessions_app.models import Action, Evening, Hand, HandEntry, Revision, Seat
from sessions_app.readers.evening.recount import playing, summed_by_hand, won_by_seat
from sessions_app.readers.evening.seating import sums_of

#: Evenings that are read, and held in memory, at once.
AT_ONCE: Final = 25


@dataclass(frozen=True, slots=True)
class ExportedHand:
    """A hand: `changes` has each seat's points won or lost, None where it sat out. A void hand shows those it had.

    `is_corrected` is whether its facts were ever changed.
    """

    number: int
    kind: str
    dealer: str
    declarer: str
    deal: str
    changes: tuple[Amount | None, ...]
    is_void: bool
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class ExportedEvening:
    """An evening with its seats, its balances in points by seat, and its hands, in the order of play."""

    evening: Evening
    seats: tuple[Seat, ...]
    balances: Mapping[int, Amount]
    hands: tuple[ExportedHand, ...]


def evenings_of_circle(circle: int) -> list[int]:
    """Return the keys of the circle's evenings, the oldest first: one query."""
    return list(Evening.objects.filter(circle=circle).order_by("started_at", "pk").values_list("pk", flat=True))


def most_seats_of_circle(circle: int) -> int:
    """Return the number of seats of the circle's evening with the most, 0 if it has none: one query."""
    last = Seat.objects.filter(evening__circle=circle).aggregate(last=Max("position", default=-1))["last"]
    return int(last) + 1


def exported(evenings: Iterable[int]) -> Iterator[ExportedEvening]:
    """Yield the evenings with these keys, in this order: five queries for every AT_ONCE of them."""
    hands = Hand.objects.order_by("number")
    hands = hands.only("evening", "number", "kind", "lineup", "dealer", "declarer", "deal", "is_void")
    seats = Seat.objects.order_by("position").select_related("player")
    with_rows = Evening.objects.prefetch_related(Prefetch("seats", seats), Prefetch("hands", hands))
    for keys in batched(evenings, AT_ONCE):
        entries = HandEntry.objects.filter(hand__evening__in=keys).order_by()
        written = summed_by_hand(entries.values_list("hand", "account", "seat", "against", "amount"))
        found, corrected = with_rows.in_bulk(keys), set(_corrected(keys))
        for key in keys:
            yield _exported(found[key], written, corrected)


def _exported(evening: Evening, written: Mapping[int, Mapping[Account, int]], corrected: set[int]) -> ExportedEvening:
    seats = tuple(evening.seats.all())
    names = [seat.player.name for seat in seats]
    return ExportedEvening(
        evening,
        seats,
        evening.game.balances(sums_of(evening), tuple(range(len(seats))), evening.house),
        tuple(
            ExportedHand(
                hand.number,
                hand.kind,
                names[hand.dealer],
                "" if hand.declarer is None else names[hand.declarer],
                hand.deal,
                won_by_seat(evening, written.get(hand.pk, {}), playing(evening, hand), len(names)),
                hand.is_void,
                hand.pk in corrected,
            )
            for hand in evening.hands.all()
        ),
    )


def _corrected(evenings: Sequence[int]) -> QuerySet[Revision, Any]:
    amended = Revision.objects.filter(hand__evening__in=evenings, action=Action.AMEND).order_by()
    return amended.values_list("hand", flat=True)
