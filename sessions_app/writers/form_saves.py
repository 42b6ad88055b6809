"""Saving a hand from a form while other members note the same hand, without losing their notes.

`form_state.seen` is the version of the hand in play that the form has shown. If it is not the latest, the form is
recorded only if it agrees with the hand in play; else the member is asked which of the two is right.
"""

from uuid import UUID

from sessions_app.errors import UnseenHandInPlay
from sessions_app.hand_facts import Facts, FormState
from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.readers.evening.hand_in_play import read, referee_of
from sessions_app.writers import ledger


def save_from_form(
    evening_id: int,
    *,
    token: UUID,
    number: int,
    facts: Facts,
    by: User,
    form_state: FormState,
    looked: Evening | None = None,
) -> Hand:
    """Record the facts of a form and return the hand. Raise UnseenHandInPlay, and as `ledger.record`."""

    def check(evening: Evening, row: HandInPlay | None) -> None:
        if form_state.seen != (row.version if row else 0) and not _agree(evening, row, facts):
            raise UnseenHandInPlay(row)

    return ledger.record(
        evening_id,
        token=token,
        number=number,
        facts=facts,
        by=by,
        another=form_state.another,
        meant=form_state.meant,
        seating=form_state.seating,
        check=check,
        looked=looked,
    )


def _agree(evening: Evening, row: HandInPlay | None, facts: Facts) -> bool:
    """Return whether the facts agree with the hand in play; if it was taken back, only a hand thrown in does."""
    deal = evening.game.deal_from_text(facts.deal, evening.house) if facts.deal else None
    if row is None:
        return deal is None
    return referee_of(evening).agrees(read(evening, row), facts.dealer, facts.declarer, deal)
