"""The game of Asszorti, as the registry lists it: its turn at the table, its end, its statistics, its samples."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.asszorti import deal as deals
from scorekeeper.games.asszorti import scoring
from scorekeeper.games.asszorti.deal import (
    ALL_TRICKS,
    CONTRACTS,
    SEATING,
    TO_WIN,
    TRUMPS,
    Arrivazs,
    Contract,
    Deal,
    Trump,
    leader,
    opponents,
)
from scorekeeper.games.asszorti.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.asszorti.referee import REFEREE
from scorekeeper.games.base import EntryLike, Payment, Place, ScoreLine, Seats, Sheet
from scorekeeper.games.errors import Message, first_possible
from scorekeeper.games.measures import Feat, Measure, by_key, feat_of
from scorekeeper.games.payment_game import Kontra, PaymentGame, boldest_kontra, letter_of

#: The contracts with their trumps: `2H`, `hN`.
KEYS: Final = tuple(contract + trump for contract, trump in product(CONTRACTS, TRUMPS))
LEVELS: Final = tuple(str(kontra.value) for kontra in Kontra)
#: The fewest tricks above six that are remarkable.
OVERTRICKS: Final = 3


class Asszorti(PaymentGame[Deal, Rules, None]):
    """Asszorti, a Hungarian game for three, by docs/rules/asszorti.md. No hand depends on another."""

    key = "asszorti"
    house_rules = HOUSE_RULES
    referee = REFEREE
    seating = SEATING
    seats_may_change = True
    redeals = ("stays", "passes")
    counted_over = MappingProxyType({"declared": "hands", "kontra": "declared", "kontra_points": "declared"})

    hand_from_text = staticmethod(deals.deal_from_text)
    hand_to_text = staticmethod(deals.deal_to_text)
    reads_alike = staticmethod(deals.reads_as)

    def leaders(self, seats: Seats, dealer: int) -> Mapping[int, int]:
        return {declarer: leader(seats, dealer, declarer) for declarer in sorted(self.playing_seats(seats, dealer))}

    def start(self, rules: Rules) -> None:
        """Return None: there is no standing."""

    def standing_from_text(self, text: str) -> None:
        """Raise ValueError for anything but ''."""
        if text:
            raise ValueError(f"not a standing of this game: {text!r}")

    def standing_to_text(self, standing: None) -> str:
        return ""

    def standing_after(self, deal: Deal | None, place: Place, standing: None, rules: Rules) -> None:
        """Return None: there is no standing."""

    def payments_of(
        self, deal: Deal, place: Place, declarer: int, standing: None, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        deal.check(rules)
        against = opponents(place.seats, place.dealer, declarer)
        payments = scoring.payments(deal, declarer=declarer, opponents=against, rules=rules)
        return payments, scoring.score(deal, rules).lines

    def reminder(self, sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
        """Return `hands_played` (hands, played) or `points_reached` (seat, points) at the end of the evening."""
        if rules.hands and hands >= rules.hands:
            return Message("hands_played", {"hands": rules.hands, "played": hands})
        if not rules.points:
            return None
        won = self.balances(sheet, seats)
        best = max(seats, key=lambda seat: won[seat])  # of equals the first
        return Message("points_reached", {"seat": best, "points": rules.points}) if won[best] >= rules.points else None

    def is_made(self, deal: Deal, rules: Rules) -> bool:
        return deal.tricks[0] >= TO_WIN

    def own_measures(
        self, deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
    ) -> Iterator[Measure]:
        """Yield the contract of the hand and its results."""
        declarer = place.declarer
        key = letter_of(CONTRACTS, deal.contract) + letter_of(TRUMPS, deal.trump)
        for seat in self.playing_seats(place.seats, place.dealer):
            yield from by_key("declared", seat, KEYS, frozenset({key} if seat == declarer else ()))
        if declarer is not None:
            yield Measure("declared_won", declarer, int(self.is_made(deal, rules)), 1, key)
            yield from _tricks(deal, declarer, rules)
            yield from _arrivazs(deal, declarer)
            yield from _kontra(deal, declarer, amounts[declarer])

    def feats(self, deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
        """Yield the feats of the declarer; nothing for a hand without a declarer."""
        if place.declarer is not None:
            yield from boldest_kontra(place.declarer, (deal.game_kontra, deal.arrivazs_kontra))
        yield from feat_of(measures, "arrivazs_idegen", 8)
        yield from feat_of(measures, "six_five_nil", 7)
        yield from feat_of(measures, "arrivazs_won", 4)
        for each in measures:
            if each.name == "overtricks" and each.amount >= OVERTRICKS:
                yield Feat("overtricks", 5, (each.seat,), int(each.amount))

    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int, Deal]:
        """Return a hand: mostly low contracts, six or seven tricks, seldom doubled."""
        return chance.choice(self.playing_seats(seats, dealer)), first_possible(lambda: _any(chance, rules))


# --- Measures (docs/statistics.md) ---


def _tricks(deal: Deal, declarer: int, rules: Rules) -> Iterator[Measure]:
    tricks = deal.tricks[0]
    if tricks >= TO_WIN:
        yield Measure("overtricks", declarer, tricks - TO_WIN, 1)
    if tricks == TO_WIN:
        yield Measure("six_five_nil", declarer, int(deal.has_deduction(rules)), 1)


def _arrivazs(deal: Deal, declarer: int) -> Iterator[Measure]:
    """Yield the result of an announced arrivázs. An idegen is not counted as won as well: the three exclude each
    other, as the results of a deal do.
    """
    if deal.arrivazs is not Arrivazs.NONE:
        for result in (Arrivazs.WON, Arrivazs.LOST, Arrivazs.IDEGEN):
            yield Measure(f"arrivazs_{result.value}", declarer, int(deal.arrivazs is result), 1)


def _kontra(deal: Deal, declarer: int, amount: Amount) -> Iterator[Measure]:
    """Yield the hand and its amount at the level of the game's kontra, each counted over all hands declared."""
    level = str(deal.game_kontra.value)
    yield from by_key("kontra", declarer, LEVELS, frozenset({level}))
    for each in LEVELS:
        yield Measure("kontra_points", declarer, amount if each == level else 0, 1, each)


# --- Samples ---


def _any(chance: Random, rules: Rules) -> Deal:
    tricks = chance.choices(range(3, ALL_TRICKS), weights=(2, 6, 14, 30, 24, 14, 7, 3))[0]
    left = chance.randint(0, ALL_TRICKS - tricks)
    arrivazs = chance.choices(list(Arrivazs), weights=(70, 10, 17, 3))[0]
    return Deal(
        chance.choices(list(Contract), weights=(40, 33, 15, 12))[0],
        chance.choices(list(Trump), weights=(22, 22, 22, 22, 12))[0],
        (tricks, left, ALL_TRICKS - tricks - left),
        chance.choices(list(Kontra), weights=(72, 18, 7, 2, 1, 0))[0],
        arrivazs,
        Kontra(arrivazs is not Arrivazs.NONE and chance.randrange(5) == 0),
        rules,
    )


GAME: Final = Asszorti()
