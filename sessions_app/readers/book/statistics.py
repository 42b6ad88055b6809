"""The statistics of a circle: figures of each player, summed up from the roll-ups of its evenings.

An evening that has no roll-up counts by its hands: one that runs, or one whose roll-up is of an older edition. The
queries are fixed: one for the players, one for the evenings without a roll-up, three more if there are any, and two for
the roll-ups.

In a snapshot the sums of the roll-ups are cached by the circle's counter of ended evenings, which is raised in the
transaction of each write that changes one of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q

from scorekeeper.db.cache import LRUCache
from sessions_app.models import Circle, Evening, EveningRollup, Hand, Player, Seat
from sessions_app.readers.book.statistics_sums import (
    ALL,
    NONE,
    CountedEvening,
    Figure,
    Key,
    PlayerEvening,
    SummedEvening,
    Sums,
    wider_measure,
)
from sessions_app.readers.evening.figures import EDITION, records_of, stored_figures
from sessions_app.readers.snapshot import versions_of
from sessions_app.words.periods import Period

#: The sums of the roll-ups by the circle's counters and the period.
_sums_cache: LRUCache[Sums] = LRUCache()


class Person(NamedTuple):
    """A player of the circle, with the keys of all his names."""

    pk: int
    name: str
    keys: frozenset[int]


@dataclass(frozen=True)
class Statistics:
    """The statistics of a circle in a period. `people` has everybody, by key, in the order of the names.

    `stamp` is equal for equal statistics; None if they were not read in a snapshot.
    """

    people: Mapping[int, Person]
    sums: Sums
    stamp: tuple[Any, ...] | None

    @property
    def evenings(self) -> list[SummedEvening]:
        """The evenings, the earliest first."""
        return sorted(self.sums.evenings.values(), key=lambda evening: (evening.started_at, evening.pk))

    @property
    def games(self) -> tuple[str, ...]:
        """The keys of the games that were played, the most evenings first."""
        played = self.sums.played
        return tuple(sorted((key for key in played if played[key]), key=lambda key: (-played[key], key)))

    def players(self, game: str) -> list[Person]:
        """Return everybody with a seat in this game, or in any, in the order of the names."""
        return [person for key, person in self.people.items() if (game, key) in self.sums.by_player]

    def figure(self, game: str, player: int, name: str, key: str = "") -> Figure:
        """Return one figure; 0 of 0 if there is none."""
        found = self.figures(game, player).get((name, key))
        if found is None and (wider := wider_measure(game, name, key)):
            found = Figure(0, int(self.figure(game, player, wider).value))
        return found or NONE

    def figures(self, game: str, player: int) -> Mapping[Key, Figure]:
        """Return a player's figures by name and key, but keys of 0; of ALL games those that are counted over all."""
        sums = self.sums.by_player.get((game, player))
        return sums.figures if sums else {}

    def against(self, game: str, player: int) -> Mapping[int, Figure]:
        """Return the head-to-head figures of a player by the other player's key, in the order of the names."""
        sums = self.sums.by_player.get((game, player))
        return {other: sums.against[other] for other in self.people if other in sums.against} if sums else {}

    def results(self, game: str, player: int) -> Sequence[PlayerEvening]:
        """Return a player's evenings in this game, or in all, the earliest first; also those he did not play in."""
        sums = self.sums.by_player.get((game, player))
        return sums.results if sums else ()

    def merits(self, game: str, player: int, best: int | None = None) -> Sequence[PlayerEvening]:
        """Return the evenings that count for a player's merit, the highest first: all, or the `best` ones."""
        sums = self.sums.by_player.get((game, player))
        return sums.merits[:best] if sums else ()


def statistics(circle: Circle, period: Period) -> Statistics:
    """Return the statistics of a circle's evenings in the period."""
    people, running = people_of(circle), not_rolled_up(circle, period)
    versions = versions_of(circle)
    key = versions and (versions.of_ended, period)
    sums = _sums_cache.get_or_make(key, lambda: _of_rollups(circle, period)) if key else _of_rollups(circle, period)
    if running:
        sums = sums.copy()
        for evening in counted_evenings(running):
            sums.add(evening)
        sums.derive()
    stamp = key and (*key, *people.values(), *((evening.token, evening.version) for evening in running))
    return Statistics(people, sums, stamp)


def people_of(circle: Circle) -> dict[int, Person]:
    """Return the persons of a circle by key, in the order of their names: one query."""
    rows = Player.objects.filter(circle=circle).order_by("sort_key", "pk").values_list("pk", "name", "merged_into")
    players, keys = list(rows), defaultdict[int, set[int]](set)
    for pk, _name, merged_into in players:
        keys[merged_into or pk].add(pk)
    return {pk: Person(pk, name, frozenset(keys[pk])) for pk, name, merged_into in players if merged_into is None}


