"""Russian Preference (преферанс), by docs/rules/preference.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.preference.counting import count
from scorekeeper.games.preference.deal import Agreed, Answers, Contract, Deal, Mizer, Raspasovka, Strain, is_agreed
from scorekeeper.games.preference.game import GAME
from scorekeeper.games.preference.house_rules import BOOK, Rules
from scorekeeper.games.preference.notation import (
    deal_from_text,
    deal_to_text,
    entries_to_text,
    reads_as,
    sheet_from_text,
    sheet_to_text,
)
from scorekeeper.games.preference.seating import next_dealer, participants, places, playing_seats
from scorekeeper.games.preference.settlement import Term, balances, pairwise, reminder, terms
from scorekeeper.games.preference.standing import (
    Standing,
    is_finished,
    lowest_level,
    next_price,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.preference.validation import check, check_seats, may_follow
