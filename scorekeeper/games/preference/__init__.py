"""Russian Preference (преферанс), by docs/rules/preference.md."""

from typing import Final

from scorekeeper.games.preference import hand_moves as in_play
from scorekeeper.games.preference.counting import accounts, count
from scorekeeper.games.preference.deal import Agreed, Answers, Contract, Deal, Mizer, Raspasovka, Strain, is_hand
from scorekeeper.games.preference.following import check_place, check_seats, may_follow, objection
from scorekeeper.games.preference.house_rules import (
    BOOK,
    PROFILES,
    SWITCHES,
    Rules,
    differences,
    rules_from_text,
    rules_to_text,
)
from scorekeeper.games.preference.notation import (
    deal_from_text,
    deal_to_text,
    entries_to_text,
    reads_as,
    sheet_from_text,
    sheet_to_text,
)
from scorekeeper.games.preference.samples import likely
from scorekeeper.games.preference.seating import (
    leaders,
    next_dealer,
    places,
    playing_seats,
    redeals,
    seat_counts,
    seats_may_change,
    takes_part,
)
from scorekeeper.games.preference.settlement import Term, balances, pairwise, reminder, terms
from scorekeeper.games.preference.standing import (
    Standing,
    is_finished,
    lowest_level,
    next_hand_note,
    next_price,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.preference.validation import check

key: Final = "preference"

__all__ = [
    "BOOK",
    "PROFILES",
    "SWITCHES",
    "Agreed",
    "Answers",
    "Contract",
    "Deal",
    "Mizer",
    "Raspasovka",
    "Rules",
    "Standing",
    "Strain",
    "Term",
    "accounts",
    "balances",
    "check",
    "check_place",
    "check_seats",
    "count",
    "deal_from_text",
    "deal_to_text",
    "differences",
    "entries_to_text",
    "in_play",
    "is_finished",
    "is_hand",
    "key",
    "leaders",
    "likely",
    "lowest_level",
    "may_follow",
    "next_dealer",
    "next_hand_note",
    "next_price",
    "objection",
    "pairwise",
    "places",
    "playing_seats",
    "reads_as",
    "redeals",
    "reminder",
    "rules_from_text",
    "rules_to_text",
    "seat_counts",
    "seats_may_change",
    "sheet_from_text",
    "sheet_to_text",
    "standing_from_text",
    "standing_to_text",
    "start",
    "takes_part",
    "terms",
]
