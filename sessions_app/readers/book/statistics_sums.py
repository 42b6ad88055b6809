"""Sums of evenings by game and player, and streaks of evenings. No query."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, Self

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount, simplified
from sessions_app.readers.evening.figures import unscaled

#: The name for figures of all games together.
ALL: Final = "all"

type Key = tuple[str, str]


class Figure(NamedTuple):
    """A figure: its value, and the number of hands or evenings it is counted over."""

    value: Amount
    of: int


NONE: Final = Figure(0, 0)
#: Figures that are counted over all games, too; and the stored ones that these and the money come from.
OF_ALL: Final = (("evenings", ""), ("hands", ""))
OF_ALL_STORED: Final[tuple[str, ...]] = ("evenings", "hands", "points")


class PlayerResult(NamedTuple):
    """A player's evening: his balance, his points of the merit ranking, and whether he took part."""

    player: int
    balance: Amount
    merit: Amount
    took_part: bool


class CountedEvening(NamedTuple):
    """An evening as it is counted: `players` and `figures` by seat, the latter as they are stored."""

    pk: int
    game_key: str
    started_at: datetime
    stake: Decimal | None
    currency: str
    players: tuple[int, ...]
    figures: Mapping[str, Any]


class SummedEvening(NamedTuple):
    """An evening with its players' results, and its best hands as they are stored."""

    pk: int
    game_key: str
    started_at: datetime
    stake: Decimal | None
    currency: str
    results: tuple[PlayerResult, ...]
    best: Mapping[str, Any]

    @property
    def was_played(self) -> bool:
        return any(result.took_part for result in self.results)


#: An evening of a player, with his result.
type PlayerEvening = tuple[SummedEvening, PlayerResult]


@dataclass(frozen=True, eq=False)
class PlayerSums:
    """A player's sums in a game: the stored amounts by scale, what they are counted over, and debts by other player.

    Those of ALL games have hands, evenings and points alone. `evenings` are in no order. Nothing is derived before
    the last evening has been added.
    """

    game: str
    amounts: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    over: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    against: dict[int, Figure] = field(default_factory=dict)
    #: Points by currency, worth of a point and scale, over the evenings in which the player took part.
    staked: dict[tuple[str, Decimal, int], Figure] = field(default_factory=dict)
    evenings: dict[int, PlayerEvening] = field(default_factory=dict)

    def copy(self) -> Self:
        found = type(self)(
            self.game, against=dict(self.against), staked=dict(self.staked), evenings=dict(self.evenings)
        )
        found.amounts.update({scale: amounts.copy() for scale, amounts in self.amounts.items()})
        found.over.update(self.over)
        return found

    def add(self, counted: CountedEvening, row: Sequence[Any], evening: SummedEvening, result: PlayerResult) -> None:
        """Add an evening; `row` is the stored row of the player's seat."""
        amounts, over, against = row
        sums, numbers, scale = self.amounts[counted.figures["scale"]], self.over, counted.figures["scale"]
        for each, amount in amounts.items():
            sums[each] += amount
        for each, of in over.items():
            numbers[each] += of
        for other, amount in zip(counted.players, against, strict=False):
            if other != result.player:
                value, of = self.against.get(other, NONE)
                self.against[other] = Figure(value + unscaled(amount, scale), of + 1)
        self._stake(counted, amounts.get("points", 0), result.took_part)
        self.evenings[evening.pk] = evening, result

    def _stake(self, counted: CountedEvening, points: int, took_part: bool) -> None:
        """Add an evening to the points at its stake."""
        if counted.stake is None or not (took_part or points):
            return
        kind = counted.currency, counted.stake, counted.figures["scale"]
        before = self.staked.get(kind, NONE)
        self.staked[kind] = Figure(before.value + points, before.of + took_part)

    @cached_property
    def results(self) -> tuple[PlayerEvening, ...]:
        """The evenings, the earliest first."""
        return tuple(sorted(self.evenings.values(), key=lambda pair: (pair[0].started_at, pair[0].pk)))

    @cached_property
    def merits(self) -> tuple[PlayerEvening, ...]:
        """The evenings in which the player took part, those with the highest merit first."""
        return tuple(sorted((each for each in self.results if each[1].took_part), key=lambda each: -each[1].merit))

    @cached_property
    def figures(self) -> Mapping[Key, Figure]:
        """The figures by name and key, but amounts of 0 that are counted over another measure, or over nothing."""
        over, amounts, found = self.over, self._unscaled, dict[Key, Figure]()
        for each, of in over.items():
            wider = _wider(self.game, each)
            found[_key(each)] = Figure(amounts.get(each, 0), int(amounts.get(wider, 0)) if wider else of)
        for each, amount in amounts.items():
            if amount and each not in over:
                wider = _wider(self.game, each)
                found[_key(each)] = Figure(amount, int(amounts.get(wider, 0)) if wider else 0)
        # Points of all games are there for the money alone: they are never added otherwise.
        found = found if self.game != ALL else {key: found[key] for key in OF_ALL if key in found}
        return found | in_money(self.staked) | self._of_evenings

    @property
    def _unscaled(self) -> Mapping[str, Amount]:
        if self.amounts.keys() == {1}:
            return self.amounts[1]
        found: dict[str, Amount] = {}
        for scale, scaled in self.amounts.items():
            for each, amount in scaled.items():
                found[each] = found.get(each, 0) + unscaled(amount, scale)
        return {each: simplified(amount) for each, amount in found.items()}

    @property
    def _of_evenings(self) -> dict[Key, Figure]:
        if self.game == ALL:
            return {}
        balances = [result.balance for _evening, result in self.results if result.took_part]
        if not balances:
            return {}
        values = {
            "best_evening": max(balances),
            "worst_evening": min(balances),
            "streak_won": longest_streak([balance > 0 for balance in balances])[1],
            "streak_lost": longest_streak([balance < 0 for balance in balances])[1],
        }
        return {(name, ""): Figure(value, len(balances)) for name, value in values.items()}


