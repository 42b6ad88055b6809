"""The facts of a hand of Hungarian Tarokk (docs/rules/tarokk.md §9)."""

from dataclasses import InitVar, dataclass

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk.enums import (
    NO_TAROKKS,
    Announced,
    Band,
    Bonus,
    Contract,
    Pagat,
    Side,
    Tarokks,
    has_double,
)
from scorekeeper.games.tarokk.house_rules import BOOK, Rules
from scorekeeper.games.tarokk.validation import refusals


@dataclass(frozen=True, slots=True)
class Deal:
    """The announcements and results of one hand. A deal is always possible under the `rules` it was made with.

    `partner` is a place, None for a declarer who plays alone. `points` are the declarers' card points or their band;
    None only for a lost próba, of which nothing else is noted. `announced` is in the order of the notation. `volat`,
    `trull`, `kings` and `xxi` are the sides that made them; a volát sets trull and kings to its side. `tarokks` are
    those declared, by place: 0, 8 or 9. `times` is 2 or 4 if a doubled round is noted with the deal.

    Raise InvalidDeal with one message for each invalid field; validation.py lists the codes.
    """

    contract: Contract
    partner: int | None = None
    points: int | Band | None = None
    game_kontra: Kontra = Kontra.NONE
    announced: tuple[Announced, ...] = ()
    volat: Side | None = None
    trull: Side | None = None
    kings: Side | None = None
    xxi: Side | None = None
    pagat: Pagat = Pagat.NONE
    tarokks: Tarokks = NO_TAROKKS
    is_proba: bool = False
    times: int = 1
    rules: InitVar[Rules] = BOOK

    def __post_init__(self, rules: Rules) -> None:
        self.check(rules)
        object.__setattr__(self, "announced", tuple(sorted(self.announced, key=lambda each: each.order)))
        if self.volat:
            object.__setattr__(self, "trull", self.volat)
            object.__setattr__(self, "kings", self.volat)

    def check(self, rules: Rules) -> None:
        """Raise InvalidDeal if the deal is impossible under these rules."""
        errors = refusals(self, rules)
        if errors:
            raise InvalidDeal(errors)

    @property
    def is_alone(self) -> bool:
        """True if the declarer plays against three: there is no segítő, or he called himself."""
        return self.partner is None

    @property
    def card_points(self) -> range:
        """The declarers' card points: the number noted, or a band's range. Raise ValueError for a lost próba."""
        if self.points is None:
            raise ValueError("a lost próba has no card points")
        return self.points.points if isinstance(self.points, Band) else range(self.points, self.points + 1)

    def side_of(self, place: int) -> Side:
        return Side.DECLARERS if place in (0, self.partner) else Side.OPPONENTS

    def kontra_of(self, side: Side, bonus: Bonus) -> Kontra | None:
        """Return the kontra of a bonus that the side announced; None if it did not."""
        return next((each.kontra for each in self.announced if (each.side, each.bonus) == (side, bonus)), None)

    def made(self, side: Side, bonus: Bonus) -> bool:
        """Return whether the side made the bonus, announced or not."""
        match bonus:
            case Bonus.DOUBLE:
                return self.volat is side or has_double(self.card_points, side)
            case Bonus.ULTIMO:
                return self.pagat.won and self.pagat.side is side
            case _:
                made: Side | None = getattr(self, bonus.value)
                return made is side


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Return whether both may record one hand: they differ at most in the precision of the card points."""
    if _but_for_points(one) != _but_for_points(other):
        return False
    if one.points is None or other.points is None:
        return one.points is other.points
    here, there = one.card_points, other.card_points
    return max(here[0], there[0]) <= min(here[-1], there[-1])


def _but_for_points(deal: Deal) -> tuple[object, ...]:
    return tuple(getattr(deal, name) for name in deal.__slots__ if name != "points")
