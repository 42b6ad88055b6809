"""Random hands of a usual kind: mostly low contracts, six or seven tricks, seldom doubled."""

from collections.abc import Iterator
from random import Random

from scorekeeper.games.asszorti.deal import Arrivazs, Contract, Deal, Trump
from scorekeeper.games.asszorti.house_rules import Rules
from scorekeeper.games.asszorti.seating import playing_seats
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.kontra import Kontra


def likely(chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int, Deal]:
    """Return a declarer and his deal."""
    return chance.choice(playing_seats(seats, dealer)), next(_possible(chance, rules))


def _possible(chance: Random, rules: Rules) -> Iterator[Deal]:
    while True:
        tricks = chance.choices(range(3, 11), weights=(2, 6, 14, 30, 24, 14, 7, 3))[0]
        left = chance.randint(0, 11 - tricks)
        arrivazs = chance.choices(list(Arrivazs), weights=(70, 10, 17, 3))[0]
        try:
            yield Deal(
                chance.choices(list(Contract), weights=(40, 33, 15, 12))[0],
                chance.choices(list(Trump), weights=(22, 22, 22, 22, 12))[0],
                (tricks, left, 11 - tricks - left),
                chance.choices(list(Kontra), weights=(72, 18, 7, 2, 1, 0))[0],
                arrivazs,
                Kontra(arrivazs is not Arrivazs.NONE and chance.randrange(5) == 0),
                rules,
            )
        except InvalidDeal:
            continue
