"""The result of an evening that has ended: its winners, its hands, its duration, and the hands to remember."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.measures import Feat
from sessions_app.models import Evening
from sessions_app.readers.evening.figures import MeasuredHand, best_of, played_hands, records_of
from sessions_app.readers.evening.seating import SeatView

#: The longest time of play. An evening that was open for longer was ended days later, or the next morning.
LONGEST: Final = timedelta(hours=12)
#: The fewest minutes for a figure of hands an hour: an evening that is written down afterwards takes a few.
SHORTEST: Final = 15
#: The most remarkable hands that are shown.
MOST_SHOWN: Final = 5
#: The most hands read, the newest ones: the cost of the page is bounded however long the evening is.
MOST_READ: Final = 400


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result as an evening stands: `winners` have the highest `balance`; () where all are even.

    `hands` is how many count, `is_written` whether the sheet has any hand or agreed entry. `minutes` is None while the
    evening runs, and where the time between its start and its end is no time of play.
    """

    winners: tuple[str, ...]
    balance: Amount
    hands: int
    is_written: bool
    has_ended: bool
    minutes: int | None

    @property
    def hands_an_hour(self) -> int | None:
        """Return the hands an hour, rounded half up; None if the time is too short to tell, or the number 0."""
        if not self.hands or not self.minutes or self.minutes < SHORTEST:
            return None
        return (120 * self.hands + self.minutes) // (2 * self.minutes) or None


def result_of(evening: Evening, seats: Sequence[SeatView]) -> EveningResult:
    """Return the result by the seats' balances."""
    most = max(seat.balance for seat in seats)
    winners = tuple(seat.name for seat in seats if seat.balance == most) if most > 0 else ()
    return EveningResult(winners, most, evening.hand_count, evening.is_written, evening.has_ended, _minutes(evening))


def _minutes(evening: Evening) -> int | None:
    if evening.ended_at is None:
        return None
    taken = evening.ended_at - evening.started_at
    return int(taken.total_seconds()) // 60 or None if timedelta() <= taken <= LONGEST else None


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
