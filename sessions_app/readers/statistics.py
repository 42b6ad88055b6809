"""The statistics of a circle: figures of each player, summed up from the roll-ups of its evenings.

An evening that has no roll-up counts by its hands: one that runs, or one whose roll-up is of an older edition. The
queries are fixed: one for the players, one for the stamp of the roll-ups, one for the evenings without one; three more
if any of these is not in the cache, and three more if the stamp is not that of the sums in the cache, four if a roll-up
that they contain has changed. Whole years are read as their stored sums, by as many queries; two more if these are not
the sums of the roll-ups that there are.

The stamp is the number of roll-ups, their highest key and the sum of their keys, as rows are only added and deleted,
and the versions of their evenings, as a stake may change and players may be merged. Of a circle and a period the latest
sums are cached: evenings that have changed since are taken away from them, and added anew. Nothing is cached inside a
transaction, which may be rolled back.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from scorekeeper.db.cache import LRUCache
from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from sessions_app.models import Circle, Evening, EveningRollup, Hand, Player, Seat, YearSums
from sessions_app.periods import Period
from sessions_app.readers.evening_figures import EDITION, records_of, stored_figures
from sessions_app.readers.statistics_sums import (
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
from sessions_app.readers.statistics_years import EveningRow, StoredYear, sums_of_years
from sessions_app.readers.year_sums import GameSums, StoredBest, whole_years

#: By evening: its roll-up and its version.
type Versions = Mapping[int, tuple[int, int]]


class CachedSums(NamedTuple):
    """The sums of the roll-ups of a circle in a period, their stamp, and the evenings they contain."""

    stamp: tuple[Any, ...]
    versions: Versions
    sums: Sums


#: The latest sums by circle and period.
_sums_cache: LRUCache[CachedSums] = LRUCache()
#: The statistics by their stamp, running evenings included, with the figures derived from them.
_statistics_cache: LRUCache["Statistics"] = LRUCache()
#: Figures of running evenings by their token and version.
_running_cache: LRUCache[CountedEvening | None] = LRUCache()
#: Figures of evenings that were added to sums, by circle and roll-up: a reopened evening has its roll-up no more.
_figures_cache: LRUCache[Mapping[str, Any]] = LRUCache()
#: If more evenings have changed, all are summed again.
MOST_CHANGED: Final = 50


class Person(NamedTuple):
    """A player of the circle, with the keys of all his names."""

    pk: int
    name: str
    keys: frozenset[int]


@dataclass(frozen=True)
class Statistics:
    """The statistics of a circle in a period. `people` has everybody, by key, in the order of the names.

    `stamp` is equal for equal statistics, and `rollups` for equal roll-ups behind them; both are None if they were read
    inside a transaction, which may be rolled back.
    """

    people: Mapping[int, Person]
    sums: Sums
    stamp: tuple[Any, ...] | None
    rollups: tuple[Any, ...] | None = None

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

    def serials(self, game: str) -> tuple[int, ...]:
        """Return numbers that are equal for equal figures of all players in a game, as long as the sums are cached."""
        return tuple(sums.serial for (key, _player), sums in self.sums.by_player.items() if key == game)

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
    people = people_of(circle)
    stamp = _stamp(circle, period)
    running = _not_rolled_up(circle, period)
    versions = ((evening.token, evening.version) for evening in running)
    key = circle.pk, circle.created_at, period, *stamp, tuple(people.values()), *versions
    may_cache = not connection.in_atomic_block
    found = _statistics_cache.get(key) if may_cache else None
    if found is None:
        sums = _of_rollups(circle, period, stamp, people)
        if running:
            sums = sums.copy()
            for evening in counted_evenings(running):
                sums.add(evening)
        rollups = circle.pk, circle.created_at, period, *stamp
        found = Statistics(people, sums.derive(), *((key, rollups) if may_cache else (None, None)))
        if may_cache:
            _statistics_cache.put(key, found)
    return found


def people_of(circle: Circle) -> dict[int, Person]:
    """Return the persons of a circle by key, in the order of their names: one query."""
    rows = Player.objects.filter(circle=circle).order_by("sort_key", "pk").values_list("pk", "name", "merged_into")
    players, keys = list(rows), defaultdict[int, set[int]](set)
    for pk, _name, merged_into in players:
        keys[merged_into or pk].add(pk)
    return {pk: Person(pk, name, frozenset(keys[pk])) for pk, name, merged_into in players if merged_into is None}


def _of_rollups(circle: Circle, period: Period, stamp: tuple[Any, ...], people: Mapping[int, Person]) -> Sums:
    """Return the sums of the roll-ups; the queries that the head of this module names."""
    if connection.in_atomic_block:
        return _of_years(circle, period, stamp, people) or _summed(stored_evenings(circle, period))
    # The moment of creation tells circles apart, as a primary key may be reused.
    key = circle.pk, circle.created_at, period
    cached = _sums_cache.get(key)
    if cached and cached.stamp == stamp:
        return cached.sums
    versions = _versions(circle, period)
    sums = _updated(circle, period, cached, versions) if cached else None
    if sums is None:
        sums = _of_years(circle, period, stamp, people) or _summed(stored_evenings(circle, period))
    _sums_cache.put(key, CachedSums(stamp, versions, sums.derive()))
    return sums


def _of_years(circle: Circle, period: Period, stamp: tuple[Any, ...], people: Mapping[int, Person]) -> Sums | None:
    """Return the sums of the roll-ups by the stored sums of the period's years: two queries.

    Return None if the period begins or ends within a year, or if these are not the sums of all roll-ups.
    """
    years = whole_years(period)
    if years is None:
        return None
    rows = _year_sums.ask(circle=circle.pk, first=years[0], last=years[1])
    number, keys = (sum(row[column] for row in rows) for column in (1, 2))
    if [(number, keys)] != [(rows, keys) for rows, _last, _versions, keys in stamp] and (number or stamp):
        return None
    since, until = period.bounds
    evenings = {pk: EveningRow(*row) for pk, *row in _rolled_up.ask(circle=circle.pk, since=since, until=until)}
    persons = {name: person.pk for person in people.values() for name in person.keys}
    stored = (
        StoredYear(game_key, GameSums.unpacked(sums, results, "{}", rollups, keys), StoredBest(best))
        for game_key, rollups, keys, sums, results, best in rows
    )
    return sums_of_years(stored, evenings, persons)


@compiled
def _year_sums(circle: Slot, first: Slot, last: Slot) -> QuerySet[YearSums, Any]:
    rows = YearSums.objects.filter(circle=circle, edition=EDITION, year__gte=first, year__lte=last)
    return rows.order_by("year", "pk").values_list("game_key", "rollups", "keys", "sums", "results", "best")


@compiled
def _rolled_up(circle: Slot, since: Slot, until: Slot) -> QuerySet[Evening, Any]:
    rows = Evening.objects.filter(circle=circle, rollup__edition=EDITION, started_at__gte=since, started_at__lt=until)
    return rows.order_by().values_list("pk", "started_at", "stake", "currency")


def _summed(evenings: Iterator[CountedEvening]) -> Sums:
    found = Sums()
    for evening in evenings:
        found.add(evening)
    return found


def _updated(circle: Circle, period: Period, cached: CachedSums, versions: Versions) -> Sums | None:
    """Return cached sums without the evenings that have changed, and with these as they are: two queries, or three.

    Return None if that cannot be done, or not soon: if too many have changed, or if the figures of one that was
    reopened, removed or moved to another day are not cached any more.
    """
    gone = {pk: rollup for pk, (rollup, version) in cached.versions.items() if versions.get(pk) != (rollup, version)}
    new = [pk for pk, version in versions.items() if cached.versions.get(pk) != version]
    if len(gone) + len(new) > MOST_CHANGED:
        return None
    figures = dict(EveningRollup.objects.filter(pk__in=gone.values()).values_list("pk", "figures")) if gone else {}
    sums = cached.sums.copy()
    for pk, rollup in gone.items():
        stored = figures.get(rollup) or _figures_cache.get((circle.pk, circle.created_at, rollup))
        if stored is None:
            return None
        evening = sums.evenings[pk]
        sums.take(CountedEvening(*evening[:5], evening.players, stored))
    for counted in stored_evenings(circle, period, only=new):
        sums.add(counted)
        _figures_cache.put((circle.pk, circle.created_at, versions[counted.pk][0]), counted.figures)
    return sums


def _versions(circle: Circle, period: Period) -> Versions:
    rows = _rollups(circle, period).values_list("evening", "pk", "evening__version")
    return {evening: (rollup, version) for evening, rollup, version in rows}


def _stamp(circle: Circle, period: Period) -> tuple[Any, ...]:
    since, until = period.bounds
    return tuple(map(tuple, _stamp_of_rollups.ask(circle=circle.pk, since=since, until=until)))


@compiled
def _stamp_of_rollups(circle: Slot, since: Slot, until: Slot) -> QuerySet[EveningRollup, Any]:
    rows = EveningRollup.objects.filter(edition=EDITION, evening__circle=circle)
    rows = rows.filter(evening__started_at__gte=since, evening__started_at__lt=until)
    # Grouped, as a queryset does not aggregate otherwise: no row where there is no roll-up.
    found = rows.order_by().values("evening__circle")
    found = found.annotate(rows=Count("pk"), last=Max("pk"), versions=Sum("evening__version"), keys=Sum("pk"))
    return found.values_list("rows", "last", "versions", "keys")


def _rollups(circle: Circle, period: Period) -> Any:
    return EveningRollup.objects.filter(edition=EDITION, evening__circle=circle, **period.of_evenings("evening__"))


def stored_evenings(
    circle: Circle, period: Period, of: Person | None = None, game: str = ALL, only: Collection[int] | None = None
) -> Iterator[CountedEvening]:
    """Yield the evenings of the period that have a roll-up, in no order: two queries.

    `of` and `game` leave out those in which the person did not sit, and those of other games; `only` leaves out all
    but these.
    """
    where = {**period.of_evenings("evening__"), **({} if game == ALL else {"evening__game_key": game})}
    if only is not None:
        where["evening__in"] = only
    seats, rollups = Seat.objects.filter(evening__circle=circle, **where), _rollups(circle, period).filter(**where)
    if of is not None:
        there = Seat.objects.filter(player=of.pk).values("evening")
        seats, rollups = seats.filter(evening__in=there), rollups.filter(evening__in=there)
    players = defaultdict[int, list[int]](list)
    for evening, player in seats.order_by("evening", "position").values_list("evening", "player"):
        players[evening].append(player)
    of_evening = (f"evening__{name}" for name in ("id", "game_key", "started_at", "stake", "currency"))
    for pk, game_key, started_at, stake, currency, figures in rollups.values_list(*of_evening, "figures"):
        yield CountedEvening(pk, game_key, started_at, stake, currency, tuple(players[pk]), figures)


def _not_rolled_up(circle: Circle, period: Period) -> list[Evening]:
    """Return the evenings of the period that have no current roll-up, as they run: one query."""
    since, until = period.bounds
    rows = _evenings_not_rolled_up.ask(circle=circle.pk, since=since, until=until)
    return [loaded(Evening, columns(Evening), row) for row in rows]


@compiled
def _evenings_not_rolled_up(circle: Slot, since: Slot, until: Slot) -> QuerySet[Evening, Any]:
    stored = Q(ended_at__isnull=False, rollup__edition=EDITION)
    found = Evening.objects.filter(~stored, circle=circle, started_at__gte=since, started_at__lt=until)
    # By their keys: the others are passed over by the indexes alone.
    return Evening.objects.filter(pk__in=found.values("pk")).order_by("pk").values_list(*columns(Evening))


class LastPlayed(NamedTuple):
    """The starts of the last evening that was played, and of the last one before this year; None if there is none."""

    last: datetime | None = None
    before: datetime | None = None


def last_played(circle: Circle, this_year: datetime, game: str, player: int | None) -> LastPlayed:
    """Return when a game, or any for '', was played last, by a player or by anybody: one query."""
    if player is None:
        rows = _last_played.ask(circle=circle.pk, this_year=this_year)
    else:
        rows = _last_played_by.ask(player=player, this_year=this_year)
    found = [LastPlayed(*starts) for key, *starts in rows if game in ("", key)]
    newest = (max(filter(None, starts), default=None) for starts in zip(*found, strict=True))
    return LastPlayed(*newest)


@compiled
def _last_played(circle: Slot, this_year: Slot) -> QuerySet[Evening, Any]:
    return _last_starts(Evening.objects.filter(circle=circle), this_year)


@compiled
def _last_played_by(player: Slot, this_year: Slot) -> QuerySet[Evening, Any]:
    return _last_starts(Evening.objects.filter(seats__player=player), this_year)


def _last_starts(evenings: QuerySet[Evening], this_year: Slot) -> QuerySet[Evening, Any]:
    agreed = Hand.objects.filter(evening=OuterRef("pk"), kind=Hand.Kind.AGREED, is_void=False)
    played = evenings.filter(Q(hand_count__gt=0) | Exists(agreed)).order_by().values("game_key")
    before = Max("started_at", filter=Q(started_at__lt=this_year))
    return played.annotate(last=Max("started_at"), before=before).values_list("game_key", "last", "before")


def running_evenings(circle: Circle, period: Period) -> list[CountedEvening]:
    """Return the evenings of the period without a current roll-up, counted by their hands: one query, or four."""
    return counted_evenings(_not_rolled_up(circle, period))


def counted_evenings(evenings: Sequence[Evening]) -> list[CountedEvening]:
    """Count evenings by their hands, or return them as they were counted at this version: three queries, or none."""
    found: dict[int, CountedEvening | None] = {}
    if not connection.in_atomic_block:
        found = {evening.pk: _running_cache.get((evening.token, evening.version)) for evening in evenings}
    missing = [evening for evening in evenings if not found.get(evening.pk)]
    for record in records_of(missing) if missing else ():
        evening, figures = record.evening, stored_figures(record)
        found[evening.pk] = CountedEvening(
            evening.pk,
            evening.game_key,
            evening.started_at,
            evening.stake,
            evening.currency,
            record.players,
            figures,
        )
        if not connection.in_atomic_block:
            _running_cache.put((evening.token, evening.version), found[evening.pk])
    return [counted for evening in evenings if (counted := found[evening.pk])]
