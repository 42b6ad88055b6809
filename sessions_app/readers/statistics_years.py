"""Sums of the statistics from the stored sums of years; they equal those from the roll-ups. No query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from math import lcm
from typing import NamedTuple

from scorekeeper.games.amounts import Amount
from sessions_app.readers.evening_figures import unscaled
from sessions_app.readers.statistics_sums import (
    ALL,
    OF_ALL_STORED,
    Figure,
    PlayerResult,
    PlayerSums,
    Staked,
    SummedEvening,
    Sums,
)
from sessions_app.readers.year_sums import BestOfEvening, EveningResults, GameSums, StoredBest


class EveningRow(NamedTuple):
    """The columns of an evening's own row: the stake may be edited after its end."""

    started_at: datetime
    stake: Decimal | None
    currency: str


class StoredYear(NamedTuple):
    """A game in a year: its sums, and its best hands as they are stored."""

    game_key: str
    sums: GameSums
    best: StoredBest


def sums_of_years(
    years: Iterable[StoredYear], evenings: Mapping[int, EveningRow], persons: Mapping[int, int]
) -> Sums | None:
    """Return the sums of some years; `persons` has the person of each name.

    Return None if a stored evening is none of these `evenings`.
    """
    found, by_game = Sums(), defaultdict[str, list[GameSums]](list)
    for year in years:
        if not evenings.keys() >= year.sums.results.keys():
            return None
        players, of_all = (_players(found, game, year.sums.names, persons) for game in (year.game_key, ALL))
        _add_figures(players, of_all, year.sums)
        _add_evenings(found, players, of_all, year, evenings, persons)
        by_game[year.game_key].append(year.sums)
    for game, several in by_game.items():
        _add_debts(found, game, several, persons)
        _add_stakes(found, game, several, evenings, persons)
    return found


def _players(sums: Sums, game: str, names: Iterable[int], persons: Mapping[int, int]) -> list[PlayerSums]:
    """Return the sums of each name's person, which are made if there are none."""
    found = []
    for name in names:
        key = game, persons[name]
        known = sums.by_player.get(key)
        if known is None:
            known = sums.by_player[key] = PlayerSums(game)
        found.append(known)
    return found


def _add_figures(players: Sequence[PlayerSums], of_all: Sequence[PlayerSums], stored: GameSums) -> None:
    _add_columns([each.amounts[stored.scale] for each in players], stored.amounts)
    amounts_of_all = {name: stored.amounts[name] for name in OF_ALL_STORED if name in stored.amounts}
    _add_columns([each.amounts[stored.scale] for each in of_all], amounts_of_all)
    _add_columns([each.over for each in players], stored.over)


def _add_columns(players: Sequence[dict[str, int]], columns: Mapping[str, Sequence[int]]) -> None:
    for name, column in columns.items():
        for numbers, number in zip(players, column, strict=True):
            if number:
                numbers[name] += number


def _add_evenings(
    sums: Sums,
    players: Sequence[PlayerSums],
    of_all: Sequence[PlayerSums],
    year: StoredYear,
    evenings: Mapping[int, EveningRow],
    persons: Mapping[int, int],
) -> None:
    """Add the evenings themselves: a circle of a thousand has four thousand results, twice each."""
    by_name = {
        name: (each.evenings, every.evenings)
        for name, each, every in zip(year.sums.names, players, of_all, strict=True)
    }
    for pk, (scale, names, points, merits, parts) in year.sums.results.items():
        amounts = (points, merits) if scale == 1 else _unscaled(points, merits, scale)
        results = tuple(map(PlayerResult, [persons[name] for name in names], *amounts, map(bool, parts)))
        evening = SummedEvening(pk, year.game_key, *evenings[pk], results, BestOfEvening(year.best, pk))
        sums.evenings[pk] = evening
        sums.played[year.game_key] += any(parts)
        for name, result in zip(names, results, strict=True):
            of_game, of_every = by_name[name]
            of_game[pk] = of_every[pk] = evening, result


def _unscaled(points: Sequence[int], merits: Sequence[int], scale: int) -> tuple[list[Amount], list[Amount]]:
    return [unscaled(amount, scale) for amount in points], [unscaled(amount, scale) for amount in merits]


def _add_debts(sums: Sums, game: str, several: Sequence[GameSums], persons: Mapping[int, int]) -> None:
    """Add the debts between each two players; a figure is made of the sum of all years, as fractions are slow."""
    scale, found = lcm(*(stored.scale for stored in several)), dict[int, dict[int, list[int]]]()
    for stored in several:
        factor, players = scale // stored.scale, [persons[name] for name in stored.names]
        for player, debts, together in zip(players, stored.against, stored.together, strict=True):
            pairs = found.setdefault(player, {})
            for other, amount, evenings in zip(players, debts, together, strict=True):
                if evenings:
                    pair = pairs.setdefault(other, [0, 0])
                    pair[0] += amount * factor
                    pair[1] += evenings
    for player, pairs in found.items():
        against = {other: Figure(unscaled(amount, scale), of) for other, (amount, of) in pairs.items()}
        sums.by_player[game, player].against.update(against)


def _add_stakes(
    sums: Sums,
    game: str,
    several: Iterable[GameSums],
    evenings: Mapping[int, EveningRow],
    persons: Mapping[int, int],
) -> None:
    """Add the points by stake, of the game and of all games."""
    by_kind = defaultdict[tuple[str, Decimal, int], list[EveningResults]](list)
    for stored in several:
        for pk, results in stored.results.items():
            _started_at, stake, currency = evenings[pk]
            if stake is not None:
                by_kind[currency, stake, results.scale].append(results)
    for kind, of_kind in by_kind.items():
        for player, (points, of, number) in _staked(of_kind, persons).items():
            sums.by_player[game, player].staked[kind] = Staked(points, of, number)
            every = sums.by_player[ALL, player].staked
            before = every.get(kind, Staked(0, 0, 0))
            every[kind] = Staked(before.points + points, before.of + of, before.evenings + number)


def _staked(several: Iterable[EveningResults], persons: Mapping[int, int]) -> dict[int, list[int]]:
    """Return by player the numbers of a `Staked` of some evenings."""
    found: dict[int, list[int]] = {}
    for _scale, names, all_points, _merits, parts in several:
        for name, points, part in zip(names, all_points, parts, strict=True):
            if part or points:
                numbers = found.setdefault(persons[name], [0, 0, 0])
                numbers[0] += points
                numbers[1] += part
                numbers[2] += 1
    return found
