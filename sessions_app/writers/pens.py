"""Saving a hand by a form while others hold a pen too: what they have noted is not lost without a word.

A form says which version of the open hand it has `seen`. One that has not seen the latest is recorded only if it says
of the hand what is announced of it; else it is asked which of the two holds.
"""

from uuid import UUID

from sessions_app.errors import UnseenOpenHand
from sessions_app.hand_facts import Facts, Knows
from sessions_app.models import Evening, Hand, OpenHand, User
from sessions_app.readers.open_hands import read, referee_of
from sessions_app.writers import ledger


def record(
    evening_id: int,
    *,
    token: UUID,
    number: int,
    facts: Facts,
    by: User,
    knows: Knows,
    looked: Evening | None = None,
) -> Hand:
    """Record what a form says. Raises UnseenOpenHand, and as `ledger.record`."""

    def unless(evening: Evening, row: OpenHand | None) -> None:
        if knows.seen != (row.version if row else 0) and not _agree(evening, row, facts):
            raise UnseenOpenHand(row)

    return ledger.record(
        evening_id,
        token=token,
        number=number,
        facts=facts,
        by=by,
        another=knows.another,
        meant=knows.meant,
        seating=knows.seating,
        unless=unless,
        looked=looked,
    )


def _agree(evening: Evening, row: OpenHand | None, facts: Facts) -> bool:
    """Whether the facts say of the hand what is noted of it; of an announcement taken back nothing is left to say."""
    deal = evening.game.deal_from_text(facts.deal, evening.house) if facts.deal else None
    if row is None:
        return deal is None
    return referee_of(evening).agrees(read(evening, row), facts.dealer, facts.declarer, deal)
