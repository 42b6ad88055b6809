"""The result of an evening: its winners, its hands and its duration. No query."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from scorekeeper.games.amounts import Amount
from sessions_app.models import Evening
from sessions_app.readers.people import SeatView

#: The longest time of play. An evening that was open for longer was ended days later, or the next morning.
LONGEST: Final = timedelta(hours=12)
#: The fewest minutes for a figure of hands an hour: an evening that is written down afterwards takes a few.
SHORTEST: Final = 15


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
