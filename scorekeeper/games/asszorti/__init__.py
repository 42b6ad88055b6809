"""Asszorti, a Hungarian game for three, as József Pais describes it (Budapest, 1990; on pagat.com)."""

from typing import Final

from scorekeeper.games.asszorti.notation import deal_from_text, deal_to_text
from scorekeeper.games.asszorti.rules import (
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Score,
    Trump,
    base,
    overtrick,
    payments,
    reads_as,
    score,
)
from scorekeeper.games.asszorti.seating import leader, next_dealer, opponents, playing_seats, seat_counts

key: Final = "asszorti"

__all__ = [
    "EXCLUDED",
    "Arrivazs",
    "Contract",
    "Deal",
    "Kontra",
    "Score",
    "Trump",
    "base",
    "deal_from_text",
    "deal_to_text",
    "key",
    "leader",
    "next_dealer",
    "opponents",
    "overtrick",
    "payments",
    "playing_seats",
    "reads_as",
    "score",
    "seat_counts",
]