@dataclass(frozen=True)
class Sums:
    """Sums by game, or ALL, and player; the evenings that they are of; how many of each game somebody took part in."""

    by_player: dict[tuple[str, int], PlayerSums] = field(default_factory=dict)
    evenings: dict[int, SummedEvening] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    #: The keys of sums that are not shared with other sums.
    _own: set[tuple[str, int]] = field(default_factory=set)

    def derive(self) -> Self:
        """Derive all figures, and return these sums: they do not grow in a cache any more."""
        for sums in self.by_player.values():
            _derived = sums.figures, sums.merits
        return self

    def copy(self) -> Self:
        """Return equal sums that may be changed without changing these."""
        return type(self)(dict(self.by_player), dict(self.evenings), self.played.copy())

    def add(self, counted: CountedEvening) -> None:
        rows, scale = counted.figures["seats"], counted.figures["scale"]
        results = tuple(
            PlayerResult(
                player,
                unscaled(amounts.get("points", 0), scale),
                unscaled(amounts.get("merit", 0), scale),
                "points" in over,
            )
            for player, (amounts, over, _against) in zip(counted.players, rows, strict=True)
        )
        self.evenings[counted.pk] = evening = SummedEvening(*counted[:5], results, counted.figures["best"])
        self.played[evening.game_key] += evening.was_played
        for result, row in zip(results, rows, strict=True):
            self._changeable(counted.game_key, result.player).add(counted, row, evening, result)
            self._changeable(ALL, result.player).add(counted, _of_all_games(row), evening, result)

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
    return {name: amounts[name] for name in OF_ALL_STORED if name in amounts}, {}, ()


def in_money(staked: Mapping[tuple[str, Decimal, int], Figure]) -> dict[Key, Figure]:
    """Return the money by currency of points by currency, stake and scale."""
    found: dict[Key, Figure] = {}
    for (currency, stake, scale), (points, of) in staked.items():
        before = found.get(key := ("money", currency), NONE)
        found[key] = Figure(before.value + Fraction(points, scale) * Fraction(stake), before.of + of)
    return {key: Figure(simplified(value), of) for key, (value, of) in found.items()}


@cache
def _key(stored: str) -> Key:
    """Return the name and the key of a figure as it is stored."""
    name, _space, key = stored.partition(" ")
    return name, key


@cache
def _wider(game: str, stored: str) -> str:
    return wider_measure(game, *_key(stored))


def wider_measure(game: str, name: str, key: str) -> str:
    """Return the measure whose amount is the number that a figure is counted over, '' if that is stored."""
    return GAMES[game].counted_over.get(name, "") if key and game != ALL else ""


def longest_streak(holds: Sequence[bool]) -> tuple[int, int]:
    """Return the start and the length of the longest row of true values, the first of equal ones."""
    best, start = (0, 0), 0
    for at, each in enumerate(holds):
        if not each:
            start = at + 1
        elif at + 1 - start > best[1]:
            best = start, at + 1 - start
    return best
