"""Sums of evenings, by game and player, to which evenings are added and from which they are taken away. No query.

Sums in a cache are not changed any more: a copy shares the sums of each player with them, and copies those before it
changes them. So what was derived of a player's sums is derived again only after an evening at which he sat.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from scorekeeper.games import GAMES
from scorekeeper.games.base import Amount
from sessions_app.readers.evening_figures import unscaled

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

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(result.player for result in self.results)

    @property
    def was_played(self) -> bool:
        return any(result.took_part for result in self.results)


@dataclass(frozen=True)
class PlayerSums:
    """A player's sums in a game: the stored amounts by scale, what they are counted over, and debts by other player.

    Those of ALL games have hands and evenings alone. `evenings` are in no order. Nothing is derived before the last
    evening has been added.
    """

    game: str
    amounts: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    over: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    against: dict[int, Figure] = field(default_factory=dict)
    evenings: dict[int, tuple[Line, Result]] = field(default_factory=dict)

    def copy(self) -> Self:
        found = type(self)(self.game, against=dict(self.against), evenings=dict(self.evenings))
        for scale, amounts in self.amounts.items():
            found.amounts[scale].update(amounts)
        found.over.update(self.over)
        return found

    def add(self, evening: Counted, row: Sequence[Any], line: Line, result: Result) -> None:
        """Add an evening; `row` is the stored row of the player's seat."""
        amounts, over, against = row
        sums, numbers, scale = self.amounts[evening.figures["scale"]], self.over, evening.figures["scale"]
        for each, amount in amounts.items():
            sums[each] += amount
        for each, of in over.items():
            numbers[each] += of
        for other, amount in zip(evening.players, against, strict=False):
            if other != result.player:
                value, of = self.against.get(other, NONE)
                self.against[other] = Figure(value + unscaled(amount, scale), of + 1)
        self.evenings[evening.pk] = line, result

    def take(self, evening: Counted, row: Sequence[Any], player: int) -> None:
        """Take away an evening that was added."""
        amounts, over, against = row
        sums, scale = self.amounts[evening.figures["scale"]], evening.figures["scale"]
        for each, amount in amounts.items():
            sums[each] -= amount
        for each, of in over.items():
            self.over[each] -= of
            if not self.over[each]:
                del self.over[each]
        for other, amount in zip(evening.players, against, strict=False):
            if other != player:
                value, of = self.against.pop(other)
                if of > 1:
                    self.against[other] = Figure(value - unscaled(amount, scale), of - 1)
        del self.evenings[evening.pk]

    @cached_property
    def results(self) -> tuple[tuple[Line, Result], ...]:
        """The evenings, the earliest first."""
        return tuple(sorted(self.evenings.values(), key=when))

    @cached_property
    def merits(self) -> tuple[tuple[Line, Result], ...]:
        """The evenings in which the player took part, those with the highest merit first."""
        return tuple(sorted((each for each in self.results if each[1].took_part), key=lambda each: -each[1].merit))

    @cached_property
    def figures(self) -> Mapping[Key, Figure]:
        """The figures by name and key, but amounts of 0 that are counted over another measure, or over nothing."""
        over, amounts = self.over, dict[str, Amount]()
        for scale, scaled in self.amounts.items():
            for each, amount in scaled.items():
                amounts[each] = amounts.get(each, 0) + unscaled(amount, scale)
        found: dict[Key, Figure] = {}
        for each in (*over, *(each for each, amount in amounts.items() if amount and each not in over)):
            name, _space, key = each.partition(" ")
            wider = wider_measure(self.game, name, key)
            of = amounts.get(wider, 0) if wider else over.get(each, 0)
            found[name, key] = Figure(plain(amounts.get(each, 0)), int(of))
        return found | in_money(self.points_by_stake) | self._of_evenings

    @cached_property
    def points_by_stake(self) -> Mapping[tuple[str, Decimal], Figure]:
        """The points by currency and worth of a point; fractions are dear, so these are added up before multiplying."""
        points: dict[tuple[str, Decimal], Figure] = {}
        for line, result in self.evenings.values():
            if line.stake is not None and (result.took_part or result.balance):
                value, of = points.get(kind := (line.currency, line.stake), NONE)
                points[kind] = Figure(value + result.balance, of + result.took_part)
        return points

    @property
    def _of_evenings(self) -> dict[Key, Figure]:
        balances = [result.balance for _line, result in self.results if result.took_part]
        if not balances or self.game == ALL:
            return {}
        values = {
            "best_evening": max(balances),
            "worst_evening": min(balances),
            "streak_won": longest([balance > 0 for balance in balances])[1],
            "streak_lost": longest([balance < 0 for balance in balances])[1],
        }
        return {(name, ""): Figure(value, len(balances)) for name, value in values.items()}


