"""Hungarian Tarokk, the game of calling the XX (Paskievics tarokk), by docs/rules/tarokk.md."""

from typing import Final

from scorekeeper.games.kontra import Kontra
from scorekeeper.games.payment_game import balances, is_finished, is_hand, may_follow, objection, pairwise
from scorekeeper.games.tarokk import hand_moves as in_play
from scorekeeper.games.tarokk.counting import (
    accounts,
    count,
    next_hand_note,
    reminder,
    standing_from_text,
    standing_to_text,
    start,
    times,
)
from scorekeeper.games.tarokk.deal import Deal, reads_as
from scorekeeper.games.tarokk.enums import Announced, Band, Bonus, Contract, Pagat, Side
from scorekeeper.games.tarokk.exclusions import exclusions
from scorekeeper.games.tarokk.house_rules import (
    BOOK,
    PROFILES,
    SWITCHES,
    PaidBy,
    Rules,
    Swallows,
    Tie,
    differences,
    rules_from_text,
    rules_to_text,
)
from scorekeeper.games.tarokk.notation import deal_from_text, deal_to_text
from scorekeeper.games.tarokk.samples import likely
from scorekeeper.games.tarokk.scoring import Score, amounts, payments, score, settling
from scorekeeper.games.tarokk.seating import (
    leaders,
    next_dealer,
    places,
    playing_seats,
    redeals,
    seat_counts,
    seats_may_change,
)
from scorekeeper.games.tarokk.validation import check_place

key: Final = "tarokk"

__all__ = [
    "BOOK",
    "PROFILES",
    "SWITCHES",
    "Announced",
    "Band",
    "Bonus",
    "Contract",
    "Deal",
    "Kontra",
    "Pagat",
    "PaidBy",
    "Rules",
    "Score",
    "Side",
    "Swallows",
    "Tie",
    "accounts",
    "amounts",
    "balances",
    "check_place",
    "count",
    "deal_from_text",
    "deal_to_text",
    "differences",
    "exclusions",
    "in_play",
    "is_finished",
    "is_hand",
    "key",
    "leaders",
    "likely",
    "may_follow",
    "next_dealer",
    "next_hand_note",
    "objection",
    "pairwise",
    "payments",
    "places",
    "playing_seats",
    "reads_as",
    "redeals",
    "reminder",
    "rules_from_text",
    "rules_to_text",
    "score",
    "seat_counts",
    "seats_may_change",
    "settling",
    "standing_from_text",
    "standing_to_text",
    "start",
    "times",
]
