"""Hungarian Tarokk, by docs/rules/tarokk.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk.deal import Deal, deal_from_text, deal_to_text, reads_as
from scorekeeper.games.tarokk.enums import Announced, Band, Bonus, Contract, Pagat, Side, places, playing_seats
from scorekeeper.games.tarokk.exclusions import exclusions
from scorekeeper.games.tarokk.game import GAME, times
from scorekeeper.games.tarokk.house_rules import BOOK, PaidBy, Rules, Swallows, Tie
from scorekeeper.games.tarokk.scoring import amounts, payments, score, settling
from scorekeeper.games.tarokk.validation import check_place
