"""The best hands of an evening: the dearest, and of each feat the hand that has it highest.

They are stored with the evening's roll-up, so that the page of a year reads no hands.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.games.feats import Feat
from scorekeeper.games.measures import Measure


class MeasuredHand(NamedTuple):
    """A hand that was played: its measures and its feats."""

    number: int
    measures: tuple[Measure, ...]
    feats: tuple[Feat, ...]

    @property
    def dearest(self) -> "Dearest":
        """Return the largest amount of a seat that played the hand: of equal ones a gain, of the first seat."""
        amounts = {each.seat: each.amount for each in self.measures if each.name in ("as_declarer", "as_opponent")}
        seat = max(amounts, key=lambda seat: (abs(amounts[seat]), amounts[seat], -seat))
        return Dearest(self.number, seat, amounts[seat])


class Dearest(NamedTuple):
    """The largest amount of one seat in one hand, by the hand's number."""

    number: int
    seat: int
    amount: Amount

    @property
    def size(self) -> Amount:
        return max(self.amount, -self.amount)


class BestFeat(NamedTuple):
    """The highest feat of its code: the number of the first hand with it, and the number of hands with one as high."""

    feat: Feat
    number: int
    times: int


@dataclass(frozen=True, slots=True)
class BestHands:
    """The best of the hands `played`: the dearest, None if all amounts are 0, and the feats, the rarest first."""

    played: int
    dearest: Dearest | None
    feats: tuple[BestFeat, ...]


def best_of(hands: Sequence[MeasuredHand]) -> BestHands:
    """Return the best of hands that were played; of equal ones the first."""
    dearest = max((hand.dearest for hand in hands), key=lambda each: each.size, default=None)
    return BestHands(len(hands), dearest if dearest and dearest.amount else None, _best_feats(hands))


def _best_feats(hands: Iterable[MeasuredHand]) -> tuple[BestFeat, ...]:
    best: dict[str, BestFeat] = {}
    for hand in hands:
        for feat in hand.feats:
            known = best.get(feat.code)
            if known is None or feat.number > known.feat.number:
                best[feat.code] = BestFeat(feat, hand.number, 1)
            elif feat.number == known.feat.number and hand.number != known.number:
                best[feat.code] = known._replace(times=known.times + 1)
    return tuple(sorted(best.values(), key=lambda each: -each.feat.rarity))


# --- As stored ---


def packed_best(best: BestHands) -> dict[str, Any]:
    """Return the best hands as they are stored; amounts are texts, as they may be fractions."""
    dearest = [best.dearest.number, best.dearest.seat, str(best.dearest.amount)] if best.dearest else None
    feats = [
        [each.feat.code, each.feat.rarity, list(each.feat.seats), each.feat.number, each.number, each.times]
        for each in best.feats
    ]
    return {"played": best.played, "dearest": dearest, "feats": feats}


def unpacked_best(stored: Mapping[str, Any]) -> BestHands:
    """Read stored best hands. Raise an error of the data if they cannot be read."""
    dearest = None
    if stored["dearest"] is not None:
        number, seat, text = stored["dearest"]
        dearest = Dearest(number, seat, simplified(Fraction(text)))
    feats = tuple(
        BestFeat(Feat(code, rarity, tuple(seats), height), number, times)
        for code, rarity, seats, height, number, times in stored["feats"]
    )
    return BestHands(stored["played"], dearest, feats)
