"""Russian Preference (преферанс), by docs/rules/preference.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.preference.counting import count
from scorekeeper.games.preference.deal import (
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
    deal_to_text,
    is_agreed,
    participants,
    places,
    playing_seats,
    reads_as,
    sheet_from_text,
    sheet_to_text,
)
from scorekeeper.games.preference.game import GAME
from scorekeeper.games.preference.house_rules import BOOK, Rules
from scorekeeper.games.preference.standing import (
    Standing,
    Term,
    balances,
    is_finished,
    lowest_level,
    next_price,
    pairwise,
    reminder,
    standing_from_text,
    standing_to_text,
    start,
    terms,
)
from scorekeeper.games.preference.validation import check, check_seats, deal_from_text, may_follow
