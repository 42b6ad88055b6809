"""A year of a circle: its evenings by month, the course of its balances, its winners and its best hands.

All figures are those of the statistics of the year's period. The queries are fixed: those of `statistics`, and one for
the years beside it.
"""

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from django.db.models import Max, Min, Q
from django.utils import timezone

from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.games.measures import Feat
from sessions_app.models import Circle, Evening
from sessions_app.readers.book.statistics import Person, Ranked, Statistics
from sessions_app.readers.book.statistics_sums import Figure, SummedEvening
from sessions_app.readers.evening.figures import BestFeat, Dearest, unpacked_best
from sessions_app.readers.evening.result import BalanceCurve
from sessions_app.words.periods import midnight

#: The most lines of a chart: there are as many kinds of dashes and marks.
MOST_LINES: Final = 8


class Month(NamedTuple):
    """A month in which there were evenings: its first and its last day."""

    first: date
    last: date
    evenings: int


class NeighbourYears(NamedTuple):
    """The nearest years with an evening, before and after a year."""

    earlier: int | None
    later: int | None


class DearestOfYear(NamedTuple):
    """The hand in which a player won or lost the most, of so many (`of`)."""

    evening: int
    number: int
    started_at: datetime
    player: int
    amount: Amount
    of: int


class FeatOfYear(NamedTuple):
    """The highest feat of its code: the first hand with it, its players, and the number of hands with one as high."""

    feat: Feat
    evening: int
    number: int
    started_at: datetime
    players: tuple[int, ...]
    times: int


class Pair(NamedTuple):
    """A pair of players, and the points that one has won from the other, above 0."""

    winner: Person
    loser: Person
    figure: Figure


@dataclass(frozen=True)
class Course:
    """The balances of people after each of some evenings, which `curve` numbers from 1."""

    evenings: Sequence[SummedEvening]
    people: Sequence[Person]
    curve: BalanceCurve

    @cached_property
    def turn(self) -> SummedEvening | None:
        """The evening since which the same players have led, None where all are even."""
        number = self.curve.led_since
        return self.evenings[number - 1] if number else None

    @property
    def names_of_leaders(self) -> list[str]:
        return [self.people[seat].name for seat in self.curve.leaders]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(person.name for person in self.people)

    @cached_property
    def drawn(self) -> "Course":
        """The course of at most MOST_LINES people: those with the highest balance in the end."""
        if len(self.people) <= MOST_LINES:
            return self
        order = sorted(range(len(self.people)), key=lambda seat: -self.curve.by_seat[seat][-1])[:MOST_LINES]
        curve = BalanceCurve(self.curve.numbers, tuple(self.curve.by_seat[seat] for seat in order))
        return Course(self.evenings, [self.people[seat] for seat in order], curve)


def months_of(stats: Statistics) -> list[Month]:
    """Return the months with their number of evenings in which somebody took part."""
    counts = Counter(
        timezone.localdate(evening.started_at).replace(day=1) for evening in stats.evenings if evening.was_played
    )
    days = ((first, monthrange(first.year, first.month)[1]) for first in sorted(counts))
    return [Month(first, first.replace(day=last), counts[first]) for first, last in days]


def course_of_game(stats: Statistics, game: str) -> Course:
    """Return the course of the points of a game."""
    evenings = [evening for evening in stats.evenings if evening.game_key == game]
    balances = [{result.player: result.balance for result in evening.results} for evening in evenings]
    return _course(evenings, balances, stats.players(game))


def course_of_money(stats: Statistics, currency: str) -> Course:
    """Return the course of the money in a currency, over all games."""
    evenings = [evening for evening in stats.evenings if evening.stake is not None and evening.currency == currency]
    worth = {stake: simplified(Fraction(stake)) for stake in {each.stake for each in evenings} if stake is not None}
    balances = [
        {result.player: result.balance * worth[evening.stake] for result in evening.results}
        for evening in evenings
        if evening.stake is not None
    ]
    seated = {player for each in balances for player in each}
    return _course(evenings, balances, [person for person in stats.people.values() if person.pk in seated])


def currencies_of(stats: Statistics) -> list[str]:
    """Return the currencies that were played for."""
    return sorted({evening.currency for evening in stats.evenings if evening.stake is not None})


