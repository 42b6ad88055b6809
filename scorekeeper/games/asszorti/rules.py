"""What a hand of Asszorti can be, and what it counts.

The authority is docs/rules/asszorti.md; the sections named below are its own. Points are whole numbers and always
the declarer's: below zero, the opponents win.
"""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from enum import StrEnum
from typing import Final, TypeGuard

from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.base import InvalidDeal, Message, Payment, ScoreLine
from scorekeeper.games.kontra import Kontra


class Contract(StrEnum):
    """What the declarer plays: the four bids, lowest first."""

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
    """What became of the last three tricks, if arrivázs was announced; `IDEGEN` is won without a trump."""

    NONE = "none"
    LOST = "lost"
    WON = "won"
    IDEGEN = "idegen"


type Tricks = tuple[int, int | None, int | None]
type FormValue = tuple[str, str]

ALL_TRICKS: Final = 11
TO_WIN: Final = 6

#: The undoubled game: (with trumps, no trumps).
BASE: Final[Mapping[Contract, tuple[int, int]]] = {
    Contract.THREE: (2, 4),
    Contract.TWO: (4, 8),
    Contract.ONE: (6, 12),
    Contract.HAND: (8, 16),
}

#: The undoubled arrivázs: (with trumps, no trumps). An idegen at no trumps cannot be.
ARRIVAZS: Final[Mapping[Arrivazs, tuple[int, int]]] = {
    Arrivazs.LOST: (-8, -16),
    Arrivazs.WON: (8, 16),
    Arrivazs.IDEGEN: (16, 16),
}

#: How many tricks a declarer may have taken in all, by what became of the last three.
ARRIVAZS_TRICKS: Final[Mapping[Arrivazs, range]] = {
    Arrivazs.NONE: range(ALL_TRICKS + 1),
    Arrivazs.LOST: range(ALL_TRICKS),
    Arrivazs.WON: range(3, ALL_TRICKS + 1),
    Arrivazs.IDEGEN: range(3, ALL_TRICKS + 1),
}

#: Pairs of (field, value) that no possible deal holds together, in a form's words: `tricks` is the declarer's
#: number.
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


@dataclass(frozen=True, slots=True)
class Deal:
    """What was announced and taken in one hand; a deal that exists is possible by the `rules` it was made under.

    `tricks` is (declarer, left opponent, right opponent), 11 in all. The opponents' two may both be None
    unless the declarer's number is 6 and there is the deduction of a bare six: else the split changes nothing.

    Raises InvalidDeal, naming every field that is wrong, with one message each (§6). The codes, with their
    parameters:
    any field           `unknown`: not one of its values at all
    tricks              `tricks_range`, `tricks_sum` (sum), `split_half`, `split_needed`
    arrivazs            `idegen_no_trumps`, `arrivazs_few_tricks` (tricks), `arrivazs_all_tricks` (tricks),
                        `arrivazs_no_trumps` by house rule
    arrivazs_kontra     `kontra_unannounced`
    either kontra       `kontra_too_high` (highest) by house rule
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
        """Raise InvalidDeal for what cannot be by these rules."""
        found = {
            "contract": _not_a(Contract, self.contract),
            "trump": _not_a(Trump, self.trump),
            "tricks": _wrong_tricks(self.tricks, rules),
            "game_kontra": _not_a(Kontra, self.game_kontra) or _too_high(self.game_kontra, rules),
            "arrivazs": _not_a(Arrivazs, self.arrivazs) or _wrong_arrivazs(self, rules),
            "arrivazs_kontra": _not_a(Kontra, self.arrivazs_kontra)
            or _wrong_arrivazs_kontra(self)
            or _too_high(self.arrivazs_kontra, rules),
        }
        errors = {name: message for name, message in found.items() if message}
        if errors:
            raise InvalidDeal(errors)


@dataclass(frozen=True, slots=True)
class Score:
    """The count of one hand: the two items, their sum, and the steps in order.

    The amounts of the lines of an item ("game" or "arrivazs") sum to that item.
    """

    game: int
    arrivazs: int
    points: int
    lines: tuple[ScoreLine, ...]


def base(contract: Contract, trump: Trump) -> int:
    """What the contract is worth, undoubled and with six tricks."""
    return BASE[contract][trump is Trump.NONE]


def overtrick(contract: Contract, trump: Trump) -> int:
    """What each trick of the winning side above six adds, undoubled: half the base."""
    return base(contract, trump) // 2


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Whether both may have been noted of one hand: they differ in nothing but a split that changes nothing."""
    return _but_for_the_split(one, rules) == _but_for_the_split(other, rules)


