"""The contents of Tarokk's page of rules: values of games and items, kontras, the notation, worked hands."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.payment_game import KONTRAS
from scorekeeper.games.tarokk import Bonus, Contract, Kontra, PaidBy, Rules, Swallows, Tie
from scorekeeper.games.tarokk.enums import BANDS, DOUBLE, TO_WIN, Band
from scorekeeper.games.tarokk.house_rules import VALUE_OF_BID
from scorekeeper.games.tarokk.scoring import bonus_values, game_value, tarokks_worth
from sessions_app.faces import hand_words
from sessions_app.faces.base import WorkedHand
from sessions_app.faces.hand_words import kontra_steps
from sessions_app.faces.tarokk import words
from sessions_app.words.wording import Words

WORKED_HANDS: Final = (
    WorkedHand("2+2 75", _("A silent dupla, which replaces the game.")),
    WorkedHand("2+3 86 D v", _("The announced dupla, and next to it a silent volát.")),
    WorkedHand("2+2 65 D", _("The dupla was missed: the game is won but pays nothing.")),
    WorkedHand("2+1 19 K", _("The opponents have 75: the game under kontra, and next to it a silent dupla.")),
    WorkedHand("2+1 19", _("The same without kontra: the dupla only.")),
    WorkedHand("3+2 89 v", _("A silent volát; silent tuletroá and kings are not paid beside it.")),
    WorkedHand("2+2 61", _("A plain kettes.")),
    WorkedHand("1?", _("A próbaegy with no honour in the talon.")),
    WorkedHand("3+1 47", _("At 47 each the opponents win.")),
    WorkedHand("1+2 40 D", _("The dupla was missed, and the opponents win the game too.")),
    WorkedHand("s= 66", _("Alone: each of the three pays.")),
    WorkedHand("3= 44 K", _("The called card was in a skart: obligatory kontra, alone, and lost.")),
    WorkedHand("2+2 + N -n", _("Négy király was announced, and the opponents made it: they are paid for both.")),
    WorkedHand("3+1 52 U b", _("The announced ultimó was beaten: only the announcement is lost.")),
    WorkedHand("2+3 52 -b", _("The opponents' silent pagát was beaten in the last trick.")),
    WorkedHand(
        "2+2 58 UK u 8@0", _("An ultimó under kontra; nyolc tarokk is paid by each of the three, the partner too.")
    ),
    WorkedHand("3+2 61 9@1", _("Kilenc tarokk of an opponent: everybody pays that player.")),
    WorkedHand("1+3 60 -x", _("A silent fogás by the opponents.")),
    WorkedHand("2+2 53 XR x", _("An announced fogás under rekontra.")),
    WorkedHand("3+2 75 t n", _("Silent dupla, tuletroá and kings: giving away one trick earns more than volát.")),
    WorkedHand("2+1 80 V", _("Volát announced and missed: no dupla either.")),
    WorkedHand("2+1 20 V", _("The same, and the opponents have a silent dupla.")),
    WorkedHand("2+2 73 D V", _("The dupla was done, the volát missed.")),
    WorkedHand("2+2 50 K -D", _("The game under kontra; the opponents missed their dupla.")),
    WorkedHand("2+2 45 -D", _("The opponents won the game, but not their dupla: no game is paid.")),
    WorkedHand("1+2 72 R DK T -UK t -b 8@1", _("Everything at once.")),
)

#: The condition on which each of the items with a value of their own is done.
DONE: Final[dict[Bonus, Words]] = {
    Bonus.TRULL: _("all three honours in the side's tricks"),
    Bonus.KINGS: _("all four kings in the side's tricks"),
    Bonus.ULTIMO: _("the side's pagát wins the last trick"),
    Bonus.XXI: _("the side's skíz takes the other side's XXI"),
}
_OTHERS, _OWN = _("any player of the other side"), _("any player of the item's own side")
#: The players who may say each step.
WHO: Final[dict[Kontra, Words]] = {
    kontra: _OTHERS if kontra % 2 else _OWN for kontra in Kontra if kontra is not Kontra.NONE
}
LETTERS: Final[tuple[tuple[str, Words], ...]] = (
    ("s", words.CONTRACTS[Contract.SOLO]),
    ("+1 +2 +3", _("the partner's place after the declarer")),
    ("=", _("alone")),
    ("-- - + ++", _("the card points if nobody counted them: to 23, to 47, from 48, from 71")),
    *((letter, hand_words.KONTRAS[kontra]) for letter, kontra in KONTRAS.items() if kontra),
    *((words.MARKS[bonus], words.BONUSES[bonus]) for bonus in Bonus),
    ("v t n x", _("what was made")),
    ("u b", _("the pagát won the last trick, was beaten in it")),
    ("-", _("before a letter: the opponents'")),
    ("8@0", _("eight tarokks, declared at that place")),
    ("?", _("a próba that was lost")),
    ("*2", _("a round that counts twice")),
)


@dataclass(frozen=True, slots=True)
class Game:
    """A contract: the cards that its declarer draws, its value, and those of dupla and volát in it."""

    name: Words
    drawn: int
    value: int
    silent_double: int
    double: int
    silent_volat: int
    volat: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item: its values announced and silent, and when it is done."""

    name: Words
    announced: int
    silent: int
    done: Words


@dataclass(frozen=True, slots=True)
class Values:
    """The rules in figures: contracts, items, kontras, limits, and the figures that house rules change.

    `proba` is the payment of a lost próba to each: 0 for nothing, None for the value of the bid.
    """

    games: tuple[Game, ...]
    items: tuple[Item, ...]
    steps: tuple[tuple[Kontra, Words], ...]
    eight: int
    nine: int
    lost_ultimo: int
    proba: int | None
    tie_is_the_opponents: bool
    paid_by_all: bool
    made_volat_swallows: bool
    alone_is_a_solo: bool
    redeals: bool
    to_win: int = TO_WIN
    double: int = DOUBLE
    double_for_others: int = BANDS[Band.TO_23][-1]
    letters: tuple[tuple[str, Words], ...] = LETTERS


def worked_hands(rules: Rules) -> tuple[WorkedHand, ...]:
    """Return the hands by the book under any house rules: they show the book's rules."""
    return WORKED_HANDS


def values(rules: Rules) -> Values:
    fixed = bonus_values(0, rules)
    return Values(
        games=tuple(_game(contract, rules) for contract in Contract),
        items=tuple(Item(words.BONUSES[b], fixed[b], fixed[b] // 2, done) for b, done in DONE.items()),
        steps=kontra_steps(WHO, rules.ladder),
        eight=tarokks_worth(8),
        nine=tarokks_worth(9),
        lost_ultimo=fixed[Bonus.ULTIMO] // 2 if rules.lost_silent_ultimo else 0,
        proba=None if rules.proba == VALUE_OF_BID else rules.proba,
        tie_is_the_opponents=rules.tie_47 is Tie.OPPONENTS,
        paid_by_all=rules.tarokks_paid_by is PaidBy.ALL,
        made_volat_swallows=rules.volat_swallows is Swallows.MADE,
        alone_is_a_solo=rules.alone_counts,
        redeals=not rules.after_throw_in,
    )


def _game(contract: Contract, rules: Rules) -> Game:
    value = game_value(contract, alone=False, rules=rules)
    worth = bonus_values(value, rules)
    double, volat = worth[Bonus.DOUBLE], worth[Bonus.VOLAT]
    return Game(words.CONTRACTS[contract], contract.drawn, value, double // 2, double, volat // 2, volat)
