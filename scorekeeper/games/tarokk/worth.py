"""What a hand that is still being played can come to: each item done and missed, and what each seat would get.

Nothing is counted here: scoring.py is asked about hands as they may end.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk.announcement_text import GAME, NOTHING, Facts, Item
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import NO_TAROKKS, OTHERS, Bonus, Contract, Side, Tarokks
from scorekeeper.games.tarokk.house_rules import BOOK, Rules
from scorekeeper.games.tarokk.scoring import amounts, declarer_gets, score

type Amounts = tuple[int, int, int, int]
#: A partner's place, or None: nobody.
type Partner = int | None

#: Card points with which a game is plainly won, and lost: far from a tie, and possible with every contract.
WON: Final = 55
LOST: Final = 40
PARTNERS: Final[tuple[Partner, ...]] = (*OTHERS, None)


@dataclass(frozen=True, slots=True)
class ItemWorth:
    """What one item brings its side when it is done, and, below zero, when it is missed; kontras included.

    For the game that is won and lost, and 0 where the winner would be paid what it announced above it instead.
    """

    item: Item
    kontra: Kontra
    done: int
    missed: int


@dataclass(frozen=True, slots=True)
class Plain:
    """What the four get for the game alone, by place: where it is won, and where it is lost."""

    won: Amounts
    lost: Amounts


@dataclass(frozen=True, slots=True)
class Worth:
    """What the announced hand is worth now.

    `items` are the game and every announced bonus with a partner, `alone` the same without one; `plain` is the game
    alone, and `brought` what nyolc and kilenc tarokk have brought already (nothing, where none were declared), each by
    every partner that there may be.
    """

    items: tuple[ItemWorth, ...]
    alone: tuple[ItemWorth, ...]
    plain: Mapping[Partner, Plain]
    brought: Mapping[Partner, Amounts]


@lru_cache(maxsize=200)
def worth(
    contract: Contract,
    facts: Facts = NOTHING,
    *,
    partners: tuple[Partner, ...] = PARTNERS,
    times: int = 1,
    rules: Rules = BOOK,
) -> Worth:
    """What the hand is worth as far as it was announced; `times` is how many times it counts.

    Kept, as every phone at the table asks for the same.
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
    """The hands that an announced one may turn out to be."""

    contract: Contract
    facts: Facts
    times: int
    rules: Rules
    counted: dict[tuple[bool, int], Mapping[tuple[str, str], int]] = field(default_factory=dict)

    def deal(self, partner: Partner, points: int) -> Deal:
        """The hand in which nothing that was announced is done."""
        said = self.facts
        return Deal(
            self.contract, partner, points, said.game_kontra, said.announced, times=self.times, rules=self.rules
        )

    def plainest(self, partner: Partner, tarokks: Tarokks) -> Deal:
        """The hand with nothing but these tarokks in it."""
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
        """The amount of each line, the declarers', by its item and side: the same with whatever partner."""
        key = partner is None, points
        if key not in self.counted:
            lines = [line for line in score(self.deal(partner, points), self.rules).lines if line.item in _ITEMS]
            self.counted[key] = {(line.item, str(line.params["side"])): line.amount * self.times for line in lines}
        return self.counted[key]

    def plain(self, partner: Partner) -> Plain:
        return Plain(_shared(self.game(partner, WON), partner), _shared(self.game(partner, LOST), partner))

    def brought(self, partner: Partner) -> Amounts:
        """What the tarokks add, whatever else happens."""
        said = (self.facts.tarokks, NO_TAROKKS)
        tarokks, none = (amounts(self.plainest(partner, each), self.rules) for each in said)
        zero, one, two, three = (more - less for more, less in zip(tarokks, none, strict=True))
        return zero, one, two, three


_ITEMS: Final = {"game", *map(str, Bonus)}


def _shared(points: int, partner: Partner) -> Amounts:
    """What the four get of the declarers' points."""
    if partner is None:
        return declarer_gets(points, alone=True), -points, -points, -points
    one, two, three = (points if place == partner else -points for place in OTHERS)
    return points, one, two, three
