"""The remarkable hands of an evening that has ended: the dearest, and the best of each feat. Three queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.games.base import Amount
from scorekeeper.games.feats import Feat
from scorekeeper.games.measures import Measure
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening_figures import Record, StoredHand, measures_of, records_of

#: The most hands that are shown.
MOST_SHOWN: Final = 5
#: The most hands read, the newest ones, so that an evening without end cannot make the page ever dearer.
MOST_READ: Final = 400


class PlayedHand(NamedTuple):
    """A hand with the amounts of the seats that played it, and its feats."""

    number: int
    amounts: Mapping[int, Amount]
    feats: tuple[Feat, ...]

    @property
    def dearest(self) -> tuple[Amount, Amount, int]:
        """Return the largest amount, without and with its sign, and its seat: of equal ones a gain, the first."""
        return max((max(amount, -amount), amount, -seat) for seat, amount in self.amounts.items())


@dataclass(frozen=True, slots=True)
class RemarkableHand:
    """A hand and the reasons to show it: its `feats`, and of the dearest hand its largest `amount` with its seat."""

    number: int
    feats: tuple[Feat, ...]
    seat: int | None = None
    amount: Amount = 0


def remarkable_hands(evening: Evening) -> tuple[RemarkableHand, ...]:
    """Return the remarkable hands of the evening: three queries."""
    (record,) = records_of([evening], above=max(0, evening.last_number - MOST_READ))
    return chosen([_played(record, hand) for hand in record.hands if hand.kind == Hand.Kind.PLAYED])


def chosen(hands: Sequence[PlayedHand]) -> tuple[RemarkableHand, ...]:
    """Return the dearest hand, and then those with the best feats, the rarest first; of equal ones the first hand."""
    shown: dict[int, list[Feat]] = {}
    dearest = max(hands, key=lambda hand: hand.dearest[0], default=None)
    if dearest and dearest.dearest[0]:
        shown[dearest.number] = []
    else:
        dearest = None
    for number, feat in _best_of_each(hands):
        if number in shown or len(shown) < MOST_SHOWN:
            shown.setdefault(number, []).append(feat)
    return tuple(
        RemarkableHand(number, tuple(feats), -dearest.dearest[2], dearest.dearest[1])
        if dearest and number == dearest.number
        else RemarkableHand(number, tuple(feats))
        for number, feats in shown.items()
    )


def _best_of_each(hands: Iterable[PlayedHand]) -> Iterator[tuple[int, Feat]]:
    """Yield each kind of feat with the hand of its highest number, the rarest first."""
    best: dict[str, tuple[int, Feat]] = {}
    for hand in hands:
        for feat in hand.feats:
            if feat.code not in best or feat.number > best[feat.code][1].number:
                best[feat.code] = hand.number, feat
    yield from sorted(best.values(), key=lambda found: -found[1].rarity)


def _played(record: Record, hand: StoredHand) -> PlayedHand:
    game, measures = record.evening.game, measures_of(record, hand)
    feats = game.feats(game.deal_from_text(hand.deal, record.evening.house), hand.place, measures)
    return PlayedHand(hand.number, _amounts(measures), tuple(feats))


def _amounts(measures: Iterable[Measure]) -> dict[int, Amount]:
    """Return the amounts of the seats that played."""
    return {each.seat: each.amount for each in measures if each.name in ("as_declarer", "as_opponent")}
