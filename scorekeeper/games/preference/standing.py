"""The standing: the facts of earlier hands that a later one depends on (docs/rules/preference.md §8)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.games.preference.house_rules import Growth, MadeTo, PoolEnd, Rules

#: The highest number of times that a price is doubled.
MOST_DOUBLED: Final = 10

_NUMBERS: Final = r"(?:-?\d+(?:,-?\d+)*)"
_TEXT: Final = re.compile(rf"(?:P({_NUMBERS}))? ?(?:D({_NUMBERS}))? ?(?:R(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Standing:
    """The pools by seat, the raspasovkas in a row, and if pool points clear the dump first, the dumps by seat.

    Pools or dumps that are all 0 are an empty tuple, for any number of seats.
    """

    pools: tuple[int, ...] = ()
    dumps: tuple[int, ...] = ()
    row: int = 0

    def __post_init__(self) -> None:
        for name in ("pools", "dumps"):
            if not any(getattr(self, name)):
                object.__setattr__(self, name, ())


def start(rules: Rules) -> Standing:
    """Return the standing before the first hand."""
    return Standing()


def standing_from_text(text: str) -> Standing:
    """Read `P9,4,7 D0,3,0 R2`, where empty parts are left out. Raise ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"not a standing of this game: {text!r}")
    pools, dumps, row = found.groups(default="")
    standing = Standing(_numbers(pools), _numbers(dumps), int(row or 0))
    if standing_to_text(standing) != text:
        raise ValueError(f"not the normal form of a standing: {text!r}")
    return standing


def standing_to_text(standing: Standing) -> str:
    words = [f"P{_joined(standing.pools)}"] if standing.pools else []
    words += [f"D{_joined(standing.dumps)}"] if standing.dumps else []
    words += [f"R{standing.row}"] if standing.row else []
    return " ".join(words)


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


def pools_are_full(pools: Sequence[int], rules: Rules) -> bool:
    """Return whether the game ends with these pools of all seats (docs/rules/preference.md §6.3)."""
    match rules.pool_end:
        case PoolEnd.EACH:
            return min(pools) >= rules.target
        case PoolEnd.SUM:
            return sum(pools) >= rules.target * len(pools)
        case PoolEnd.NEVER:
            return False


def next_hand_note(standing: Standing, rules: Rules) -> None:
    """Return None: the drawn sheet shows the pools and the row of raspasovkas."""


def is_finished(standing: Standing, rules: Rules) -> bool:
    """Return whether the game is over: a new hand counts for nothing, except agreed entries outside the pool."""
    return bool(standing.pools) and pools_are_full(standing.pools, rules)


def next_price(standing: Standing, rules: Rules) -> int:
    """Return the r of the next raspasovka: the price of one trick."""
    match rules.raspasy_growth:
        case Growth.ADD:
            times = standing.row + 1
        case Growth.DOUBLE:
            times = 1 << min(standing.row, MOST_DOUBLED)
        case Growth.NONE:
            times = 1
    return rules.raspasy_base * (min(times, rules.raspasy_cap) if rules.raspasy_cap else times)


def lowest_level(standing: Standing, rules: Rules) -> int:
    """Return the lowest level of the exit ladder, which only warns."""
    return rules.raspasy_exit[min(standing.row, len(rules.raspasy_exit) - 1)]


def by_seat(numbers: tuple[int, ...], seats: Iterable[int]) -> dict[int, int]:
    """Return the pools or dumps of a standing by seat."""
    return {seat: numbers[seat] if numbers else 0 for seat in sorted(seats)}


def after(pools: Mapping[int, int], dumps: Mapping[int, int], row: int, rules: Rules) -> Standing:
    """Return the standing with these pools and row; the dumps only if later hands depend on them."""
    kept = tuple(dumps.values()) if rules.made_to is MadeTo.DUMP_FIRST else ()
    return Standing(tuple(pools.values()), kept, row)