@dataclass(frozen=True)
class Sums:
    """Sums by game, or ALL, and player; the evenings that they are of; how many of each game somebody took part in."""

    by_player: dict[tuple[str, int], PlayerSums] = field(default_factory=dict)
    lines: dict[int, Line] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    #: Whose sums are not shared with other sums.
    _own: set[tuple[str, int]] = field(default_factory=set)

    def copy(self) -> Self:
        """Return equal sums that may be changed without changing these."""
        return type(self)(dict(self.by_player), dict(self.lines), self.played.copy())

    def add(self, evening: Counted) -> None:
        rows, scale = evening.figures["seats"], evening.figures["scale"]
        results = tuple(
            Result(
                player,
                unscaled(amounts.get("points", 0), scale),
                unscaled(amounts.get("merit", 0), scale),
                "points" in over,
            )
            for player, (amounts, over, _against) in zip(evening.players, rows, strict=True)
        )
        self.lines[evening.pk] = line = Line(*evening[:5], results, evening.figures["best"])
        self.played[line.game_key] += line.was_played
        for result, row in zip(results, rows, strict=True):
            self._changeable(evening.game_key, result.player).add(evening, row, line, result)
            self._changeable(ALL, result.player).add(evening, _of_all_games(row), line, result)

    def take(self, evening: Counted) -> None:
        """Take away an evening that was added, with the figures and players that it had then."""
        line = self.lines.pop(evening.pk)
        self.played[line.game_key] -= line.was_played
        for player, row in zip(evening.players, evening.figures["seats"], strict=True):
            for game, figures in ((evening.game_key, row), (ALL, _of_all_games(row))):
                sums = self._changeable(game, player)
                sums.take(evening, figures, player)
                if not sums.evenings:
                    del self.by_player[game, player]
                    self._own.discard((game, player))

    def _changeable(self, game: str, player: int) -> PlayerSums:
        key = game, player
        if key not in self._own:
            known = self.by_player.get(key)
            self.by_player[key] = known.copy() if known else PlayerSums(game)
            self._own.add(key)
        return self.by_player[key]


def _of_all_games(row: Sequence[Any]) -> tuple[dict[str, int], dict[str, int], tuple[int, ...]]:
    """Return the part of a seat's stored row that is counted over all games."""
    amounts = row[0]
    return {name: amounts[name] for name in ("evenings", "hands") if name in amounts}, {}, ()


def when(of: tuple[Line, Result]) -> tuple[datetime, int]:
    """Return the sort key of an evening by its start."""
    return of[0].started_at, of[0].pk


def in_money(points: Mapping[tuple[str, Decimal], Figure]) -> dict[Key, Figure]:
    """Return the money by currency of points by currency and stake."""
    found: dict[Key, Figure] = {}
    for (currency, stake), (value, of) in points.items():
        before = found.get(key := ("money", currency), NONE)
        found[key] = Figure(before.value + Fraction(value) * Fraction(stake), before.of + of)
    return {key: Figure(plain(value), of) for key, (value, of) in found.items()}


def wider_measure(game: str, name: str, key: str) -> str:
    """Return the measure whose amount is the number that a figure is counted over, '' if that is stored."""
    return GAMES[game].counted_over.get(name, "") if key and game != ALL else ""


def plain(value: Amount) -> Amount:
    return int(value) if value.denominator == 1 else value


def longest(holds: Sequence[bool]) -> tuple[int, int]:
    """Return the start and the length of the longest row of true values, the first of equal ones."""
    best, start = (0, 0), 0
    for at, each in enumerate(holds):
        if not each:
            start = at + 1
        elif at + 1 - start > best[1]:
            best = start, at + 1 - start
    return best
