"""Random hands of a usual kind: mostly low contracts and narrow games, now and then a bonus."""

from collections.abc import Iterator
from random import Random

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import NO_TAROKKS, Announced, Bonus, Contract, Pagat, Side
from scorekeeper.games.tarokk.house_rules import Rules
from scorekeeper.games.tarokk.seating import playing_seats


def likely(chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int, Deal]:
    """Return a declarer and a deal of a usual kind."""
    deal, playing = next(_possible(chance, rules)), playing_seats(seats, dealer)
    return playing[-1] if deal.is_proba else chance.choice(playing), deal


def _possible(chance: Random, rules: Rules) -> Iterator[Deal]:
    while True:
        try:
            yield _any(chance, rules)
        except InvalidDeal:
            continue


def _any(chance: Random, rules: Rules) -> Deal:
    contract = chance.choices(list(Contract), weights=(50, 32, 13, 5))[0]
    if contract is not Contract.SOLO and chance.randrange(60) == 0:
        return Deal(contract, is_proba=True, rules=rules)
    kontra = Kontra(chance.choices(range(4), weights=(84, 12, 3, 1))[0])
    tarokks = list(NO_TAROKKS)
    if chance.randrange(7) == 0:
        tarokks[chance.randrange(4)] = chance.choices((8, 9), weights=(4, 1))[0]
    zero, one, two, three = tarokks
    return Deal(
        contract=contract,
        partner=chance.choices((1, 2, 3, None), weights=(30, 30, 30, 10))[0],
        points=min(max(round(chance.gauss(54, 13)), 4), 90),
        game_kontra=kontra,
        announced=_announced(chance),
        trull=_somebody(chance, 12),
        kings=_somebody(chance, 9),
        xxi=_somebody(chance, 2),
        pagat=chance.choices(list(Pagat), weights=(84, 8, 4, 2, 2))[0],
        tarokks=(zero, one, two, three),
        rules=rules,
    )


def _announced(chance: Random) -> tuple[Announced, ...]:
    often = {Bonus.DOUBLE: 4, Bonus.VOLAT: 1, Bonus.TRULL: 14, Bonus.KINGS: 9, Bonus.ULTIMO: 6, Bonus.XXI: 1}
    kontras = (Kontra.NONE, Kontra.NONE, Kontra.NONE, Kontra.KONTRA)
    said = (Announced(Side.DECLARERS, bonus, chance.choice(kontras)) for bonus in Bonus)
    return tuple(each for each in said if chance.randrange(100) < often[each.bonus])


def _somebody(chance: Random, often: int) -> Side | None:
    """Return a side in `often` of a hundred hands, else None."""
    side = Side.DECLARERS if chance.randrange(100) < 70 else Side.OPPONENTS
    return side if chance.randrange(100) < often else None
