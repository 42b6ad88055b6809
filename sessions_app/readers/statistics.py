"""The statistics of a circle: figures of each player, summed up from the roll-ups of its evenings.

An evening that has no roll-up counts by its hands: one that runs, or one whose roll-up is of an older edition. The
queries are fixed: one for the players, one for the stamp of the roll-ups, one for the evenings without one; three more
if any of these is not in the cache, and two more if the sums of the roll-ups are not.

The sums are cached by the circle, the period and the stamp of the roll-ups: their number and highest key, as rows are
only added and deleted, and the versions of their evenings, as a stake may change and players may be merged. Nothing is
cached inside a transaction, which may be rolled back.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from django.db import connection
from django.db.models import Count, Max, Q, Sum

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.base import Amount
from sessions_app.models import Circle, Evening, EveningRollup, Player, Seat
from sessions_app.periods import Period
from sessions_app.readers.evening_figures import EDITION, records_of, stored_figures, unscaled

#: The name for figures of all games together.
ALL: Final = "all"

type Key = tuple[str, str]


class Figure(NamedTuple):
    """A figure: its value, and the number of hands or evenings it is counted over."""

    value: Amount
    of: int


NONE: Final = Figure(0, 0)


class Result(NamedTuple):
    """A player's evening: his balance, his points of the merit ranking, and whether he took part."""

    player: int
    balance: Amount
    merit: Amount
    took_part: bool


class Counted(NamedTuple):
    """An evening as it is counted: `players` and `figures` by seat, the latter as they are stored."""

    pk: int
    game_key: str
    started_at: datetime
    stake: Decimal | None
    currency: str
    players: tuple[int, ...]
    figures: Mapping[str, Any]


class Line(NamedTuple):
    """An evening with its players' results, and its best hands as they are stored."""

    pk: int
    game_key: str
    started_at: datetime
    stake: Decimal | None
    currency: str
    results: tuple[Result, ...]
    best: Mapping[str, Any]