def _but_for_the_split(deal: Deal, rules: Rules) -> tuple[object, ...]:
    said = (deal.contract, deal.trump, deal.game_kontra, deal.arrivazs, deal.arrivazs_kontra)
    return (*said, deal.tricks[0], bool(_deduction(deal, rules)))


def score(deal: Deal, rules: Rules = BOOK) -> Score:
    """Count the hand: the doubled game less the 6:5:0 deduction, and the doubled arrivázs (§5)."""
    game = _doubled(_game(deal), deal.game_kontra) + _deduction(deal, rules)
    arrivazs = _doubled(_arrivazs(deal), deal.arrivazs_kontra)
    return Score(
        game=_total(game),
        arrivazs=_total(arrivazs),
        points=_total(game + arrivazs),
        lines=game + arrivazs,
    )


def payments(deal: Deal, *, declarer: int, opponents: tuple[int, int], rules: Rules = BOOK) -> tuple[Payment, ...]:
    """Return who pays (§5.6): each opponent the declarer, or the declarer each opponent; nobody for zero points.

    `declarer` and `opponents` (left, right) are seats. ValueError if they are not three different ones.
    """
    if len({declarer, *opponents}) != 1 + len(opponents):
        raise ValueError(f"declarer {declarer} and opponents {opponents} are not all different")
    points = score(deal, rules).points
    if points > 0:
        return tuple(Payment(opponent, declarer, points) for opponent in opponents)
    if points < 0:
        return tuple(Payment(declarer, opponent, -points) for opponent in opponents)
    return ()


type _Lines = tuple[ScoreLine, ...]


def _total(lines: _Lines) -> int:
    return sum(line.amount for line in lines)


def _game(deal: Deal) -> _Lines:
    """Count the undoubled game: base and overtricks (§5.1)."""
    declarers = deal.tricks[0]
    sign = 1 if declarers >= TO_WIN else -1
    worth = base(deal.contract, deal.trump)
    announced = {"contract": deal.contract.value, "trump": deal.trump.value}
    lines = (ScoreLine("game", "base", announced, sign * worth),)
    count = max(declarers, ALL_TRICKS - declarers) - TO_WIN
    if not count:
        return lines
    each = overtrick(deal.contract, deal.trump)
    return (*lines, ScoreLine("game", "overtricks", {"count": count, "each": each}, sign * count * each))


def _deduction(deal: Deal, rules: Rules) -> _Lines:
    """Count the 6:5:0 deduction, which is never doubled (§5.2)."""
    if not rules.six_five_nil or deal.tricks not in ((6, 5, 0), (6, 0, 5)):
        return ()
    worth = base(deal.contract, deal.trump)
    return (ScoreLine("game", "deduction", {"base": worth}, -worth),)


def _arrivazs(deal: Deal) -> _Lines:
    """Count the undoubled arrivázs, idegen included (§5.3, §5.4)."""
    if deal.arrivazs is Arrivazs.NONE:
        return ()
    amount = ARRIVAZS[deal.arrivazs][deal.trump is Trump.NONE]
    return (ScoreLine("arrivazs", deal.arrivazs.value, {}, amount),)


def _doubled(lines: _Lines, kontra: Kontra) -> _Lines:
    """Add what the kontra on an item increases it by (§4)."""
    if kontra is Kontra.NONE:
        return lines
    increase = _total(lines) * (kontra.factor - 1)
    params = {"kontra": kontra.value, "factor": kontra.factor}
    return (*lines, ScoreLine(lines[0].item, "kontra", params, increase))


def _not_a(kind: type, value: object) -> Message | None:
    return None if isinstance(value, kind) else Message("unknown", {})


def _wrong_tricks(tricks: object, rules: Rules) -> Message | None:
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
    # By exact type: a bool is an int to Python, and a list would make the deal unhashable.
    return (
        type(value) is tuple
        and len(value) == 3
        and type(value[0]) is int
        and all(number is None or type(number) is int for number in value[1:])
    )


def _too_high(kontra: Kontra, rules: Rules) -> Message | None:
    return Message("kontra_too_high", {"highest": rules.ladder}) if kontra > rules.ladder else None


def _wrong_arrivazs(deal: Deal, rules: Rules) -> Message | None:
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


def _wrong_arrivazs_kontra(deal: Deal) -> Message | None:
    if deal.arrivazs is Arrivazs.NONE and deal.arrivazs_kontra is not Kontra.NONE:
        return Message("kontra_unannounced", {})
    return None
