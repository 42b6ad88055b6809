"""The statistics of a circle: figures of each player, summed up from the roll-ups of its evenings.

An evening that has no roll-up counts by its hands: one that runs, or one whose roll-up is of an older edition. The
queries are fixed: one for the players, one for the stamp of the roll-ups, one for the evenings without one; three more
if any of these is not in the cache, and two more if the sums of the roll-ups are not.

The sums are cached by the circle, the period, the players and the stamp of the roll-ups: their number and highest key,
as rows are only added and deleted, and the versions of their evenings, as a stake may change. Nothing is cached inside
a transaction, which may be rolled back.
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
from scorekeeper.games.base import Amount
from sessions_app.models import Circle, Evening, EveningRollup, Player, Seat
from sessions_app.periods import Period
from sessions_app.readers.evening_figures import EDITION, SEPARATOR, counted, packed, read_amount, records_of

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
    figures: Sequence[Any]

    def with_players(self, one: Mapping[int, int]) -> Self:
        """Return the evening with the key of one player for all the keys under which he has sat."""
        return self._replace(players=tuple(one[key] for key in self.players))


class Line(NamedTuple):
    """An evening with its players' results."""

    pk: int
    game_key: str
    started_at: datetime
    stake: Decimal | None
    currency: str
    results: tuple[Result, ...]


@dataclass(slots=True)
class Sums:
    """Sums of evenings by game and player.

    `over` are the numbers that figures are counted over, by name and all the keys that share them; `amounts` by name
    and key; `against` by game and two players.
    """

    over: dict[tuple[str, int], dict[Key, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    amounts: dict[tuple[str, int], dict[Key, Amount]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )
    against: dict[tuple[str, int, int], Figure] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    def copy(self) -> Self:
        found = type(self)(against=dict(self.against), lines=list(self.lines))
        for player, over in self.over.items():
            found.over[player].update(over)
        for player, amounts in self.amounts.items():
            found.amounts[player].update(amounts)
        return found

    def add(self, evening: Counted) -> None:
        self.lines.append(Line(*evening[:5], tuple(self._results(evening))))

    def _results(self, evening: Counted) -> Iterator[Result]:
        game, players = evening.game_key, evening.players
        for player, rows in zip(players, evening.figures, strict=True):
            over, amounts = self.over[game, player], self.amounts[game, player]
            balance: Amount = 0
            merit: Amount = 0
            took_part = False
            for name, of, keys, values in rows:
                if name == "against":
                    self._add_against(game, player, players, of, keys, values)
                    continue
                over[name, keys] += of
                for key, stored in values.items():
                    amounts[name, key] += read_amount(stored)
                if name == "points":
                    balance, took_part = read_amount(values.get("", 0)), bool(of)
                elif name == "merit":
                    merit = read_amount(values.get("", 0))
            yield Result(player, balance, merit, took_part)

    def _add_against(
        self, game: str, player: int, players: Sequence[int], of: int, keys: str, values: Mapping[str, Any]
    ) -> None:
        for seat in keys.split(SEPARATOR):
            pair = game, player, players[int(seat)]
            before = self.against.get(pair, NONE)
            self.against[pair] = Figure(before.value + read_amount(values.get(seat, 0)), before.of + of)


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
    """The statistics of a circle in a period. `people` has everybody, by key, in the order of the names."""

    people: Mapping[int, Person]
    sums: Sums

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
        return self.figures(game, player).get((name, key), NONE)

    def figures(self, game: str, player: int) -> Mapping[Key, Figure]:
        """Return a player's figures by name and key; of ALL games those that are counted over all."""
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
        shared = [self.figures(game, player) for game in self.games]
        found = {
            key: Figure(sum(figures.get(key, NONE).value for figures in shared), 0)
            for key in (("evenings", ""), ("hands", ""))
        }
        return found | self._money(ALL, player)

    def _of_game(self, game: str, player: int) -> dict[Key, Figure]:
        amounts = self.sums.amounts.get((game, player), {})
        over: dict[Key, int] = defaultdict(int)
        for (name, keys), of in self.sums.over.get((game, player), {}).items():
            for key in keys.split(SEPARATOR):
                over[name, key] += of
        found = {key: Figure(_plain(amounts.get(key, 0)), of) for key, of in over.items()}
        return found | self._money(game, player) | _of_evenings(self.results(game, player))

    def _money(self, game: str, player: int) -> dict[Key, Figure]:
        found: dict[Key, Figure] = {}
        for line, result in self.results(game, player):
            if line.stake is not None and (result.took_part or result.balance):
                before = found.get(key := ("money", line.currency), NONE)
                won = Fraction(result.balance) * Fraction(line.stake)
                found[key] = Figure(before.value + won, before.of + result.took_part)
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
    one = {key: person.pk for person in people.values() for key in person.keys}
    stamp = circle.pk, circle.created_at, period, tuple(one.items()), *_stamp(circle, period)
    running = _not_rolled_up(circle, period)
    shown = *stamp, tuple(people.values()), *((evening.token, evening.version) for evening in running)
    found = None if connection.in_atomic_block else _shown.get(shown)
    if found is None:
        sums = _of_rollups(circle, period, one, stamp)
        if running:
            sums = sums.copy()
            for evening in counted_evenings(running):
                sums.add(evening.with_players(one))
        found = Statistics(people, sums)
        if not connection.in_atomic_block:
            _shown.put(shown, found)
    return found


def people_of(circle: Circle) -> dict[int, Person]:
    """Return the persons of a circle by key, in the order of their names: one query."""
    rows = Player.objects.filter(circle=circle).order_by("sort_key", "pk").values_list("pk", "name", "merged_into")
    players, keys = list(rows), defaultdict[int, set[int]](set)
    for pk, _name, merged_into in players:
        keys[merged_into or pk].add(pk)
    return {pk: Person(pk, name, frozenset(keys[pk])) for pk, name, merged_into in players if merged_into is None}


def _of_rollups(circle: Circle, period: Period, one: Mapping[int, int], stamp: tuple[Any, ...]) -> Sums:
    found = None if connection.in_atomic_block else _kept.get(stamp)
    if found is None:
        found = Sums()
        for evening in stored_evenings(circle, period):
            found.add(evening.with_players(one))
        if not connection.in_atomic_block:
            _kept.put(stamp, found)
    return found


def _stamp(circle: Circle, period: Period) -> tuple[Any, ...]:
    asked = _rollups(circle, period).aggregate(rows=Count("pk"), last=Max("pk"), versions=Sum("evening__version"))
    return tuple(asked.values())


def _rollups(circle: Circle, period: Period) -> Any:
    return EveningRollup.objects.filter(edition=EDITION, evening__circle=circle, **period.of_evenings("evening__"))


def stored_evenings(circle: Circle, period: Period) -> Iterator[Counted]:
    """Yield the evenings of the period that have a roll-up, in no order: two queries."""
    seats = Seat.objects.filter(evening__circle=circle, **period.of_evenings("evening__"))
    players = defaultdict[int, list[int]](list)
    for evening, player in seats.order_by("evening", "position").values_list("evening", "player"):
        players[evening].append(player)
    columns = (f"evening__{name}" for name in ("id", "game_key", "started_at", "stake", "currency"))
    rows = _rollups(circle, period).values_list(*columns, "figures")
    for pk, game_key, started_at, stake, currency, figures in rows:
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
        evening, figures = record.evening, packed(counted(record), len(record.players))
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
