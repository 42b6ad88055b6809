"""A hand of Asszorti: its facts (docs/rules/asszorti.md)."""

from dataclasses import InitVar, dataclass

from scorekeeper.games.asszorti.enums import Arrivazs, Contract, Tricks, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.validation import refusals
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.kontra import Kontra


@dataclass(frozen=True, slots=True)
class Deal:
    """The announcements and tricks of one hand, validated under the `rules` with which it is made.

    `tricks` is (declarer, left opponent, right opponent), 11 in all. The opponents' two may both be None, unless the
    declarer's number is 6 and the rules have the deduction of a bare six: otherwise the split changes nothing.

    Raise InvalidDeal, with one message for each wrong field; validation.py lists the codes.
    """

    contract: Contract
    trump: Trump
    tricks: Tricks
    game_kontra: Kontra = Kontra.NONE
    arrivazs: Arrivazs = Arrivazs.NONE
    arrivazs_kontra: Kontra = Kontra.NONE
    rules: InitVar[Rules] = BOOK

    def __post_init__(self, rules: Rules) -> None:
        self.check(rules)

    def check(self, rules: Rules) -> None:
        """Raise InvalidDeal if the deal is impossible under these rules."""
        errors = refusals(self, rules)
        if errors:
            raise InvalidDeal(errors)

    def has_deduction(self, rules: Rules) -> bool:
        """Return whether the 6:5:0 deduction applies (§5.2): six tricks against five of one opponent."""
        return rules.six_five_nil and self.tricks in ((6, 5, 0), (6, 0, 5))


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Return whether both may record the same hand: they differ only in a split that changes nothing."""
    return _without_split(one, rules) == _without_split(other, rules)


def _without_split(deal: Deal, rules: Rules) -> tuple[object, ...]:
    announced = (deal.contract, deal.trump, deal.game_kontra, deal.arrivazs, deal.arrivazs_kontra)
    return (*announced, deal.tricks[0], deal.has_deduction(rules))
