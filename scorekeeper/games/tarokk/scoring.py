"""The count of one hand of Hungarian Tarokk, line by line, and its payments (docs/rules/tarokk.md §6, §7).

Amounts are the declarers': below zero the opponents win. Every item that was announced or made has a line; a line that
brings nothing says why.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scorekeeper.games.base import Payment, ScoreLine
from scorekeeper.games.payment_game import Kontra, netted
from scorekeeper.games.tarokk.announcing import GAME, NOTHING, AnnouncedFacts, Item
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import NO_TAROKKS, OTHERS, PLACES, TO_WIN, Bonus, Contract, Side, Tarokks
from scorekeeper.games.tarokk.house_rules import BOOK, VALUE_OF_BID, PaidBy, Rules, Swallows
from scorekeeper.games.tarokk.validation import TIE, declarers_win_tie

#: The values of announced dupla and volát in games; silent, half.
DOUBLE_GAMES: Final = 4
VOLAT_GAMES: Final = 6
#: Nyolc tarokk is worth 1, kilenc 2.
TAROKKS_BELOW: Final = 7


@dataclass(frozen=True, slots=True)
class Score:
    """The count of one hand: the points that each opponent pays and each of two declarers gets, and the steps.

    The amounts of the lines sum to the points. `tarokks` are the points that the other three each pay to a place.
    """

    points: int
    tarokks: tuple[int, int, int, int]
    lines: tuple[ScoreLine, ...]


def score(deal: Deal, rules: Rules = BOOK) -> Score:
    """Count the hand under the house rules."""
    lines = tuple(_proba(deal, rules) if deal.is_proba else _Count(deal, rules).lines())
    points = sum(line.amount for line in lines)
    if deal.times > 1:
        lines += (ScoreLine("round", "times", {"times": deal.times}, points * (deal.times - 1)),)
    paid_by_all = rules.tarokks_paid_by is PaidBy.ALL
    zero, one, two, three = (tarokks_worth(n) * deal.times if paid_by_all else 0 for n in deal.tarokks)
    return Score(points * deal.times, (zero, one, two, three), lines)


def payments(deal: Deal, *, seats: tuple[int, ...], rules: Rules = BOOK) -> tuple[Payment, ...]:
    """Return the payments of a hand (§7): at most one for two players, none of zero.

    `seats` are by place, 0 … 3. Raise ValueError if they are not four different ones.
    """
    if len(set(seats)) != len(PLACES):
        raise ValueError(f"{seats} are not four different seats")
    counted = score(deal, rules)
    owed = [(*pair, counted.points) for pair in settling(deal)]
    owed += [(payer, place, counted.tarokks[place]) for place in PLACES for payer in PLACES if payer != place]
    return netted((seats[payer], seats[payee], points) for payer, payee, points in owed)


def settling(deal: Deal) -> tuple[tuple[int, int], ...]:
    """Return the pairs of places that settle (§7): (an opponent, the declarer or partner paid if D wins)."""
    if deal.partner is None:
        return tuple((place, 0) for place in OTHERS)
    first, second = (place for place in OTHERS if place != deal.partner)
    return (first, 0), (second, deal.partner)


def declarer_gets(points: int, *, alone: bool) -> int:
    """Return the declarer's share of a hand's points, without declared tarokks: alone he settles with three."""
    return points * len(OTHERS) if alone else points


def amounts(deal: Deal, rules: Rules = BOOK) -> tuple[int, int, int, int]:
    """Return the amount that each of the four gets, by place; they sum to zero."""
    total = dict.fromkeys(PLACES, 0)
    for paid in payments(deal, seats=(0, 1, 2, 3), rules=rules):
        total[paid.payer] -= paid.points
        total[paid.payee] += paid.points
    return total[0], total[1], total[2], total[3]


def tarokks_worth(number: int) -> int:
    return number - TAROKKS_BELOW if number else 0


def game_value(contract: Contract, *, alone: bool, rules: Rules = BOOK) -> int:
    """Return the game value, the g of the rules (§6): 1, 2, 3 or 4."""
    return Contract.SOLO.value_of_game if alone and rules.alone_counts else contract.value_of_game


def bonus_values(game: int, rules: Rules = BOOK) -> Mapping[Bonus, int]:
    """Return the value of each bonus announced; silent, it is half of that."""
    return {
        Bonus.DOUBLE: DOUBLE_GAMES * game,
        Bonus.VOLAT: VOLAT_GAMES * game,
        Bonus.TRULL: rules.trull,
        Bonus.KINGS: rules.kings,
        Bonus.ULTIMO: rules.ultimo,
        Bonus.XXI: rules.xxi,
    }


def winner(deal: Deal, rules: Rules = BOOK) -> Side:
    """Return the side that wins the game (§6): all tricks, 48 card points, or for the opponents 47."""
    if deal.volat:
        return deal.volat
    enough = TIE if declarers_win_tie(deal.game_kontra, rules) else TO_WIN
    return Side.DECLARERS if deal.card_points[0] >= enough else Side.OPPONENTS


def _proba(deal: Deal, rules: Rules) -> Iterator[ScoreLine]:
    """Count a lost próba, paid at once (§3)."""
    each = deal.contract.value_of_game if rules.proba == VALUE_OF_BID else rules.proba
    yield ScoreLine("game", "proba", {"each": each, "contract": deal.contract.value}, -each)


class _Count:
    """One hand being counted."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self.deal = deal
        self.rules = rules
        self.game = game_value(deal.contract, alone=deal.is_alone, rules=rules)
        self.values = bonus_values(self.game, rules)
        self.winner = winner(deal, rules)
        #: The levels above the game that the winner announced.
        self.above = [b for b in (Bonus.DOUBLE, Bonus.VOLAT) if deal.kontra_of(self.winner, b) is not None]
        self.silent_volat = deal.volat is self.winner and Bonus.VOLAT not in self.above
        self.has_double = deal.made(self.winner, Bonus.DOUBLE) and Bonus.DOUBLE not in self.above
        self.silent_double = self.has_double and not self.above and not self.silent_volat

    def lines(self) -> Iterator[ScoreLine]:
        """Yield the items in the order of the rules (§11), the declarers' before the opponents'."""
        yield self._game()
        for bonus in Bonus:
            for side in Side:
                yield from self._bonus(side, bonus)
        for place, number in enumerate(self.deal.tarokks):
            if number:
                yield self._tarokks(place, number)

    def _line(self, item: str, code: str, side: Side, amount: int, **params: int | str) -> ScoreLine:
        """Return a line; `amount` is the side's."""
        signed = amount if side is Side.DECLARERS else -amount
        return ScoreLine(item, code, {"side": side.value, **params}, signed)

    def _game(self) -> ScoreLine:
        """Count the game: if kontra'd, always (§6.2b); else a level above it takes its place (§6.2a, §6.2c)."""
        kontra = self.deal.game_kontra
        tie = {"tie": TIE} if self.deal.points == TIE else {}
        worth = {"value": self.game, "kontra": kontra.value, **tie}
        if kontra:
            return self._line("game", "kontra", self.winner, self.game * kontra.factor, **worth)
        for bonus in (Bonus.DOUBLE, Bonus.VOLAT):
            if bonus in self.above:
                return self._line("game", "announced_above", self.winner, 0, above=bonus.value, **worth)
        if self.silent_volat or self.silent_double:
            above = Bonus.VOLAT if self.silent_volat else Bonus.DOUBLE
            return self._line("game", "replaced", self.winner, 0, above=above.value, **worth)
        return self._line("game", "won", self.winner, self.game, **worth)

    def _bonus(self, side: Side, bonus: Bonus) -> Iterator[ScoreLine]:
        kontra = self.deal.kontra_of(side, bonus)
        if kontra is not None:
            yield self._announced(side, bonus, kontra)
        elif bonus in (Bonus.DOUBLE, Bonus.VOLAT):
            yield from self._silent_level(side, bonus)
        elif self.deal.made(side, bonus):
            yield self._silent(side, bonus)
        elif bonus is Bonus.ULTIMO and self.deal.pagat.side is side:
            half = self.values[bonus] // 2  # csendes bukott ultimó, §6.4
            lost = half if self.rules.lost_silent_ultimo else 0
            yield self._line(bonus.value, "beaten" if lost else "beaten_free", side, -lost, value=half)

    def _announced(self, side: Side, bonus: Bonus, kontra: Kontra) -> ScoreLine:
        """Count an announced bonus by itself, for the side or against it (§6.1)."""
        made = self.deal.made(side, bonus)
        amount = self.values[bonus] * kontra.factor
        worth = {"value": self.values[bonus], "kontra": kontra.value}
        return self._line(bonus.value, "done" if made else "missed", side, amount if made else -amount, **worth)

    def _silent_level(self, side: Side, bonus: Bonus) -> Iterator[ScoreLine]:
        """Count the dupla or volát that the winner did not announce, the higher of the two only (§6.2)."""
        half = self.values[bonus] // 2
        if side is not self.winner:
            return
        if self.silent_volat if bonus is Bonus.VOLAT else self.silent_double:
            yield self._line(bonus.value, "silent", side, half, value=half)
        elif bonus is Bonus.DOUBLE and self.has_double:
            code = "beside_announced_volat" if Bonus.VOLAT in self.above else "within_volat"
            yield self._line(bonus.value, code, side, 0, value=half)

    def _silent(self, side: Side, bonus: Bonus) -> ScoreLine:
        """Count a bonus made without an announcement, whoever won the game (§6.3)."""
        half = self.values[bonus] // 2
        code = self._why_not(side, bonus)
        return self._line(bonus.value, code or "silent", side, 0 if code else half, value=half)

    def _why_not(self, side: Side, bonus: Bonus) -> str:
        """Return why a silent bonus is not paid (§6.3), "" if it is."""
        if bonus not in (Bonus.TRULL, Bonus.KINGS):
            return ""
        announced_volat = self.deal.kontra_of(side, Bonus.VOLAT) is not None
        if self.deal.volat is side:
            return "beside_volat"
        if announced_volat and self.rules.volat_swallows is Swallows.MADE_OR_ANNOUNCED:
            return "beside_announced_volat"
        paid_double = self.silent_double and side is self.winner
        if bonus is Bonus.KINGS and paid_double and not self.rules.kings_beside_silent_double:
            return "beside_double"
        return ""

    def _tarokks(self, place: int, number: int) -> ScoreLine:
        each = tarokks_worth(number)
        side = self.deal.side_of(place)
        if self.rules.tarokks_paid_by is PaidBy.ALL:
            return self._line("tarokks", "by_all", side, 0, place=place, number=number, each=each * self.deal.times)
        return self._line("tarokks", "by_opponents", side, each, place=place, number=number, each=each)


# --- A hand that is still being played ---


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

    `items` are the game and every announced bonus, for a lone declarer once that is known. `plain` is the game alone,
    and `brought` the amounts for nyolc and kilenc tarokk (empty if none were declared), each by every possible partner.
    """

    items: tuple[ItemWorth, ...]
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

    `partners` are those that are still possible.

    Cached, as every phone at the table asks for the same.
    """
    hands = _Hands(contract, facts, times, rules)
    return Worth(
        items=tuple(hands.items(partners[0])),
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
        """Return the declarers' amount of each line, by item and side."""
        lines = [line for line in score(self.deal(partner, points), self.rules).lines if line.item in _ITEMS]
        return {(line.item, str(line.params["side"])): line.amount * self.times for line in lines}

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
