"""Asszorti, a Hungarian game for three, by docs/rules/asszorti.md. GAME is the game; the rest are its rules."""

from scorekeeper.games.asszorti.deal import (
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Trump,
    deal_from_text,
    deal_to_text,
    leader,
    opponents,
    playing_seats,
    reads_as,
)
from scorekeeper.games.asszorti.game import GAME
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.scoring import Score, base, overtrick, payments, score
from scorekeeper.games.payment_game import Kontra