@dataclass(slots=True)
class Sums:
    """Sums of evenings: by game and player the stored amounts by scale, and the numbers they are counted over.

    `against` has the debts by game and two players.
    """

    amounts: dict[tuple[str, int], dict[int, dict[str, int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    )
    over: dict[tuple[str, int], dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    against: dict[tuple[str, int, int], Figure] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    def copy(self) -> Self:
        found = type(self)(against=dict(self.against), lines=list(self.lines))
        for player, scales in self.amounts.items():
            for scale, amounts in scales.items():
                found.amounts[player][scale].update(amounts)
        for player, over in self.over.items():
            found.over[player].update(over)
        return found

    def add(self, evening: Counted) -> None:
        self.lines.append(Line(*evening[:5], tuple(self._results(evening)), evening.figures["best"]))

    def _results(self, evening: Counted) -> Iterator[Result]:
        game, players, scale = evening.game_key, evening.players, evening.figures["scale"]
        for player, (amounts, over, against) in zip(players, evening.figures["seats"], strict=True):
            sums, numbers = self.amounts[game, player][scale], self.over[game, player]
            for each, amount in amounts.items():
                sums[each] += amount
            for each, of in over.items():
                numbers[each] += of
            for other, amount in zip(players, against, strict=True):
                if other != player:
                    value, of = self.against.get((game, player, other), NONE)
                    self.against[game, player, other] = Figure(value + unscaled(amount, scale), of + 1)
            balance, merit = (unscaled(amounts.get(name, 0), scale) for name in ("points", "merit"))
            yield Result(player, balance, merit, "points" in over)


#: Sums of a period of a circle, of at most so many circles and periods.
_kept: LRUCache[Sums] = LRUCache(most=100)
#: The same with the evenings that run, and what was derived of them since.
_shown: LRUCache["Statistics"] = LRUCache(most=100)
#: Figures of running evenings by their token and version.
_running: LRUCache[Counted | None] = LRUCache(most=200)


class Person(NamedTuple):
    """A player of the circle, with the keys of all his names."""

    pk: int
    name: str
    keys: frozenset[int]


@dataclass(frozen=True)
class Statistics:
    """The statistics of a circle in a period. `people` has everybody, by key, in the order of the names.

    `stamp` is equal for equal statistics; None if they were read inside a transaction, which may be rolled back.
    """

    people: Mapping[int, Person]
    sums: Sums
    stamp: tuple[Any, ...] | None

    @cached_property
    def lines(self) -> list[Line]:
        """The evenings, the earliest first."""
        return sorted(self.sums.lines, key=lambda line: (line.started_at, line.pk))

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The keys of the games that were played, the most evenings first."""
        evenings: dict[str, int] = defaultdict(int)
        for line in self.lines:
            evenings[line.game_key] += any(result.took_part for result in line.results)
        return tuple(sorted((key for key, count in evenings.items() if count), key=lambda key: (-evenings[key], key)))

    def players(self, game: str) -> list[Person]:
        """Return everybody with a figure in this game, or in any, in the order of the names."""
        found = {player for key, player in self.sums.amounts if game in (key, ALL) and self.sums.amounts[key, player]}
        return [person for key, person in self.people.items() if key in found]

    def figure(self, game: str, player: int, name: str, key: str = "") -> Figure:
        """Return one figure; 0 of 0 if there is none."""
        found = self.figures(game, player).get((name, key))
        if found is None and (wider := self._wider(game, name, key)):
            found = Figure(0, int(self.figure(game, player, wider).value))
        return found or NONE

    def figures(self, game: str, player: int) -> Mapping[Key, Figure]:
        """Return a player's figures by name and key, but keys of 0; of ALL games those that are counted over all."""
        if (game, player) not in self._figures:
            self._figures[game, player] = self._of_all(player) if game == ALL else self._of_game(game, player)
        return self._figures[game, player]

    @cached_property
    def _figures(self) -> dict[tuple[str, int], Mapping[Key, Figure]]:
        return {}

    def against(self, game: str, player: int) -> Mapping[int, Figure]:
        """Return the head-to-head figures of a player by the other player's key, in the order of the names."""
        pairs = self.sums.against
        return {other: pairs[game, player, other] for other in self.people if (game, player, other) in pairs}

    def results(self, game: str, player: int) -> list[tuple[Line, Result]]:
        """Return a player's evenings in this game, or in all, the earliest first; also those he did not play in."""
        return self._by_player.get((game, player), [])

    @cached_property
    def _by_player(self) -> dict[tuple[str, int], list[tuple[Line, Result]]]:
        found: dict[tuple[str, int], list[tuple[Line, Result]]] = defaultdict(list)
        for line in self.lines:
            for result in line.results:
                found[line.game_key, result.player].append((line, result))
                found[ALL, result.player].append((line, result))
        return found

    def merits(self, game: str, player: int, best: int | None = None) -> list[tuple[Line, Result]]:
        """Return the evenings that count for a player's merit, the highest first: all, or the `best` so many."""
        evenings = [each for each in self.results(game, player) if each[1].took_part]
        return sorted(evenings, key=lambda each: -each[1].merit)[:best]

    def _of_all(self, player: int) -> dict[Key, Figure]:
        found = {}
        for name in ("evenings", "hands"):
            scales = (scales for (_game, each), scales in self.sums.amounts.items() if each == player)
            whole = sum(amounts.get(name, 0) // scale for each in scales for scale, amounts in each.items())
            found[name, ""] = Figure(whole, 0)
        return found | self._money(ALL, player)

    def _of_game(self, game: str, player: int) -> dict[Key, Figure]:
        over, amounts = self.sums.over.get((game, player), {}), dict[str, Amount]()
        for scale, scaled in self.sums.amounts.get((game, player), {}).items():
            for each, amount in scaled.items():
                amounts[each] = amounts.get(each, 0) + unscaled(amount, scale)
        found: dict[Key, Figure] = {}
        for each in (*over, *amounts):
            name, _space, key = each.partition(" ")
            of = amounts.get(wider, 0) if (wider := self._wider(game, name, key)) else over.get(each, 0)
            found[name, key] = Figure(_plain(amounts.get(each, 0)), int(of))
        return found | self._money(game, player) | _of_evenings(self.results(game, player))

    def _wider(self, game: str, name: str, key: str) -> str:
        """Return the measure whose amount is the number that a figure is counted over, '' if that is stored."""
        return GAMES[game].counted_over.get(name, "") if key and game != ALL else ""

    def _money(self, game: str, player: int) -> dict[Key, Figure]:
        # Points are added up before they are multiplied: fractions are dear.
        points: dict[tuple[str, Decimal], Figure] = {}
        for line, result in self.results(game, player):
            if line.stake is not None and (result.took_part or result.balance):
                value, of = points.get(kind := (line.currency, line.stake), NONE)
                points[kind] = Figure(value + result.balance, of + result.took_part)
        found: dict[Key, Figure] = {}
        for (currency, stake), (value, of) in points.items():
            before = found.get(key := ("money", currency), NONE)
            found[key] = Figure(before.value + Fraction(value) * Fraction(stake), before.of + of)
        return {key: Figure(_plain(value), of) for key, (value, of) in found.items()}


def _of_evenings(results: Iterable[tuple[Line, Result]]) -> dict[Key, Figure]:
    balances = [result.balance for _line, result in results if result.took_part]
    if not balances:
        return {}
    values = {
        "best_evening": max(balances),
        "worst_evening": min(balances),
        "streak_won": longest([balance > 0 for balance in balances])[1],
        "streak_lost": longest([balance < 0 for balance in balances])[1],
    }
    return {(name, ""): Figure(value, len(balances)) for name, value in values.items()}


def longest(holds: Sequence[bool]) -> tuple[int, int]:
    """Return the start and the length of the longest row of true values, the first of equal ones."""
    best, start = (0, 0), 0
    for at, each in enumerate(holds):
        if not each:
            start = at + 1
        elif at + 1 - start > best[1]:
            best = start, at + 1 - start
    return best


def _plain(value: Amount) -> Amount:
    return int(value) if value.denominator == 1 else value


def statistics(circle: Circle, period: Period) -> Statistics:
    """Return the statistics of a circle's evenings in the period."""
    people = people_of(circle)
    stamp = circle.pk, circle.created_at, period, *_stamp(circle, period)
    running = _not_rolled_up(circle, period)
    shown = *stamp, tuple(people.values()), *((evening.token, evening.version) for evening in running)
    is_kept = not connection.in_atomic_block
    found = _shown.get(shown) if is_kept else None
    if found is None:
        sums = _of_rollups(circle, period, stamp)
        if running:
            sums = sums.copy()
            for evening in counted_evenings(running):
                sums.add(evening)
        found = Statistics(people, sums, shown if is_kept else None)
        if is_kept:
            _shown.put(shown, found)
    return found


def people_of(circle: Circle) -> dict[int, Person]:
    """Return the persons of a circle by key, in the order of their names: one query."""
    rows = Player.objects.filter(circle=circle).order_by("sort_key", "pk").values_list("pk", "name", "merged_into")
    players, keys = list(rows), defaultdict[int, set[int]](set)
    for pk, _name, merged_into in players:
        keys[merged_into or pk].add(pk)
    return {pk: Person(pk, name, frozenset(keys[pk])) for pk, name, merged_into in players if merged_into is None}


def _of_rollups(circle: Circle, period: Period, stamp: tuple[Any, ...]) -> Sums:
    found = None if connection.in_atomic_block else _kept.get(stamp)
    if found is None:
        found = Sums()
        for evening in stored_evenings(circle, period):
            found.add(evening)
        if not connection.in_atomic_block:
            _kept.put(stamp, found)
    return found


def _stamp(circle: Circle, period: Period) -> tuple[Any, ...]:
    asked = _rollups(circle, period).aggregate(rows=Count("pk"), last=Max("pk"), versions=Sum("evening__version"))
    return tuple(asked.values())


def _rollups(circle: Circle, period: Period) -> Any:
    return EveningRollup.objects.filter(edition=EDITION, evening__circle=circle, **period.of_evenings("evening__"))


def stored_evenings(circle: Circle, period: Period, of: Person | None = None, game: str = ALL) -> Iterator[Counted]:
    """Yield the evenings of the period that have a roll-up, in no order: two queries.

    `of` and `game` leave out those in which the person did not sit, and those of other games.
    """
    where = {**period.of_evenings("evening__"), **({} if game == ALL else {"evening__game_key": game})}
    seats, rollups = Seat.objects.filter(evening__circle=circle, **where), _rollups(circle, period).filter(**where)
    if of is not None:
        there = Seat.objects.filter(player=of.pk).values("evening")
        seats, rollups = seats.filter(evening__in=there), rollups.filter(evening__in=there)
    players = defaultdict[int, list[int]](list)
    for evening, player in seats.order_by("evening", "position").values_list("evening", "player"):
        players[evening].append(player)
    columns = (f"evening__{name}" for name in ("id", "game_key", "started_at", "stake", "currency"))
    for pk, game_key, started_at, stake, currency, figures in rollups.values_list(*columns, "figures"):
        yield Counted(pk, game_key, started_at, stake, currency, tuple(players[pk]), figures)


def _not_rolled_up(circle: Circle, period: Period) -> list[Evening]:
    """Return the evenings of the period that have no current roll-up, as they run: one query."""
    stored = Q(ended_at__isnull=False, rollup__edition=EDITION)
    return list(Evening.objects.filter(~stored, circle=circle, **period.of_evenings()).order_by("pk"))


def running_evenings(circle: Circle, period: Period) -> list[Counted]:
    """Return the evenings of the period without a current roll-up, counted by their hands: one query, or four."""
    return counted_evenings(_not_rolled_up(circle, period))


def counted_evenings(evenings: Sequence[Evening]) -> list[Counted]:
    """Count evenings by their hands, or return them as they were counted at this version: three queries, or none."""
    found: dict[int, Counted | None] = {}
    if not connection.in_atomic_block:
        found = {evening.pk: _running.get((evening.token, evening.version)) for evening in evenings}
    missing = [evening for evening in evenings if not found.get(evening.pk)]
    for record in records_of(missing) if missing else ():
        evening, figures = record.evening, stored_figures(record)
        found[evening.pk] = Counted(
            evening.pk,
            evening.game_key,
            evening.started_at,
            evening.stake,
            evening.currency,
            record.players,
            figures,
        )
        if not connection.in_atomic_block:
            _running.put((evening.token, evening.version), found[evening.pk])
    return [known for evening in evenings if (known := found[evening.pk])]
