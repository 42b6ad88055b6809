"""The statistics of a circle: figures of each player, from the roll-ups of its evenings; the evenings behind a figure.

An evening that has no roll-up counts by its hands: one that runs, or one whose roll-up is of an older edition. The
queries are fixed: one for the players, one for the evenings without a roll-up, three more if there are any, and two for
the roll-ups.

In a snapshot the sums of the roll-ups are cached by the circle's counter of ended evenings, which is raised in the
transaction of each write that changes one of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import chain
from typing import Any, Final, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.models import Circle, Evening, EveningRollup, Hand, Player, Seat
from sessions_app.readers.book.statistics_sums import (
    ALL,
    NONE,
    CountedEvening,
    Figure,
    Key,
    PlayerEvening,
    PlayerSums,
    SummedEvening,
    Sums,
    longest_streak,
    wider_measure,
)
from sessions_app.readers.evening.figures import (
    EDITION,
    SeatRow,
    figure_at,
    played_hands,
    records_of,
    stored_figures,
    unscaled,
)
from sessions_app.transactions import versions_of
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
        return self._of(game, player).figures

    def against(self, game: str, player: int) -> Mapping[int, Figure]:
        """Return the head-to-head figures of a player by the other player's key, in the order of the names."""
        against = self._of(game, player).against
        return {other: against[other] for other in self.people if other in against}

    def results(self, game: str, player: int) -> Sequence[PlayerEvening]:
        """Return a player's evenings in this game, or in all, the earliest first; also those he did not play in."""
        return self._of(game, player).results

    def merits(self, game: str, player: int, best: int | None = None) -> Sequence[PlayerEvening]:
        """Return the evenings that count for a player's merit, the highest first: all, or the `best` ones."""
        return self._of(game, player).merits[:best]

    def _of(self, game: str, player: int) -> PlayerSums:
        return self.sums.by_player.get((game, player)) or PlayerSums(game)


def statistics(circle: Circle, period: Period) -> Statistics:
    """Return the statistics of a circle's evenings in the period."""
    people, running = people_of(circle), not_rolled_up(circle, period)
    versions = versions_of(circle)
    key = versions and (versions.of_ended, period)
    sums = _sums_cache.get_or_make(key, lambda: _of_rollups(circle, period))
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


# --- The evenings that a figure was counted over ---
#
# They and their hands come from the rows that the figure itself is summed from. The queries are fixed: two for the
# roll-ups and one for the evenings without one, three more if there are any; four for the hands of the evenings shown.
# None for a figure that comes from balances alone.


#: Figures of balances: no single hands are behind them, or all hands are.
OF_BALANCES: Final = frozenset(
    {"evenings", "points", "money", "merit", "merit_best", "best_evening", "worst_evening", "streak_won", "streak_lost"}
)
#: Figures whose hands are not listed one by one.
WITHOUT_HANDS: Final = OF_BALANCES | {"hands", "against"}


class HandFigure(NamedTuple):
    """A hand that counts for a figure, and its amount."""

    number: int
    value: Amount


