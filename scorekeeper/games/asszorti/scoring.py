"""The points of a hand of Asszorti (docs/rules/asszorti.md §5).

Points are whole numbers and always the declarer's: below zero, the opponents win.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.deal import ALL_TRICKS, TO_WIN, Arrivazs, Contract, Deal, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.base import Payment, ScoreLine
from scorekeeper.games.payment_game import Kontra

#: The undoubled game: (with trumps, no trumps).
BASE: Final[Mapping[Contract, tuple[int, int]]] = {
    Contract.THREE: (2, 4),
    Contract.TWO: (4, 8),
    Contract.ONE: (6, 12),
    Contract.HAND: (8, 16),
}

#: The undoubled arrivázs: (with trumps, no trumps). An idegen at no trumps is impossible.
ARRIVAZS: Final[Mapping[Arrivazs, tuple[int, int]]] = {
    Arrivazs.LOST: (-8, -16),
    Arrivazs.WON: (8, 16),
    Arrivazs.IDEGEN: (16, 16),
}


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
    """Return the value of the contract, undoubled and with six tricks."""
    return BASE[contract][trump is Trump.NONE]


def overtrick(contract: Contract, trump: Trump) -> int:
    """Return the undoubled value of each trick of the winning side above six: half the base."""
    return base(contract, trump) // 2


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
    """Return the payments (§5.6): each opponent to the declarer, or the declarer to each; none for zero points.

    `declarer` and `opponents` (left, right) are seats. Raise ValueError unless they are three different ones.
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
    if not deal.has_deduction(rules):
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
    """Add a line for the increase by the kontra on the item (§4)."""
    if kontra is Kontra.NONE:
        return lines
    increase = _total(lines) * (kontra.factor - 1)
    params = {"kontra": kontra.value, "factor": kontra.factor}
    return (*lines, ScoreLine(lines[0].item, "kontra", params, increase))


# --- A hand that is still being played ---


@dataclass(frozen=True, slots=True)
class Worth:
    """The declarer's points at the present kontras.

    `game` is by the declarer's number of tricks, 0 … 11 (at 6: the other five shared); `six_five_nil` is for 6 against
    5 of one opponent (None in a house without that deduction). `arrivazs` is by its result, and empty if none was
    announced.
    """

    game: tuple[int, ...]
    six_five_nil: int | None
    arrivazs: Mapping[Arrivazs, int]


def worth(announcement: Announcement, doubling: Doubling, rules: Rules = BOOK) -> Worth:
    """Return the possible points of the announced hand."""
    contract, trump = announcement.contract, announcement.trump
    on_game, on_arrivazs = doubling.level(Item.GAME), doubling.level(Item.ARRIVAZS)

    def game(tricks: int, left: int) -> int:
        return score(Deal(contract, trump, (tricks, left, ALL_TRICKS - tricks - left), on_game)).game

    def arrivazs(outcome: Arrivazs) -> int:
        # Seven tricks are possible with each outcome.
        return score(Deal(contract, trump, (7, 2, 2), on_game, outcome, on_arrivazs)).arrivazs

    return Worth(
        game=tuple(game(tricks, (ALL_TRICKS - tricks) // 2) for tricks in range(ALL_TRICKS + 1)),
        six_five_nil=game(TO_WIN, ALL_TRICKS - TO_WIN) if rules.six_five_nil else None,
        arrivazs={outcome: arrivazs(outcome) for outcome in _outcomes(announcement)},
    )


def _outcomes(announcement: Announcement) -> tuple[Arrivazs, ...]:
    if not announcement.arrivazs:
        return ()
    won = (Arrivazs.WON,) if announcement.trump is Trump.NONE else (Arrivazs.WON, Arrivazs.IDEGEN)
    return (*won, Arrivazs.LOST)
