"""Measures and feats: the contributions of one hand to the statistics, and the reasons to remember it.

Both are described in docs/statistics.md. A figure over many hands is the sum of the amounts and of the `of` with its
name and key.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from scorekeeper.games.amounts import Amount

#: The points of each opponent in a hand that failed, by the number of players.
SHARES: Final[Mapping[int, int]] = MappingProxyType({3: 40, 4: 30})


@dataclass(frozen=True, slots=True)
class Measure:
    """A contribution of one hand to a figure of a seat: an amount, and the hands that it is counted over, 0 or 1.

    `key` is the part of a figure that is split, in the letters of the game's notation; '' is the whole.
    """

    name: str
    seat: int
    amount: Amount
    of: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class Merit:
    """The points of the merit ranking, in the manner of Seeger points in Skat.

    The declarer gets the hand's amount, and `made` or `failed`. If it failed, each opponent gets a share by the number
    of players. `with_partner`: the declarer's partner gets his own amount and the same points.
    """

    made: int = 50
    failed: int = -50
    shares: Mapping[int, int] = SHARES
    with_partner: bool = False


def shared_measures(
    seats: tuple[int, ...], declaring: tuple[int, ...], amounts: Mapping[int, Amount], merit: Merit, *, is_made: bool
) -> Iterator[Measure]:
    """Yield the measures that every game has.

    `seats` are those that played, `declaring` the declarer and then any partner; none if nobody declared.
    """
    for seat in seats:
        amount, has_declared = amounts[seat], declaring[:1] == (seat,)
        yield Measure("hands", seat, 1, 0)
        yield Measure("won", seat, int(amount > 0), 1)
        yield Measure("declared", seat, int(has_declared), 1)
        if has_declared:
            yield Measure("declared_won", seat, int(is_made), 1)
        yield Measure("as_declarer" if has_declared else "as_opponent", seat, amount, 1)
        # The points of the merit ranking, and the numbers of hands that they come from.
        points: Amount = 0
        if seat in declaring[: None if merit.with_partner else 1]:
            points = amount + (merit.made if is_made else merit.failed)
            yield Measure("merit_made", seat, int(is_made), 1)
            yield Measure("merit_failed", seat, int(not is_made), 1)
        elif declaring and seat not in declaring:
            points = 0 if is_made else merit.shares[len(seats)]
            yield Measure("merit_defended", seat, int(not is_made), 1)
        yield Measure("merit", seat, points, 1)


@lru_cache(maxsize=4096)  # a hand has about a hundred of these, and few are different
def by_key(name: str, seat: int, keys: tuple[str, ...], counted: frozenset[str] = frozenset()) -> tuple[Measure, ...]:
    """Return a measure for each of the keys: 1 for the keys that the hand counts for, 0 for the others."""
    return tuple(Measure(name, seat, int(key in counted), 1, key) for key in keys)


def summed(measures: Iterable[Measure]) -> dict[tuple[int, str, str], tuple[Amount, int]]:
    """Return the sums of `amount` and of `of` by seat, name and key."""
    sums: dict[tuple[int, str, str], tuple[Amount, int]] = {}
    for each in measures:
        amount, of = sums.get(found := (each.seat, each.name, each.key), (0, 0))
        sums[found] = amount + each.amount, of + each.of
    return sums


# --- Feats ---


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
