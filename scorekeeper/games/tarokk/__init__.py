"""Hungarian Tarokk, by docs/rules/tarokk.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk.deal import Deal, reads_as
from scorekeeper.games.tarokk.enums import Announced, Band, Bonus, Contract, Pagat, Side
from scorekeeper.games.tarokk.exclusions import exclusions
from scorekeeper.games.tarokk.game import GAME
from scorekeeper.games.tarokk.house_rules import BOOK, PaidBy, Rules, Swallows, Tie
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
from scorekeeper.games.tarokk.standing import next_hand_note, standing_from_text, standing_to_text, start, times
from scorekeeper.games.tarokk.validation import check_place

key = GAME.key
accounts = GAME.accounts
PROFILES = GAME.PROFILES
SWITCHES = GAME.SWITCHES
rules_from_text = GAME.rules_from_text
rules_to_text = GAME.rules_to_text
differences = GAME.differences
count = GAME.count
balances = GAME.balances
pairwise = GAME.pairwise
reminder = GAME.reminder
