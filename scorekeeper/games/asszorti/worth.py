"""The possible counts of a hand that is still being played."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.games.asszorti.deal import Deal
from scorekeeper.games.asszorti.doubling import Doubling, Item
from scorekeeper.games.asszorti.enums import ALL_TRICKS, TO_WIN, Arrivazs, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.referee import Announcement
from scorekeeper.games.asszorti.scoring import score


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
