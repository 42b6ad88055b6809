"""A hand of Asszorti: the values in which it is recorded, its facts, and their validation (docs/rules/asszorti.md §6).

The codes of a refusal by field, with their parameters:
any field           `unknown`: not one of its values at all
tricks              `tricks_range`, `tricks_sum` (sum), `split_half`, `split_needed`
arrivazs            `idegen_no_trumps`, `arrivazs_few_tricks` (tricks), `arrivazs_all_tricks` (tricks),
                    `arrivazs_no_trumps` by house rule
arrivazs_kontra     `kontra_unannounced`
either kontra       `kontra_too_high` (highest) by house rule
"""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from enum import StrEnum
from typing import Final, TypeGuard

from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.kontra import Kontra, too_high

type Tricks = tuple[int, int | None, int | None]

ALL_TRICKS: Final = 11
TO_WIN: Final = 6


class Contract(StrEnum):
    """The declarer's contract: the four bids, lowest first."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    HAND = "hand"


class Trump(StrEnum):
    """The trump suit, or none (szanzadu)."""

    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"
    SPADES = "spades"
    NONE = "none"


class Arrivazs(StrEnum):
    """The result of an announced arrivázs, the last three tricks; `IDEGEN` is one won without a trump."""

    NONE = "none"
    LOST = "lost"
    WON = "won"
    IDEGEN = "idegen"


@dataclass(frozen=True, slots=True)
class Deal:
    """The announcements and tricks of one hand, validated under the `rules` with which it is made.

    `tricks` is (declarer, left opponent, right opponent), 11 in all. The opponents' two may both be None, unless the
    declarer's number is 6 and the rules have the deduction of a bare six: otherwise the split changes nothing.

    Raise InvalidDeal, with one message for each wrong field.
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


# --- Validation ---


type FormValue = tuple[str, str]

#: The total numbers of tricks that a declarer may have, by the result of the arrivázs.
ARRIVAZS_TRICKS: Final[Mapping[Arrivazs, range]] = {
    Arrivazs.NONE: range(ALL_TRICKS + 1),
    Arrivazs.LOST: range(ALL_TRICKS),
    Arrivazs.WON: range(3, ALL_TRICKS + 1),
    Arrivazs.IDEGEN: range(3, ALL_TRICKS + 1),
}

#: Pairs of (field, value) that exclude each other, in a form's words: `tricks` is the declarer's number.
EXCLUDED: Final[tuple[tuple[FormValue, FormValue], ...]] = (
    (("arrivazs", Arrivazs.IDEGEN.value), ("trump", Trump.NONE.value)),
    *(
        (("arrivazs", arrivazs.value), ("tricks", str(tricks)))
        for arrivazs, possible in ARRIVAZS_TRICKS.items()
        for tricks in range(ALL_TRICKS + 1)
        if tricks not in possible
    ),
    *(
        (("arrivazs", Arrivazs.NONE.value), ("arrivazs_kontra", str(kontra.value)))
        for kontra in Kontra
        if kontra is not Kontra.NONE
    ),
)


def refusals(deal: Deal, rules: Rules) -> dict[str, Message]:
    """Return one message for each wrong field; empty for a possible deal."""
    found = {
        "contract": _unknown(Contract, deal.contract),
        "trump": _unknown(Trump, deal.trump),
        "tricks": _tricks(deal.tricks, rules),
        "game_kontra": _unknown(Kontra, deal.game_kontra) or too_high(deal.game_kontra, rules.ladder),
        "arrivazs": _unknown(Arrivazs, deal.arrivazs) or _arrivazs(deal, rules),
        "arrivazs_kontra": _unknown(Kontra, deal.arrivazs_kontra)
        or _arrivazs_kontra(deal)
        or too_high(deal.arrivazs_kontra, rules.ladder),
    }
    return {name: message for name, message in found.items() if message}


def _unknown(kind: type, value: object) -> Message | None:
    return None if isinstance(value, kind) else Message("unknown", {})


def _tricks(tricks: object, rules: Rules) -> Message | None:
    if not _are_tricks(tricks):
        return Message("unknown", {})
    noted = [number for number in tricks if number is not None]
    if any(number not in range(ALL_TRICKS + 1) for number in noted):
        return Message("tricks_range", {})
    if len(noted) == 2:
        return Message("split_half", {})
    if len(noted) == 3 and sum(noted) != ALL_TRICKS:
        return Message("tricks_sum", {"sum": sum(noted)})
    if noted == [TO_WIN] and rules.six_five_nil:
        return Message("split_needed", {})
    return None


def _are_tricks(value: object) -> TypeGuard[Tricks]:
    # The exact type: a bool is an int to Python, and a list would make the deal unhashable.
    return (
        type(value) is tuple
        and len(value) == 3
        and type(value[0]) is int
        and all(number is None or type(number) is int for number in value[1:])
    )


def _arrivazs(deal: Deal, rules: Rules) -> Message | None:
    if deal.arrivazs is not Arrivazs.NONE and deal.trump is Trump.NONE and not rules.no_trump_arrivazs:
        return Message("arrivazs_no_trumps", {})
    if deal.arrivazs is Arrivazs.IDEGEN and deal.trump is Trump.NONE:
        return Message("idegen_no_trumps", {})
    if not _are_tricks(deal.tricks):
        return None
    declarers = deal.tricks[0]
    if declarers not in range(ALL_TRICKS + 1) or declarers in ARRIVAZS_TRICKS[deal.arrivazs]:
        return None
    code = "arrivazs_all_tricks" if deal.arrivazs is Arrivazs.LOST else "arrivazs_few_tricks"
    return Message(code, {"tricks": declarers})


def _arrivazs_kontra(deal: Deal) -> Message | None:
    if deal.arrivazs is Arrivazs.NONE and deal.arrivazs_kontra is not Kontra.NONE:
        return Message("kontra_unannounced", {})
    return None
