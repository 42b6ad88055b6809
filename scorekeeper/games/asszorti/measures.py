"""The measures and feats of a hand of Asszorti (docs/statistics.md)."""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.asszorti.deal import TO_WIN, Arrivazs, Deal
from scorekeeper.games.asszorti.house_rules import Rules
from scorekeeper.games.asszorti.notation import CONTRACTS, TRUMPS
from scorekeeper.games.asszorti.seating import playing_seats
from scorekeeper.games.base import EntryLike, Place
from scorekeeper.games.kontra import Kontra, boldest_kontra, letter_of
from scorekeeper.games.measures import Feat, Measure, by_key, feat_of

#: The contracts with their trumps: `2H`, `hN`.
KEYS: Final = tuple(contract + trump for contract, trump in product(CONTRACTS, TRUMPS))
LEVELS: Final = tuple(str(kontra.value) for kontra in Kontra)

COUNTED_OVER: Final[Mapping[str, str]] = MappingProxyType(
    {"declared": "hands", "kontra": "declared", "kontra_points": "declared"}
)


def is_made(deal: Deal, rules: Rules) -> bool:
    return deal.tricks[0] >= TO_WIN


def own_measures(
    deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
) -> Iterator[Measure]:
    """Yield the contract of the hand and its results."""
    declarer, key = place.declarer, _key(deal)
    for seat in playing_seats(place.seats, place.dealer):
        yield from by_key("declared", seat, KEYS, frozenset({key} if seat == declarer else ()))
    if declarer is not None:
        yield Measure("declared_won", declarer, int(is_made(deal, rules)), 1, key)
        yield from _tricks(deal, declarer, rules)
        yield from _arrivazs(deal, declarer)
        yield from _kontra(deal, declarer, amounts[declarer])


def _key(deal: Deal) -> str:
    return letter_of(CONTRACTS, deal.contract) + letter_of(TRUMPS, deal.trump)


def _tricks(deal: Deal, declarer: int, rules: Rules) -> Iterator[Measure]:
    tricks = deal.tricks[0]
    if is_made(deal, rules):
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


# --- Feats ---


#: The fewest tricks above six that are remarkable.
OVERTRICKS: Final = 3


def feats(deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
    """Yield the feats of the declarer; nothing for a hand without a declarer."""
    if place.declarer is not None:
        yield from boldest_kontra(place.declarer, (deal.game_kontra, deal.arrivazs_kontra))
    yield from feat_of(measures, "arrivazs_idegen", 8)
    yield from feat_of(measures, "six_five_nil", 7)
    yield from feat_of(measures, "arrivazs_won", 4)
    for each in measures:
        if each.name == "overtricks" and each.amount >= OVERTRICKS:
            yield Feat("overtricks", 5, (each.seat,), int(each.amount))
