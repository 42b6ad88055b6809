"""Asszorti, a Hungarian game for three, by docs/rules/asszorti.md."""

from typing import Final

from scorekeeper.games.asszorti import hand_moves as in_play
from scorekeeper.games.asszorti.counting import (
    accounts,
    count,
    reminder,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.asszorti.house_rules import (
    BOOK,
    PROFILES,
    SWITCHES,
    Rules,
    differences,
    rules_from_text,
    rules_to_text,
)
from scorekeeper.games.asszorti.notation import deal_from_text, deal_to_text
from scorekeeper.games.asszorti.rules import (
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Score,
    Trump,
    base,
    overtrick,
    payments,
    reads_as,
    score,
)
from scorekeeper.games.asszorti.samples import likely
from scorekeeper.games.asszorti.seating import (
    leader,
    leaders,
    next_dealer,
    opponents,
    playing_seats,
    redeals,
    seat_counts,
    seats_may_change,
)
from scorekeeper.games.kontra import Kontra
from scorekeeper.games.payment_game import (
    balances,
    check_place,
    is_finished,
    is_hand,
    may_follow,
    next_hand_note,
    objection,
    pairwise,
)

key: Final = "asszorti"

__all__ = [
    "BOOK",
    "EXCLUDED",
    "PROFILES",
    "SWITCHES",
    "Arrivazs",
    "Contract",
    "Deal",
    "Kontra",
    "Rules",
    "Score",
    "Trump",
    "accounts",
    "balances",
    "base",
    "check_place",
    "count",
    "deal_from_text",
    "deal_to_text",
    "differences",
    "in_play",
    "is_finished",
    "is_hand",
    "key",
    "leader",
    "leaders",
    "likely",
    "may_follow",
    "next_dealer",
    "next_hand_note",
    "objection",
    "opponents",
    "overtrick",
    "pairwise",
    "payments",
    "playing_seats",
    "reads_as",
    "redeals",
    "reminder",
    "rules_from_text",
    "rules_to_text",
    "score",
    "seat_counts",
    "seats_may_change",
    "standing_from_text",
    "standing_to_text",
    "start",
]