@dataclass(frozen=True, slots=True)
class EveningFigure:
    """An evening's part of a figure."""

    id: int
    game_key: str
    started_at: datetime
    figure: Figure
    hands: tuple[HandFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureEvenings:
    """The sum of a figure's evenings, how many there are, and some of them, the latest first."""

    figure: Figure
    count: int
    evenings: tuple[EveningFigure, ...]


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure of a person: in a game or in ALL, against another person or None, over the `best` evenings or all.

    Only `merit_best` asks for the best evenings.
    """

    game: str
    person: Person
    name: str
    key: str = ""
    against: Person | None = None
    best: int | None = None


def figure_evenings(
    circle: Circle, period: Period, stats: Statistics, spec: FigureSpec, first: int, most: int
) -> FigureEvenings:
    """Return the evenings behind a figure of the period's statistics: those from the `first`, `most` of them."""
    if spec.name in OF_BALANCES:
        every = [EveningFigure(*evening[:3], figure) for evening, figure in _balances(stats, spec)]
    else:
        stored = stored_evenings(circle, period, spec.person, spec.game)
        every = list(_of_rows(chain(stored, counted_evenings(not_rolled_up(circle, period))), spec))
    every.sort(key=lambda each: (each.started_at, each.id), reverse=True)
    figure = Figure(sum(each.figure.value for each in every), sum(each.figure.of for each in every))
    page = every[first : first + most]
    if spec.name not in WITHOUT_HANDS:
        page = _with_hands(page, spec)
    return FigureEvenings(figure, len(every), tuple(page))


def _balances(stats: Statistics, spec: FigureSpec) -> Iterator[tuple[SummedEvening, Figure]]:
    """Yield the evenings of a figure that comes from the balances."""
    results = stats.results(spec.game, spec.person.pk)
    attended = [each for each in results if each[1].took_part]
    match spec.name:
        case "evenings":
            yield from ((evening, Figure(1, 0)) for evening, _result in attended)
        case "points":
            for evening, result in results:
                if result.took_part or result.balance:
                    yield evening, Figure(result.balance, int(result.took_part))
        case "money":
            for evening, result in results:
                if evening.stake is not None and evening.currency == spec.key and (result.took_part or result.balance):
                    yield evening, Figure(Fraction(result.balance) * Fraction(evening.stake), int(result.took_part))
        case "merit" | "merit_best" as name:
            most = spec.best if name == "merit_best" else None
            for evening, result in stats.merits(spec.game, spec.person.pk, most):
                yield evening, Figure(result.merit, 1)
        case name:
            yield from ((evening, Figure(result.balance, 1)) for evening, result in _extremes(attended, name))


def _extremes(attended: Sequence[PlayerEvening], name: str) -> Sequence[PlayerEvening]:
    """Return the best or the worst evening, of equal ones all, or the longest row won or lost."""
    balances = [result.balance for _evening, result in attended]
    if not balances:
        return []
    if name in ("best_evening", "worst_evening"):
        wanted = max(balances) if name == "best_evening" else min(balances)
        return [each for each in attended if each[1].balance == wanted]
    start, length = longest_streak([balance > 0 if name == "streak_won" else balance < 0 for balance in balances])
    return attended[start : start + length]


def _of_rows(evenings: Iterable[CountedEvening], spec: FigureSpec) -> Iterator[EveningFigure]:
    """Yield the evenings whose rows have the figure."""
    for evening in evenings:
        if spec.game not in (evening.game_key, ALL):
            continue
        seats = [seat for seat, player in enumerate(evening.players) if player == spec.person.pk]
        figures = [_of_seat(evening, seat, spec) for seat in seats]
        value, of = sum(figure.value for figure in figures), sum(figure.of for figure in figures)
        if value or of:
            yield EveningFigure(evening.pk, evening.game_key, evening.started_at, Figure(value, of))


def _of_seat(evening: CountedEvening, seat: int, spec: FigureSpec) -> Figure:
    row, scale = evening.figures["seats"][seat], evening.figures["scale"]
    if spec.against is None:
        return Figure(*figure_at(row, scale, spec.name, spec.key, GAMES[evening.game_key].counted_over))
    others = [other for other, player in enumerate(evening.players) if player == spec.against.pk]
    return Figure(sum(unscaled(SeatRow(*row).against[other], scale) for other in others), len(others))


def _with_hands(page: list[EveningFigure], spec: FigureSpec) -> list[EveningFigure]:
    """Return the evenings with the hands that count for the figure: four queries."""
    hands: dict[int, tuple[HandFigure, ...]] = {}
    for record in records_of(list(Evening.objects.filter(pk__in=[each.id for each in page]))):
        seats = {seat for seat, player in enumerate(record.players) if player == spec.person.pk}
        hands[record.evening.pk] = tuple(
            HandFigure(hand.number, measure.amount)
            for hand in played_hands(record)
            for measure in hand.measures
            if measure.amount and measure.seat in seats and (measure.name, measure.key) == (spec.name, spec.key)
        )
    return [replace(each, hands=hands.get(each.id, ())) for each in page]
