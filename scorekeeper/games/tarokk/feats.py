"""The feats of a hand of Tarokk: reasons to remember it."""

from collections.abc import Iterator

from scorekeeper.games.base import Place
from scorekeeper.games.feats import Feat, feat_of
from scorekeeper.games.kontra import boldest_kontra
from scorekeeper.games.measures import Measure
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import Bonus, Contract
from scorekeeper.games.tarokk.notation import BONUSES

_LETTERS = {bonus: letter for letter, bonus in BONUSES.items()}
_VOLAT, _ULTIMO = _LETTERS[Bonus.VOLAT], _LETTERS[Bonus.ULTIMO]


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
