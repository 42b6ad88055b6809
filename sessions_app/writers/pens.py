"""Saving a hand by a form while others hold a pen too: what they have noted is not lost without a word.

A form says which version of the open hand it has `seen`. One that has not seen the latest is recorded only if it says
of the hand what is announced of it; else it is asked which of the two holds.
"""

from typing import NamedTuple
from uuid import UUID

from scorekeeper.games.asszorti import Arrivazs, deal_from_text
from scorekeeper.games.asszorti.in_play import Announced
from scorekeeper.games.asszorti.referee import Announcement
from sessions_app.models import GameSession, Hand, OpenHand, User
from sessions_app.writers import ledger, open_hands
from sessions_app.writers.ledger import Facts, LedgerError


class Unseen(LedgerError):
    """Something else is noted of the hand, and the form has not seen it: `row`, None if it was taken back."""

    def __init__(self, row: OpenHand | None) -> None:
        super().__init__("something else is noted of this hand")
        self.row = row


class Knows(NamedTuple):
    """What the writer of a form knows of the others.

    The open hand's version that it has `seen` (0: none), which number the hand was `meant` to have when it was begun,
    whether it is said to be `another` than what they recorded, and the evening's `seating` (None: as it is).
    """

    seen: int = 0
    meant: int | None = None
    another: bool = False
    seating: int | None = None


def record(evening_id: int, *, token: UUID, number: int, facts: Facts, by: User, knows: Knows) -> Hand:
    """Record what a form says. Raises Unseen, and as `ledger.record`."""

    def unless(evening: GameSession, row: OpenHand | None) -> None:
        if knows.seen != (row.version if row else 0) and not _agree(evening, row, facts):
            raise Unseen(row)

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
    )


def _agree(evening: GameSession, row: OpenHand | None, facts: Facts) -> bool:
    """Whether the facts say of the hand what is noted of it; of an announcement taken back nothing is left to say."""
    if row is None:
        return facts.declarer is None
    noted = open_hands.read(row)
    if not noted.has_begun:
        return facts.dealer == noted.dealer
    if facts.declarer is None:
        return False
    if noted.summary is None:
        return (facts.dealer, facts.declarer) == (noted.dealer, noted.declarer)
    deal = deal_from_text(facts.deal, evening.house)
    announcement = Announcement(deal.contract, deal.trump, deal.arrivazs is not Arrivazs.NONE)
    said = Announced(facts.dealer, facts.declarer, announcement, deal.game_kontra, deal.arrivazs_kontra)
    return noted.summary == said