def _course(
    evenings: Sequence[SummedEvening], balances: Sequence[Mapping[int, Amount]], people: Sequence[Person]
) -> Course:
    numbers = tuple(range(1, len(evenings) + 1))
    by_seat = tuple(tuple(_sums(each.get(person.pk, 0) for each in balances)) for person in people)
    return Course(evenings, people, BalanceCurve(numbers, by_seat))


def _sums(amounts: Iterable[Amount]) -> Iterator[Amount]:
    """Yield 0, and the sum after each amount; the same one where nothing is added, as sums of fractions are slow."""
    so_far: Amount = 0
    yield so_far
    for amount in amounts:
        if amount:
            so_far = simplified(so_far + amount)
        yield so_far


def leaders_of(ranked: Sequence[Ranked]) -> list[Person]:
    """Return the players with the highest figure; none where all figures are 0."""
    if not any(each.figure.value for each in ranked):
        return []
    return [each.person for each in ranked if each.figure.value == ranked[0].figure.value]


def longest_streaks(stats: Statistics, game: str) -> list[Person]:
    """Return the players with the longest streak of evenings won; none where nobody has won one."""
    streaks = [(person, stats.figure(game, person.pk, "streak_won").value) for person in stats.players(game)]
    longest = max((length for _person, length in streaks), default=0)
    return [person for person, length in streaks if length == longest] if longest else []


def pairs_of(stats: Statistics, game: str) -> list[Pair]:
    """Return the pairs of players, each with its winner first, the largest amounts first."""
    pairs = [
        Pair(person, stats.people[other], figure)
        for person in stats.players(game)
        for other, figure in stats.against(game, person.pk).items()
        if figure.value > 0
    ]
    return sorted(pairs, key=lambda pair: -pair.figure.value)


def neighbour_years(circle: Circle, year: int) -> NeighbourYears:
    """Return the nearest years with an evening: one query."""
    first, after = midnight(date(year, 1, 1)), midnight(date(year + 1, 1, 1))
    found = Evening.objects.filter(circle=circle).aggregate(
        earlier=Max("started_at", filter=Q(started_at__lt=first)),
        later=Min("started_at", filter=Q(started_at__gte=after)),
    )
    return NeighbourYears(*(at and timezone.localtime(at).year for at in found.values()))


# --- Best hands ---


@dataclass(frozen=True, slots=True)
class BestOfYear:
    """The best of the hands of a game that were `played`: the dearest, None if there is none, and feats by code."""

    played: int
    dearest: DearestOfYear | None
    feats: Mapping[str, FeatOfYear]

    def rarest(self, but: str) -> FeatOfYear | None:
        """Return the rarest feat but the one with this code, the higher of equally rare ones; None without any."""
        feats = (each for each in self.feats.values() if each.feat.code != but)
        return max(feats, key=lambda each: (each.feat.rarity, each.feat.number), default=None)


def best_of_year(stats: Statistics, game: str) -> BestOfYear:
    """Return the best hands of a game, the first of equal ones: no query."""
    played, dearest, feats = 0, None, dict[str, FeatOfYear]()
    for evening in stats.evenings:
        if evening.game_key == game:
            best = unpacked_best(evening.best)
            played += best.played
            if best.dearest and (dearest is None or best.dearest.size > dearest[1].size):
                dearest = evening, best.dearest
            for each in best.feats:
                feats[each.feat.code] = _higher(feats.get(each.feat.code), evening, each)
    return BestOfYear(played, _dearest_of_year(*dearest, played) if dearest else None, feats)


def _dearest_of_year(evening: SummedEvening, dearest: Dearest, of: int) -> DearestOfYear:
    player = evening.results[dearest.seat].player
    return DearestOfYear(evening.pk, dearest.number, evening.started_at, player, dearest.amount, of)


def _higher(known: FeatOfYear | None, evening: SummedEvening, best: BestFeat) -> FeatOfYear:
    """Return the higher of a feat and that of a later evening; of equal ones the former, with the hands of both."""
    if known is None or best.feat.number > known.feat.number:
        players = tuple(evening.results[seat].player for seat in best.feat.seats)
        return FeatOfYear(best.feat, evening.pk, best.number, evening.started_at, players, best.times)
    return known._replace(times=known.times + best.times) if best.feat.number == known.feat.number else known