def _of_rollups(circle: Circle, period: Period) -> Sums:
    """Return the sums of the roll-ups: two queries."""
    found = Sums()
    for evening in stored_evenings(circle, period):
        found.add(evening)
    return found.derive()


def stored_evenings(
    circle: Circle, period: Period, of: Person | None = None, game: str = ALL
) -> Iterator[CountedEvening]:
    """Yield the evenings of the period that have a roll-up, in no order: two queries.

    `of` and `game` leave out those in which the person did not sit, and those of other games.
    """
    where = {**period.of_evenings("evening__"), **({} if game == ALL else {"evening__game_key": game})}
    seats = Seat.objects.filter(evening__circle=circle, **where)
    rollups = EveningRollup.objects.filter(edition=EDITION, evening__circle=circle, **where)
    if of is not None:
        there = Seat.objects.filter(player=of.pk).values("evening")
        seats, rollups = seats.filter(evening__in=there), rollups.filter(evening__in=there)
    players = defaultdict[int, list[int]](list)
    for evening, player in seats.order_by("evening", "position").values_list("evening", "player"):
        players[evening].append(player)
    of_evening = (f"evening__{name}" for name in ("id", "game_key", "started_at", "stake", "currency"))
    for pk, game_key, started_at, stake, currency, figures in rollups.values_list(*of_evening, "figures"):
        yield CountedEvening(pk, game_key, started_at, stake, currency, tuple(players[pk]), figures)


def not_rolled_up(circle: Circle, period: Period) -> list[Evening]:
    """Return the evenings of the period that have no current roll-up, as they run: one query."""
    stored = Q(ended_at__isnull=False, rollup__edition=EDITION)
    found = Evening.objects.filter(~stored, circle=circle, **period.of_evenings())
    # By their keys: the others are passed over by the indexes alone.
    return list(Evening.objects.filter(pk__in=found.values("pk")).order_by("pk"))


class LastPlayed(NamedTuple):
    """The starts of the last evening that was played, and of the last one before this year; None if there is none."""

    last: datetime | None = None
    before: datetime | None = None


def last_played(circle: Circle, this_year: datetime, game: str, player: int | None) -> LastPlayed:
    """Return when a game, or any for '', was played last, by a player or by anybody: one query."""
    evenings = circle.evenings.all() if player is None else Evening.objects.filter(seats__player=player)
    agreed = Hand.objects.filter(evening=OuterRef("pk"), kind=Hand.Kind.AGREED, is_void=False)
    played = evenings.filter(Q(hand_count__gt=0) | Exists(agreed), **({"game_key": game} if game else {}))
    before = Max("started_at", filter=Q(started_at__lt=this_year))
    return LastPlayed(**played.aggregate(last=Max("started_at"), before=before))


def counted_evenings(evenings: Sequence[Evening]) -> list[CountedEvening]:
    """Count evenings by their hands: three queries, or none."""
    return [
        CountedEvening(
            record.evening.pk,
            record.evening.game_key,
            record.evening.started_at,
            record.evening.stake,
            record.evening.currency,
            record.players,
            stored_figures(record),
        )
        for record in (records_of(evenings) if evenings else ())
    ]


class Ranked(NamedTuple):
    """A player's place: `figure` over all evenings, and `best` over the best of them, or over all."""

    person: Person
    figure: Figure
    best: Figure


def ranked_by_points(stats: Statistics, game: str) -> list[Ranked]:
    """Return the players with an evening, the most points first; equal ones in the order of their names."""
    points = [(person, stats.figure(game, person.pk, "points")) for person in _with_evenings(stats, game)]
    return sorted((Ranked(person, figure, figure) for person, figure in points), key=lambda each: -each.figure.value)


def ranked_by_merit(stats: Statistics, game: str, best: int | None = None) -> list[Ranked]:
    """Return the players by the merit of all their evenings, or by the mean of their `best` evenings.

    With a mean, players with fewer evenings come last.
    """
    ranked = []
    for person in _with_evenings(stats, game):
        every, counted = (merit_of(stats, game, person.pk, most) for most in (None, best))
        ranked.append(Ranked(person, every, counted))
    if best is None:
        return sorted(ranked, key=lambda each: -each.figure.value)
    return sorted(ranked, key=lambda each: (each.best.of < best, -Fraction(each.best.value) / each.best.of))


def merit_of(stats: Statistics, game: str, player: int, best: int | None = None) -> Figure:
    """Return the sum of a player's merit over all evenings, or over the `best` evenings."""
    if best is None:
        return Figure(stats.figure(game, player, "merit").value, int(stats.figure(game, player, "evenings").value))
    evenings = stats.merits(game, player, best)
    return Figure(sum(result.merit for _evening, result in evenings), len(evenings))


def _with_evenings(stats: Statistics, game: str) -> list[Person]:
    return [person for person in stats.players(game) if stats.figure(game, person.pk, "evenings").value]
