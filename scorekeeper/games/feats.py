"""Feats: reasons to remember a hand of an evening besides its amount (docs/statistics.md)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorekeeper.games.measures import Measure


@dataclass(frozen=True, slots=True)
class Feat:
    """A reason to remember a hand: its code, and the seats whose feat it is, in the order of the table.

    Of an evening's feats with the same code the one with the highest `number` is shown; feats with the highest `rarity`
    come first.
    """

    code: str
    rarity: int
    seats: tuple[int, ...]
    number: int = 0


def seats_with(measures: Iterable[Measure], name: str, key: str = "", least: int = 1) -> tuple[int, ...]:
    """Return the seats whose measure is at least `least`."""
    # A hand has a hundred measures, and most amounts are 0.
    return tuple([each.seat for each in measures if each.amount >= least and each.name == name and each.key == key])


def feat_of(
    measures: Iterable[Measure], name: str, rarity: int, *, key: str = "", code: str = "", number: int = 0
) -> Iterator[Feat]:
    """Yield a feat of all seats that have the measure; nothing if no seat has it."""
    if seats := seats_with(measures, name, key):
        yield Feat(code or name, rarity, seats, number)
