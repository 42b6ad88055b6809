"""The measures and feats of a hand of Tarokk (docs/statistics.md)."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import EntryLike, Place
from scorekeeper.games.kontra import boldest_kontra, letter_of
from scorekeeper.games.measures import Feat, Measure, Merit, by_key, feat_of
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import Bonus, Contract, Side
from scorekeeper.games.tarokk.house_rules import Rules
from scorekeeper.games.tarokk.notation import BONUSES
from scorekeeper.games.tarokk.scoring import winner
from scorekeeper.games.tarokk.seating import places

MERIT: Final = Merit(with_partner=True)
CONTRACTS: Final = tuple(contract.value for contract in Contract)
LETTERS: Final = tuple(BONUSES)
TAROKKS: Final = ("8", "9")

COUNTED_OVER: Final[Mapping[str, str]] = MappingProxyType(
    {"declared": "hands", "announced": "hands", "silent_made": "hands", "tarokks": "hands"}
)


def declaring_seats(deal: Deal, place: Place) -> tuple[int, ...]:
    """Return the declarer's seat and the partner's; of a lone declarer his own."""
    seats = _places(place)
    return seats[:1] if deal.partner is None else (seats[0], seats[deal.partner])


def is_made(deal: Deal, rules: Rules) -> bool:
    """Return whether the declarers won the game, whatever else was paid."""
    return not deal.is_proba and winner(deal, rules) is Side.DECLARERS


def own_measures(
    deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
) -> Iterator[Measure]:
    """Yield the contract of the hand, the parts of declarer and partner, and the bonuses of each side."""
    for at, seat in enumerate(_places(place)):
        side = deal.side_of(at)
        yield from by_key("declared", seat, CONTRACTS, frozenset({deal.contract.value} if at == 0 else ()))
        yield Measure("partner", seat, int(at == deal.partner), 1)
        yield from _bonuses(deal, side, seat)
        yield Measure("xxi_caught", seat, int(deal.xxi is side), 1)
        yield Measure("xxi_lost", seat, int(deal.xxi is side.other), 1)
        yield from by_key("tarokks", seat, TAROKKS, frozenset({str(deal.tarokks[at])}))
    yield from _game(deal, place, rules)


def _places(place: Place) -> tuple[int, ...]:
    if place.declarer is None:
        raise ValueError("every hand has a declarer")
    return places(place.seats, place.dealer, place.declarer)


def _game(deal: Deal, place: Place, rules: Rules) -> Iterator[Measure]:
    declarer, *partner = declaring_seats(deal, place)
    made = int(is_made(deal, rules))
    yield Measure("declared_won", declarer, made, 1, deal.contract.value)
    yield Measure("alone", declarer, int(deal.is_alone), 1)
    if deal.is_alone:
        yield Measure("alone_won", declarer, made, 1)
    for seat in partner:
        yield Measure("partner_won", seat, made, 1)


def _bonuses(deal: Deal, side: Side, seat: int) -> Iterator[Measure]:
    """Yield the bonuses of a side for one of its seats, made or not.

    A bonus made is one that lies in the side's tricks, also where the rules pay nothing for it: within a volát are a
    dupla, a trull and the kings.
    """
    announced = frozenset(letter for letter, bonus in BONUSES.items() if deal.kontra_of(side, bonus) is not None)
    # A lost próba has no other facts, not even card points.
    made = frozenset(letter for letter, bonus in BONUSES.items() if not deal.is_proba and deal.made(side, bonus))
    yield from by_key("announced", seat, LETTERS, announced)
    yield from by_key("announced_made", seat, tuple(sorted(announced)), made)
    yield from by_key("silent_made", seat, LETTERS, made - announced)


# --- Feats ---


_VOLAT, _ULTIMO = letter_of(BONUSES, Bonus.VOLAT), letter_of(BONUSES, Bonus.ULTIMO)


def feats(deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
    """Yield the feats of the hand: its boldest kontra, the bonuses of a side, the tarokks shown, a szóló made."""
    if place.declarer is not None:
        yield from boldest_kontra(place.declarer, (deal.game_kontra, *(each.kontra for each in deal.announced)))
    yield from feat_of(measures, "announced_made", 10, key=_VOLAT, code="volat", number=1)
    yield from feat_of(measures, "silent_made", 10, key=_VOLAT, code="volat")
    yield from feat_of(measures, "xxi_caught", 8)
    yield from feat_of(measures, "tarokks", 7, key="9", number=9)
    yield from feat_of(measures, "announced_made", 6, key=_ULTIMO, code="ultimo", number=1)
    yield from feat_of(measures, "silent_made", 6, key=_ULTIMO, code="ultimo")
    yield from feat_of(measures, "declared_won", 4, key=Contract.SOLO.value, code="solo")
    yield from feat_of(measures, "tarokks", 3, key="8", number=8)
