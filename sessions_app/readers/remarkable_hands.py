"""The remarkable hands of an evening that has ended: the dearest, and the best of each feat. Three queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.feats import Feat
from sessions_app.models import Evening
from sessions_app.readers.best_hands import MeasuredHand, best_of
from sessions_app.readers.evening_figures import played_hands, records_of

#: The most hands that are shown.
MOST_SHOWN: Final = 5
#: The most hands read, the newest ones: the cost of the page is bounded however long the evening is.
MOST_READ: Final = 400


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
    return select(list(played_hands(record)))


def select(hands: Sequence[MeasuredHand]) -> tuple[RemarkableHand, ...]:
    """Return the dearest hand, and then those with the best feats, the rarest first; of equal ones the first hand."""
    best, selected = best_of(hands), dict[int, list[Feat]]()
    if best.dearest:
        selected[best.dearest.number] = []
    for feat, number, _times in best.feats:
        if number in selected or len(selected) < MOST_SHOWN:
            selected.setdefault(number, []).append(feat)
    return tuple(
        RemarkableHand(number, tuple(feats), best.dearest.seat, best.dearest.amount)
        if best.dearest and number == best.dearest.number
        else RemarkableHand(number, tuple(feats))
        for number, feats in selected.items()
    )
