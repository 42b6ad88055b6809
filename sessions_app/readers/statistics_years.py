"""Sums of the statistics from the stored sums of years; they equal those from the roll-ups. No query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from scorekeeper.games.amounts import Amount
from sessions_app.readers.evening_figures import unscaled
from sessions_app.readers.statistics_sums import (
    ALL,
    NONE,
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
    found = Sums()
    for year in years:
        if not evenings.keys() >= year.sums.results.keys():
            return None
        players, of_all = (_players(found, game, year.sums.names, persons) for game in (year.game_key, ALL))
        _add_figures(players, of_all, year.sums, persons)
        _add_evenings(found, players, of_all, year, evenings, persons)
        _add_stakes(players, of_all, year.sums, evenings)
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


def _add_figures(
    players: Sequence[PlayerSums], of_all: Sequence[PlayerSums], stored: GameSums, persons: Mapping[int, int]
) -> None:
    _add_columns([each.amounts[stored.scale] for each in players], stored.amounts)
    amounts_of_all = {name: stored.amounts[name] for name in OF_ALL_STORED if name in stored.amounts}
    _add_columns([each.amounts[stored.scale] for each in of_all], amounts_of_all)
    _add_columns([each.over for each in players], stored.over)
    for each, debts, together in zip(players, stored.against, stored.together, strict=True):
        for other, amount, evenings in zip(stored.names, debts, together, strict=True):
            if evenings:
                value, of = each.against.get(persons[other], NONE)
                each.against[persons[other]] = Figure(value + unscaled(amount, stored.scale), of + evenings)


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


def _add_stakes(
    players: Sequence[PlayerSums],
    of_all: Sequence[PlayerSums],
    stored: GameSums,
    evenings: Mapping[int, EveningRow],
) -> None:
    """Add the points by stake."""
    by_kind = defaultdict[tuple[str, Decimal, int], list[EveningResults]](list)
    for pk, results in stored.results.items():
        _started_at, stake, currency = evenings[pk]
        if stake is not None:
            by_kind[currency, stake, results.scale].append(results)
    for kind, several in by_kind.items():
        staked = _staked(several)
        for name, *sums in zip(stored.names, players, of_all, strict=True):
            for each in sums if name in staked else ():
                before = each.staked.get(kind, Staked(0, 0, 0))
                each.staked[kind] = Staked(*map(sum, zip(before, staked[name], strict=True)))


def _staked(several: Iterable[EveningResults]) -> dict[int, list[int]]:
    """Return by name the numbers of a `Staked` of some evenings."""
    found: dict[int, list[int]] = {}
    for _scale, names, all_points, _merits, parts in several:
        for name, points, part in zip(names, all_points, parts, strict=True):
            if part or points:
                numbers = found.setdefault(name, [0, 0, 0])
                numbers[0] += points
                numbers[1] += part
                numbers[2] += 1
    return found
