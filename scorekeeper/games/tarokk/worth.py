"""The possible counts of a hand that is still being played: each item done and missed, and the amounts by place.

Nothing is counted here: scoring.py counts the hands as they may end.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk.announcement_text import GAME, NOTHING, AnnouncedFacts, Item
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import NO_TAROKKS, OTHERS, Bonus, Contract, Side, Tarokks
from scorekeeper.games.tarokk.house_rules import BOOK, Rules
from scorekeeper.games.tarokk.scoring import amounts, declarer_gets, score

type Amounts = tuple[int, int, int, int]
#: A partner's place; None if there is none.
type Partner = int | None

#: Card points with which a game is plainly won, and lost: far from a tie, and possible with every contract.
WON: Final = 55
LOST: Final = 40
PARTNERS: Final[tuple[Partner, ...]] = (*OTHERS, None)


@dataclass(frozen=True, slots=True)
class ItemWorth:
    """The points that one item brings its side if done, and, below zero, if missed; kontras included.

    For the game: if won and if lost; 0 where the winner would be paid a level that it announced above the game.
    """

    item: Item
    kontra: Kontra
    done: int
    missed: int


@dataclass(frozen=True, slots=True)
class Plain:
    """The amounts of the four for the game alone, by place: if it is won, and if it is lost."""

    won: Amounts
    lost: Amounts


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of the announced hand now.

    `items` are the game and every announced bonus with a partner, `alone` the same without one. `plain` is the game
    alone, and `brought` the amounts for nyolc and kilenc tarokk (empty if none were declared), each by every possible
    partner.
    """

    items: tuple[ItemWorth, ...]
    alone: tuple[ItemWorth, ...]
    plain: Mapping[Partner, Plain]
    brought: Mapping[Partner, Amounts]


@lru_cache(maxsize=200)
def worth(
    contract: Contract,
    facts: AnnouncedFacts = NOTHING,
    *,
    partners: tuple[Partner, ...] = PARTNERS,
    times: int = 1,
    rules: Rules = BOOK,
) -> Worth:
    """Return the value of the hand as far as it was announced; `times` is how many times it counts.

    Cached, as every phone at the table asks for the same.
    """
    hands = _Hands(contract, facts, times, rules)
    return Worth(
        items=tuple(hands.items(OTHERS[0])),
        alone=tuple(hands.items(None)),
        plain={partner: hands.plain(partner) for partner in partners},
        brought={partner: hands.brought(partner) for partner in partners} if any(facts.tarokks) else {},
    )


@dataclass(frozen=True, slots=True)
class _Hands:
    """The possible hands after the announcements."""

    contract: Contract
    facts: AnnouncedFacts
    times: int
    rules: Rules
    counted: dict[tuple[bool, int], Mapping[tuple[str, str], int]] = field(default_factory=dict)

    def deal(self, partner: Partner, points: int) -> Deal:
        """Return the hand in which no announced bonus is done."""
        said = self.facts
        return Deal(
            self.contract, partner, points, said.game_kontra, said.announced, times=self.times, rules=self.rules
        )

    def plainest(self, partner: Partner, tarokks: Tarokks) -> Deal:
        """Return the hand with nothing but these tarokks in it."""
        return Deal(self.contract, partner, WON, tarokks=tarokks, times=self.times, rules=self.rules)

    def items(self, partner: Partner) -> Iterator[ItemWorth]:
        yield ItemWorth(GAME, self.facts.game_kontra, self.game(partner, WON), self.game(partner, LOST))
        missed = self.lines(partner, WON)
        for each in self.facts.announced:
            lost = missed[each.bonus.value, each.side.value]
            yield ItemWorth(Item(each.side, each.bonus), each.kontra, abs(lost), -abs(lost))

    def game(self, partner: Partner, points: int) -> int:
        side = Side.DECLARERS if points == WON else Side.OPPONENTS
        return self.lines(partner, points)["game", side.value]

    def lines(self, partner: Partner, points: int) -> Mapping[tuple[str, str], int]:
        """Return the declarers' amount of each line, by item and side: it is the same with any partner."""
        key = partner is None, points
        if key not in self.counted:
            lines = [line for line in score(self.deal(partner, points), self.rules).lines if line.item in _ITEMS]
            self.counted[key] = {(line.item, str(line.params["side"])): line.amount * self.times for line in lines}
        return self.counted[key]

    def plain(self, partner: Partner) -> Plain:
        return Plain(_shared(self.game(partner, WON), partner), _shared(self.game(partner, LOST), partner))

    def brought(self, partner: Partner) -> Amounts:
        """Return the amounts that the declared tarokks add in any case."""
        said = (self.facts.tarokks, NO_TAROKKS)
        tarokks, none = (amounts(self.plainest(partner, each), self.rules) for each in said)
        zero, one, two, three = (more - less for more, less in zip(tarokks, none, strict=True))
        return zero, one, two, three


_ITEMS: Final = {"game", *map(str, Bonus)}


def _shared(points: int, partner: Partner) -> Amounts:
    """Return the shares of the four in the declarers' points."""
    if partner is None:
        return declarer_gets(points, alone=True), -points, -points, -points
    one, two, three = (points if place == partner else -points for place in OTHERS)
    return points, one, two, three
