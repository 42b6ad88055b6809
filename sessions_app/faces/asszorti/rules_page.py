"""The contents of Asszorti's page of rules: values, kontras, the notation, and worked hands."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.asszorti import Arrivazs, Contract, Kontra, Rules, Trump, base, overtrick
from scorekeeper.games.asszorti.deal import ALL_TRICKS, ARRIVAZSES, CONTRACTS, TRUMPS
from scorekeeper.games.asszorti.scoring import ARRIVAZS as WORTH
from scorekeeper.games.payment_game import KONTRAS
from sessions_app.faces import hand_words
from sessions_app.faces.asszorti import words
from sessions_app.faces.base import WorkedHand
from sessions_app.faces.hand_words import kontra_steps
from sessions_app.words.wording import Words

WORKED_HANDS: Final = (
    WorkedHand("2H 6-4-1", _("Six tricks win the base.")),
    WorkedHand("2H 6-3-2", _("The same: how the opponents share does not matter here.")),
    WorkedHand("2D 7-3-1", _("One more trick, half the base more.")),
    WorkedHand("2C 8-2-1", _("Two more tricks.")),
    WorkedHand("2S 5-4-2", _("Five tricks lose.")),
    WorkedHand("2H 4-4-3", _("The opponents have seven: they get the trick above six.")),
    WorkedHand("1N 7-2-2 S", _("Kontra multiplies the tricks above six too.")),
    WorkedHand("2H 6-5-0", _("6:5:0: nothing is left.")),
    WorkedHand("2H 6-5-0 R", _("6:5:0 under rekontra: the deduction is not doubled.")),
    WorkedHand("hC 6-0-5", _("6:5:0 from hand.")),
    WorkedHand("hD 6-5-0 S A-K", _("The game is won and the arrivázs lost; each has a kontra of its own.")),
    WorkedHand("3S 10-1-0 A*", _("Idegen: the last three were won without a trump.")),
    WorkedHand("2D 5-6-0", _("5:6:0 loses like any five: there is no deduction.")),
)
#: The players who may say each step.
WHO: Final[dict[Kontra, Words]] = {
    Kontra.KONTRA: _("either opponent"),
    Kontra.REKONTRA: _("the declarer"),
    Kontra.SZUBKONTRA: _("the opponent who did not say the kontra to it"),
    Kontra.HIRSKONTRA: _("the declarer"),
    Kontra.MORDKONTRA: _("either opponent"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """The values of something with trumps and without; None if it is impossible."""

    what: Words
    with_trumps: int
    each: int
    no_trumps: int | None
    each_no_trumps: int


@dataclass(frozen=True, slots=True)
class Values:
    """Contracts with the value of each overtrick, outcomes of an arrivázs, the kontras, the letters of a line."""

    contracts: tuple[Row, ...]
    arrivazs: tuple[Row, ...]
    steps: tuple[tuple[Kontra, Words], ...]
    letters: tuple[tuple[str, Words], ...]
    six_five_nil: bool
    all_tricks: int = ALL_TRICKS


def worked_hands(rules: Rules) -> tuple[WorkedHand, ...]:
    """Return the hands by the book under any house rules: they show the book's rules."""
    return WORKED_HANDS


def values(rules: Rules) -> Values:
    return Values(
        contracts=tuple(_contract(contract) for contract in Contract),
        arrivazs=tuple(_arrivazs(outcome, rules) for outcome in (Arrivazs.WON, Arrivazs.IDEGEN, Arrivazs.LOST)),
        steps=kontra_steps(WHO, rules.ladder),
        letters=_letters(),
        six_five_nil=rules.six_five_nil,
    )


def _contract(contract: Contract) -> Row:
    with_trumps, without = (base(contract, trump) for trump in (Trump.HEARTS, Trump.NONE))
    each, each_without = (overtrick(contract, trump) for trump in (Trump.HEARTS, Trump.NONE))
    return Row(words.CONTRACTS[contract], with_trumps, each, without, each_without)


def _arrivazs(outcome: Arrivazs, rules: Rules) -> Row:
    with_trumps, without = WORTH[outcome]
    can_be = rules.no_trump_arrivazs and outcome is not Arrivazs.IDEGEN
    return Row(words.ARRIVAZS[outcome], with_trumps, 0, without if can_be else None, 0)


def _letters() -> tuple[tuple[str, Words], ...]:
    """Return the letters of a line, from left to right."""
    return (
        *((letter, words.CONTRACTS[contract]) for letter, contract in CONTRACTS.items() if letter != contract),
        *((letter, words.TRUMPS[trump]) for letter, trump in TRUMPS.items()),
        *((letter, hand_words.KONTRAS[kontra]) for letter, kontra in KONTRAS.items() if kontra),
        *((f"A{letter}", words.ARRIVAZS[outcome]) for letter, outcome in ARRIVAZSES.items() if letter),
    )
