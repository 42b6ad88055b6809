"""Asszorti, a Hungarian game for three, by docs/rules/asszorti.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.asszorti.deal import EXCLUDED, Arrivazs, Contract, Deal, Trump, reads_as
from scorekeeper.games.asszorti.game import GAME
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.notation import deal_from_text, deal_to_text
from scorekeeper.games.asszorti.samples import likely
from scorekeeper.games.asszorti.scoring import Score, base, overtrick, payments, score
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

key = GAME.key
accounts = GAME.accounts
PROFILES = GAME.PROFILES
SWITCHES = GAME.SWITCHES
rules_from_text = GAME.rules_from_text
rules_to_text = GAME.rules_to_text
differences = GAME.differences
start = GAME.start
standing_from_text = GAME.standing_from_text
standing_to_text = GAME.standing_to_text
count = GAME.count
balances = GAME.balances
pairwise = GAME.pairwise
reminder = GAME.reminder
