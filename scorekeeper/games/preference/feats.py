"""The feats of a hand of Preference: reasons to remember it."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.games.base import Place
from scorekeeper.games.feats import Feat, feat_of, seats_with
from scorekeeper.games.measures import Measure
from scorekeeper.games.preference.deal import Contract, Deal
from scorekeeper.games.preference.seating import playing_seats

#: The lowest contract whose making is remarkable.
HIGH: Final = 9
#: The fewest tricks taken in a mizer that are remarkable.
CAUGHT: Final = 3


def feats(deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
    """Yield a mizer made or badly caught, a contract of nine or ten made, and the clean players of a raspasovka.

    The dealer of four has only the talon in a raspasovka, so taking nothing with it is no feat.
    """
    for each in measures:
        if each.name == "mizer_tricks" and each.amount >= CAUGHT:
            yield Feat("mizer_caught", 9, (each.seat,), int(each.amount))
    yield from feat_of(measures, "mizer_made", 8)
    if isinstance(deal, Contract) and deal.level >= HIGH:
        yield from feat_of(measures, "declared_won", 7, code="level", number=deal.level)
    clean = set(seats_with(measures, "raspasovka_clean"))
    if seats := tuple(seat for seat in playing_seats(place.seats, place.dealer) if seat in clean):
        yield Feat("raspasovka_clean", 5, seats)
