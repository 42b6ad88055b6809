"""The feats of a hand of Asszorti: reasons to remember it."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.games.asszorti.deal import Deal
from scorekeeper.games.base import Place
from scorekeeper.games.feats import Feat, feat_of
from scorekeeper.games.kontra import boldest_kontra
from scorekeeper.games.measures import Measure

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
